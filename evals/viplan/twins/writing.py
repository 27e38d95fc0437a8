"""Write the coefficients of twins to the files that `sim:` reads."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from evals.viplan.twins.learning import Learned
from evals.viplan.twins.published import read_success
from evals.viplan.twins.records import WORLDS, short
from models._twins import ALONE, ERRORS, GROUPS, PLANS, WORDING
from models.recorded.packed import EPISODES, lines_of

REWORDED = 0.25
"""What part of the variance that is the question's own is due to its wording. No record tells: an assumption."""
LEVELS = ("simple", "medium", "hard")
"""The order of the columns of a plan's success."""


def write(folder: Path, learned: Mapping[str, Learned], plans: Iterable[Mapping[str, object]]) -> list[Path]:
    """Write the three files of coefficients to a folder."""
    contents = {
        ERRORS.name: _errors(learned),
        GROUPS.name: json.dumps({world: _groups(one) for world, one in learned.items()}, indent=1) + "\n",
        PLANS.name: _table(plans),
    }
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in contents]


def _errors(learned: Mapping[str, Learned]) -> str:
    columns = sorted({column for one in learned.values() for column in one.own})
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(("world", "feature", "pooled", *columns))
    for world, one in learned.items():
        for name, pooled in one.pooled.items():
            own = (one.own[column].get(name) if column in one.own else None for column in columns)
            rows.writerow((world, name, f"{pooled:g}", *("" if value is None else f"{value:g}" for value in own)))
    return out.getvalue()


def _groups(one: Learned) -> dict[str, Any]:
    return {
        "questions": one.questions,
        "shares": {model: all_shares(shares) for model, shares in one.shares.items()},
        "common": one.rewording,
        "unreadable": one.unreadable,
        "published": {column: offsets for column, offsets in sorted(one.published.items()) if column not in one.own},
    }


def all_shares(shares: Mapping[str, float]) -> dict[str, float]:
    """The shares of groups, of the wording, and of the question alone; they sum up to 1."""
    grouped = sum(shares.values())
    wording = round(REWORDED * (1.0 - grouped), 3)
    return {**shares, WORDING: wording, ALONE: round(1.0 - grouped - wording, 3)}


def _table(plans: Iterable[Mapping[str, object]]) -> str:
    out = io.StringIO()
    rows = csv.DictWriter(out, ("model", "world", "method", "cot", *LEVELS, "unreadable"), lineterminator="\n")
    rows.writeheader()
    rows.writerows(plans)
    return out.getvalue()


def plans_of(tables: Path, records: Path) -> Iterator[dict[str, object]]:
    """How often each planner method succeeds by the published tables, and how many failures could not be read.

    The second is known of recorded models alone; of others it is taken to be 0.
    """
    garbled = _garbled(records)
    success: dict[tuple[str, str, str, bool], dict[str, float]] = {}
    for setting, value in read_success(tables).items():
        if setting.method in ("plan", "action"):
            key = (setting.model, setting.world, setting.method, setting.cot)
            success.setdefault(key, {})[setting.level] = value
    for (model, world, method, cot), values in sorted(success.items()):
        form = "yes" if cot else "no"
        lost = f"{garbled.get((model, world, cot), 0.0):.2f}"
        yield {"model": model, "world": world, "method": method, "cot": form, **values, "unreadable": lost}


def _garbled(records: Path) -> dict[tuple[str, str, bool], float]:
    ends: dict[tuple[str, str, bool], list[bool]] = {}
    for episode in lines_of(records / EPISODES):
        if (episode["method"], episode["fail"]) == ("Plan", "0") and not episode["success"]:
            key = (short(episode["model"]), WORLDS[episode["domain"]], episode["cot"] == "yes")
            ends.setdefault(key, []).append("parsable" in episode["end"] or "empty" in episode["end"])
    return {key: sum(lost) / len(lost) for key, lost in ends.items()}
