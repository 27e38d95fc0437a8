"""Errors like those of real models: what `models/sim.py` draws mistakes from where recorded answers tell enough.

Coefficients are facts in two files beside this one, made by `python -m evals.viplan_twins fit` from recorded answers:

    twin_errors.csv   how features of a question change the log-odds of a wrong answer, a column for each model
    twin_groups.json  how much errors of questions with something in common go together, and other rates
    twin_plans.csv    how often planner methods succeed, and how often those that fail give unreadable replies

What a feature or a group means is known to who names them: a witness that describes its questions (`models.base`). An
error happens if a normal number lies below a threshold. The threshold comes from the features, so every question is
answered wrong as often as the coefficients say. The number is a sum: a part of it belongs to the problem, a part to
each group that the question is in, and the rest to the question alone. So errors cling to pictures and things.
"""

from __future__ import annotations

import csv
import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from statistics import NormalDist
from typing import Any, TypeAlias

from models.base import Kind, Traits

HERE = Path(__file__).parent
ERRORS, GROUPS, PLANS = HERE / "twin_errors.csv", HERE / "twin_groups.json", HERE / "twin_plans.csv"
COT, PLAIN = "cot", "plain"
WORDING, ALONE, PROBLEM = "wording", "alone", "problem"
"""Parts of the number that belong to no group: to the wording and the picture file, to the question, to the problem."""
RAREST = 1e-5
"""The smallest chance of an error."""

Coefficients: TypeAlias = Mapping[str, float]


@dataclass(frozen=True)
class Twin:
    """The errors of one model in one world, with or without chain of thought.

    `shares` is what share of the variance belongs to which group, by its name; they sum up to 1. The share `common` of
    all that is the same with chain of thought and without. `unreadable` is how often a reply is neither yes nor no.
    """

    form: str
    coefficients: Coefficients
    shares: Mapping[str, float]
    common: float
    unreadable: float = 0.0

    def threshold(self, features: tuple[str, ...], level: str) -> float:
        """What a normal number has to be below for an error."""
        odds = sum(self.coefficients.get(name, 0.0) for name in (*features, f"{features[0]} {level}"))
        return _threshold(odds, self.unreadable)

    def errs(self, traits: Traits, about: tuple[str, str, str], level: str, wording: str) -> bool:
        """Whether a question is answered wrong. `about` is who answers, the problem, and the fact."""
        who, problem, fact = about
        number = 0.0
        alone = f"{fact}|{'|'.join(traits.groups.values())}"
        for group, share in self.shares.items():
            key = {PROBLEM: "all", WORDING: f"{alone}|{wording}"}.get(group) or traits.groups.get(group) or alone
            drawn = f"{who}|{problem}|{group}|{key}"
            both, own = _normal(drawn), _normal(f"{drawn}|{self.form}")
            number += math.sqrt(share * self.common) * both + math.sqrt(share * (1.0 - self.common)) * own
        return number < self.threshold(traits.features, level)


@cache
def version() -> str:
    """A name for the coefficients: answers by others must not be taken for theirs."""
    return f"twin {fingerprint_of(ERRORS, GROUPS, PLANS)}"


def fingerprint_of(*paths: Path) -> str:
    """A short hash of files."""
    return hashlib.blake2b(b"".join(path.read_bytes() for path in paths), digest_size=4).hexdigest()


def uniform(text: str) -> float:
    """A number in (0, 1) that depends on a text alone."""
    return (int.from_bytes(hashlib.blake2b(text.encode(), digest_size=7).digest()) + 0.5) / 2**56


_STANDARD = NormalDist()


@lru_cache(maxsize=1 << 15)
def _normal(text: str) -> float:
    """A standard normal number that depends on a text alone."""
    return _STANDARD.inv_cdf(uniform(text))


@lru_cache(maxsize=1 << 14)
def _threshold(odds: float, unreadable: float) -> float:
    # Unreadable replies were counted as wrong, and come on top.
    chance = (1.0 / (1.0 + math.exp(-odds)) - unreadable) / (1.0 - unreadable)
    return _STANDARD.inv_cdf(min(max(chance, RAREST), 1.0 - RAREST))


@dataclass(frozen=True)
class Skill:
    """How a model does as a planner: it can plan for a share of the problems, and fails on the others."""

    success: Mapping[str, float]
    unreadable: float

    def can(self, who: str, problem: str, level: str) -> bool:
        """Whether it can plan for a problem."""
        return uniform(f"{who}|plans|{problem}") < self.success[level]

    def garbles(self, who: str, problem: str) -> bool:
        """Whether its reply cannot be read, on a problem that it fails on."""
        return uniform(f"{who}|garbles|{problem}") < self.unreadable


def twin(name: str, world: str, *, cot: bool) -> Twin | None:
    """The errors of a model in a world; without chain of thought where only that is known; None for unknown worlds."""
    known = twins().get((name, world), {})
    return known.get(COT if cot else PLAIN) or known.get(PLAIN)


def skill(name: str, world: str, kind: Kind, *, cot: bool) -> Skill | None:
    """How a model does as a planner in a world; where actions one at a time are not published, as with plans."""
    method = "action" if kind is Kind.ACTION else "plan"
    wanted = ((method, cot), ("plan", cot), (method, False), ("plan", False))
    return next((skills()[name, world, *one] for one in wanted if (name, world, *one) in skills()), None)


@cache
def twins() -> Mapping[tuple[str, str], Mapping[str, Twin]]:
    """The errors of all models: by name and world, then with and without chain of thought."""
    groups: dict[str, Any] = json.loads(GROUPS.read_text(encoding="utf-8"))
    found: dict[tuple[str, str], dict[str, Twin]] = {}
    with ERRORS.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines)
        _, _, *columns = next(rows)
        known: dict[tuple[str, str], dict[str, float]] = {}
        for world, feature, *values in rows:
            for column, value in zip(columns, values, strict=True):
                if value:
                    known.setdefault((world, column), {})[feature] = float(value)
    for world, facts in groups.items():
        pooled = known[world, "pooled"]
        for (where, column), own in known.items():
            if where == world and column != "pooled":
                name, form = column.split(" ")
                unreadable = facts["unreadable"].get(column, 0.0)
                own_twin = Twin(form, own, facts["shares"][name], facts["common"], unreadable)
                found.setdefault((name, world), {})[form] = own_twin
        for column, offsets in facts["published"].items():
            name, form = column.split(" ")
            moved = Twin(form, _moved(pooled, offsets), facts["shares"]["mean"], facts["common"])
            found.setdefault((name, world), {}).setdefault(form, moved)
    return found


def _moved(pooled: Coefficients, offsets: Coefficients) -> Coefficients:
    """The coefficients that recorded models have in common, moved to a published accuracy of each predicate."""
    moved = dict(pooled)
    for name, offset in offsets.items():
        moved[name] = moved.get(name, 0.0) + offset
    return moved


@cache
def skills() -> Mapping[tuple[str, str, str, bool], Skill]:
    """How all models do as planners: by name, world, method, and whether with chain of thought."""
    found: dict[tuple[str, str, str, bool], Skill] = {}
    with PLANS.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            key = (row["model"], row["world"], row["method"], row["cot"] == "yes")
            success = {level: float(row[level]) for level in ("simple", "medium", "hard") if row[level]}
            found[key] = Skill(success, float(row["unreadable"]))
    return found
