"""The perception of stand-ins, given the truth. `models/sim.py` makes models of it."""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

from models import _twins
from models.base import Describing, Kind, Request, Witness
from planners.names import unknown

Rates = Mapping[tuple[str, bool, str, str], float]
"""(world, cot, level, what the fact is about) to accuracy."""


@cache
def published() -> dict[str, Rates]:
    """The accuracies of every model of the papers, by its name in lower case with dashes."""
    rates: dict[str, dict[tuple[str, bool, str, str], float]] = {}
    with (Path(__file__).parent / "published_accuracy.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            name = row["model"].lower().replace(" ", "-")
            key = (row["domain"], row["cot"] == "yes", row["split"], row["predicate"])
            rates.setdefault(name, {})[key] = float(row["accuracy"])
    return dict(rates)


class Eyes(Protocol):
    """The perception of a stand-in: whether it perceives a fact as true, given the truth."""

    identity: str

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool: ...


ANSWER, PART = "answer", "part"
"""Prefixes of facts about questions: the answer, and a part of the question that can be asked alone."""


class PublishedEyes:
    """Eyes with a model's published error rates.

    `shared` is the share of questions (of question sets) whose errors do not depend on how they are asked. Where
    `clinging` and the witness describes its questions, errors are those of a twin; `shared` is then the share of
    problems where they are.
    """

    def __init__(self, name: str, seed: int = 0, shared: float = 1.0, *, clinging: bool = False) -> None:
        if name not in published():
            raise unknown("published model", name, tuple(published()))
        self.identity = f"{name}, seed {seed}" + (f", {shared:g} of errors shared" if shared < 1.0 else "")
        self.clinging = clinging
        self._name, self._rates, self._shared = name, published()[name], shared

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """The truth or, at the error rate, its opposite; deterministic for a picture and question."""
        what = fact.partition(" ")[0]
        if what in (ANSWER, PART):
            return self._answers(fact, true, request, witness)
        twin = self.twin(request, witness)
        traits = witness.traits(fact) if twin and isinstance(witness, Describing) else None
        if twin and traits:
            wording = request.text if request.kind is Kind.YES_NO else ""
            shown = f"{wording}|{'|'.join(picture.key for picture in request.pictures)}|{request.attempt}"
            about = (self.identity, witness.tags.get("problem", ""), fact)
            return true != twin.errs(traits, about, witness.tags.get("level", ""), shown)
        accuracy = self._accuracy(what, request, witness)
        wrong = chance(self.identity, request, fact) >= accuracy
        return true != wrong

    def twin(self, request: Request, witness: Witness) -> _twins.Twin | None:
        """The errors of a twin, if this is to have them in this problem."""
        if not self._twinned(witness):
            return None
        return _twins.twin(self._name, witness.tags.get("world", ""), cot=request.cot)

    def unreadable(self, request: Request, witness: Witness) -> bool:
        """Whether the reply to a question about a fact is neither yes nor no."""
        twin = self.twin(request, witness)
        rate = twin.unreadable if twin else 0.0
        return rate > 0.0 and chance(self.identity, request, "unreadable") < rate

    def skill(self, request: Request, witness: Witness) -> _twins.Skill | None:
        """How the model does as a planner, if that is known and it is to do so in this problem."""
        if not self._twinned(witness):
            return None
        found = _twins.skill(self._name, witness.tags.get("world", ""), request.kind, cot=request.cot)
        return found if found and witness.tags.get("level", "") in found.success else None

    def _twinned(self, witness: Witness) -> bool:
        """Whether this is to be a twin in this problem."""
        return self.clinging and isinstance(witness, Describing) and witness.describes and self._sticks(witness)

    def _sticks(self, witness: Witness) -> bool:
        """Whether the errors of this problem are shared."""
        problem = witness.tags.get("problem", "")
        return self._shared >= 1.0 or _hashed(self.identity, "shared?", problem) < self._shared

    def rated(self, witness: Witness) -> bool:
        """Whether an accuracy of the model is published for questions of this kind."""
        world, level = witness.tags.get("world", ""), witness.tags.get("level", "")
        return (world, False, level, ANSWER) in self._rates

    def dice(self, what: str, request: Request, witness: Witness) -> float:
        """A number in [0, 1) for a question; if errors are shared, it does not depend on how the question is asked."""
        problem = witness.tags.get("problem", "")
        if self._sticks(witness):
            return _hashed(self.identity, what, problem)
        pictures = [picture.key for picture in request.pictures]
        return _hashed(self.identity, what, problem, pictures, request.text, request.attempt)

    def _answers(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """Whether the stand-in knows the answer; a part may also be guessed."""
        accuracy = self._accuracy(ANSWER, request, witness)
        if fact.startswith(ANSWER):
            return true == (self.dice(ANSWER, request, witness) < accuracy)
        luck = float(witness.tags.get("chance", 0.0))
        knows = self.dice(ANSWER, request, witness) < max(0.0, (accuracy - luck) / (1.0 - luck))
        return true == (knows or self.dice(fact, request, witness) < 0.5)

    def _accuracy(self, what: str, request: Request, witness: Witness) -> float:
        world, level = witness.tags.get("world", ""), witness.tags.get("level", "")
        # GPT-5.2 was not run with chain of thought: use its rates without.
        known = (self._rates.get((world, cot, level, what)) for cot in (request.cot, False))
        accuracy = next((rate for rate in known if rate is not None), None)
        if accuracy is None and what == IN_VIEW:
            accuracy = self._best(world, level, request.cot)
        if accuracy is None:
            raise ValueError(f"the paper has no accuracy of {self.identity} for {what} in {world} {level}")
        return accuracy

    def _best(self, world: str, level: str, cot: bool) -> float | None:
        """The accuracy about what the model sees best: an assumption, since the paper did not ask what is in view."""
        rated = [rate for key, rate in self._rates.items() if key[:3] == (world, cot, level)]
        return max(rated, default=self._best(world, level, False) if cot else None)


IN_VIEW = "visible"
"""What facts begin with that say that something is in view."""
THE_WAY = f"{ANSWER} the way"
"""The fact that the stand-in knows what to do although no picture shows it."""
SIGHT = "sight"
"""The name of a stand-in for no real model: the user states its accuracy."""


class Sight:
    """Eyes with one accuracy for everything in view, independent for each picture and question."""

    def __init__(self, accuracy: float, seed: int = 0) -> None:
        self.accuracy = accuracy
        self.identity = f"{SIGHT} {accuracy:g}, seed {seed}"

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """The truth or, at the error rate, its opposite; `ValueError` for what no single picture shows."""
        if fact == THE_WAY:
            raise ValueError(f"{self.identity} perceives only what is in view")
        pictures = [picture.key for picture in request.pictures]
        wrong = _hashed(self.identity, pictures, fact, request.attempt) >= self.accuracy
        return true != wrong


def _hashed(*facts: object) -> float:
    return int.from_bytes(hashlib.sha256(json.dumps(facts).encode()).digest()[:7]) / 2**56


def chance(identity: str, request: Request, what: str) -> float:
    """A number in [0, 1), deterministic for a picture and a question.

    It depends on the wording, so a note about an earlier failure changes it. For planning requests, whose wording
    changes with every step, it depends on picture and fact only. An intentional repetition also changes it.
    """
    wording = request.text if request.kind is Kind.YES_NO else ""
    facts: list[object] = [identity, [picture.key for picture in request.pictures], wording, what]
    if request.attempt:
        facts.append(request.attempt)
    return _hashed(*facts)
