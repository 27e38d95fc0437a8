"""A stand-in for a real model, made up from its published error rates. Every number it leads to is simulated.

    sim:gpt-4.1                 answers as often right as the paper found GPT-4.1 to be, per predicate and split
    sim:gpt-4.1?blunder=0.3     as a planner it also takes a random action instead of its own, three times in ten
    sim:gpt-4.1?seed=7          other mistakes at the same rates

The rates are tables 16 to 19 of the ViPlan paper: enumeration accuracy per predicate, whatever the true value.
The same picture and question always get the same answer, as at temperature 0. What the right reply is, to somebody
with these eyes, is for the episode's witness to say. As a planner the stand-in plans optimally from what it perceives,
so its mistakes are those of its eyes plus the stated blunders: it says nothing about how well the real model plans.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

from models.base import Kind, Options, Reply, Request, Witness
from planners.names import unknown

USAGE = "sim:NAME[?blunder=P&seed=N]   SIMULATED from the published error rates of NAME, e.g. sim:gpt-4.1"
BLUNDER = 0.1

Rates = Mapping[tuple[str, bool, str, str], float]
"""(world, cot, level, what the fact is about) to accuracy."""


@cache
def published() -> dict[str, Rates]:
    """The accuracies of every model of the paper, by its name in lower case with dashes."""
    rates: dict[str, dict[tuple[str, bool, str, str], float]] = {}
    with (Path(__file__).parent / "published_accuracy.csv").open(encoding="utf-8") as lines:
        for row in csv.DictReader(lines):
            name = row["model"].lower().replace(" ", "-")
            key = (row["domain"], row["cot"] == "yes", row["split"], row["predicate"])
            rates.setdefault(name, {})[key] = float(row["accuracy"])
    return dict(rates)


class Eyes(Protocol):
    """How a stand-in perceives: whether it takes a fact to be true, given the truth."""

    identity: str

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool: ...


class PublishedEyes:
    """Eyes that are wrong as often as the paper found a model to be."""

    def __init__(self, name: str, seed: int = 0) -> None:
        if name not in published():
            raise unknown("published model", name, tuple(published()))
        self.identity = f"{name}, seed {seed}"
        self._rates = published()[name]

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """The truth, or its opposite where the dice for this picture and question say so."""
        world, level, what = witness.tags.get("world", ""), witness.tags.get("level", ""), fact.partition(" ")[0]
        # GPT-5.2 was not run with chain of thought: what is known of it without has to do.
        known = (self._rates.get((world, cot, level, what)) for cot in (request.cot, False))
        accuracy = next((rate for rate in known if rate is not None), None)
        if accuracy is None:
            raise ValueError(f"the paper has no accuracy of {self.identity} for {what} in {world} {level}")
        wrong = chance(self.identity, request, fact) >= accuracy
        return true != wrong


def chance(identity: str, request: Request, what: str) -> float:
    """A number in [0, 1) that is the same whenever the same is asked of the same picture.

    The question's wording counts, so a note of an earlier failure throws the dice anew; planning requests, whose
    wording changes with every step, differ by picture and fact alone. So does asking once more on purpose.
    """
    wording = request.text if request.kind is Kind.YES_NO else ""
    facts: list[object] = [identity, [picture.key for picture in request.pictures], wording, what]
    if request.attempt:
        facts.append(request.attempt)
    return int.from_bytes(hashlib.sha256(json.dumps(facts).encode()).digest()[:7]) / 2**56


class StandIn:
    """A model that answers from eyes and the episode's witness instead of weights."""

    looks = False
    cacheable = True
    kinds = frozenset({Kind.YES_NO, Kind.CHOICE, Kind.NUMBER, Kind.PLAN, Kind.ACTION})
    """What it can stand in for: whatever has a right answer that can be computed."""

    def __init__(self, eyes: Eyes, *, blunder: float = 0.0, simulated: bool = True, name: str = "sim") -> None:
        self.eyes = eyes
        self.blunder = blunder
        self.simulated = simulated
        self.identity = f"{name}:{eyes.identity}, blunder {blunder:g}"

    def for_episode(self, witness: Witness) -> Answering:
        """The stand-in in one episode, with access to its truth."""
        return Answering(self, witness)

    async def ask(self, request: Request) -> Reply:
        """Nothing: without an episode there is nothing to perceive."""
        raise RuntimeError(f"{self.identity} has to be told of an episode first: call for_episode")


class Answering:
    """A stand-in that knows which episode it is in."""

    kinds = StandIn.kinds

    def __init__(self, model: StandIn, witness: Witness) -> None:
        self.looks = model.looks
        self.simulated = model.simulated
        self.cacheable = model.cacheable
        tags = witness.tags
        self.identity = f"{model.identity}, {tags.get('world', '')} {tags.get('level', '')}"
        self._model = model
        self._witness = witness

    async def ask(self, request: Request) -> Reply:
        """What the witness says is right for somebody who perceives and decides like this."""
        said = await self._witness.right(request, Fallible(self._model, self.identity, request, self._witness))
        if request.kind is Kind.YES_NO and request.cot:
            return Reply(f"<explanation>Simulated.</explanation>\n<answer>{said}</answer>")
        return Reply(said)


class Fallible:
    """The mind of a stand-in in one reply."""

    def __init__(self, model: StandIn, identity: str, request: Request, witness: Witness) -> None:
        self._model, self._identity, self._request, self._witness = model, identity, request, witness

    def sees(self, fact: str, true: bool) -> bool:
        """Whether the eyes take a fact to be true."""
        return self._model.eyes.sees(fact, true, self._request, self._witness)

    def blunders(self) -> bool:
        """Whether the dice have it decide at random."""
        return chance(self._identity, self._request, "blunder" + self._request.text) < self._model.blunder

    def pick(self, count: int) -> int:
        """A number below `count`, the same whenever the same is asked."""
        return int(chance(self._identity, self._request, "which" + self._request.text) * count)


def names() -> list[str]:
    """The models of the paper."""
    return sorted(published())


def load(rest: str, options: Options) -> StandIn:
    """The model for what stands behind `sim:`."""
    strange = set(options) - {"blunder", "seed"}
    if strange:
        raise unknown("option of sim", strange.pop(), ("blunder", "seed"))
    try:
        blunder = float(options.get("blunder", BLUNDER))
    except ValueError:
        blunder = -1.0
    if not 0.0 <= blunder <= 1.0:
        raise ValueError(f"sim: blunder is a probability, between 0 and 1, not {options['blunder']!r}")
    try:
        seed = int(options.get("seed", 0))
    except ValueError:
        raise ValueError(f"sim: seed is a whole number, not {options['seed']!r}") from None
    return StandIn(PublishedEyes(rest or "gpt-4.1", seed), blunder=blunder)
