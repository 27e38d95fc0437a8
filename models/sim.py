"""Simulates a real model from its published error rates. Every result of it is simulated.

    sim:gpt-4.1                 is right as often as GPT-4.1 was in the paper, per predicate and split
    sim:gpt-4.1?blunder=0.3     as a planner, also replaces 30 % of its actions by random ones
    sim:gpt-4.1?seed=7          other mistakes at the same rates
    sim:sight?accuracy=0.9      no real model: sees what is in view with this accuracy, and knows nothing else
    sim:gemini-3-pro-preview?errors=fresh   on a question set: errors are independent for each wording and picture

The rates are tables 16 to 19 of the ViPlan paper: enumeration accuracy per predicate, whatever the true value; and for
question sets the published accuracy per category. The same picture and question always get the same answer, as at
temperature 0. The episode's witness computes the reply from what the stand-in perceives. As a planner,
the stand-in plans optimally from what it perceives, so its mistakes are errors of perception plus the stated blunders:
it says nothing about how well the real model plans.

On a question set, the stand-in either knows the answer to a question or does not. With `errors=shared`, the default,
this does not depend on the wording; with `errors=fresh` it is decided for each wording and picture; a number between 0
and 1 is the share of questions with shared errors. A yes/no question about a part of the question is answered correctly
if the stand-in knows the answer, else half of the time.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

from models.base import Kind, Options, Reply, Request, Unanswerable, Witness, asks_known_text
from planners.names import unknown

USAGE = "sim:NAME[?blunder=P&seed=N&errors=fresh]   SIMULATED from the published error rates of NAME, e.g. sim:gpt-4.1"
BLUNDER = 0.1
DEFAULT = "gpt-4.1"

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

    `shared` is the share of questions (of question sets) whose errors do not depend on how they are asked.
    """

    def __init__(self, name: str, seed: int = 0, shared: float = 1.0) -> None:
        if name not in published():
            raise unknown("published model", name, tuple(published()))
        self.identity = f"{name}, seed {seed}" + (f", {shared:g} of errors shared" if shared < 1.0 else "")
        self._rates = published()[name]
        self._shared = shared

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """The truth or, at the error rate, its opposite; deterministic for a picture and question."""
        what = fact.partition(" ")[0]
        if what in (ANSWER, PART):
            return self._answers(fact, true, request, witness)
        accuracy = self._accuracy(what, request, witness)
        wrong = chance(self.identity, request, fact) >= accuracy
        return true != wrong

    def rated(self, witness: Witness) -> bool:
        """Whether an accuracy of the model is published for questions of this kind."""
        world, level = witness.tags.get("world", ""), witness.tags.get("level", "")
        return (world, False, level, ANSWER) in self._rates

    def dice(self, what: str, request: Request, witness: Witness) -> float:
        """A number in [0, 1) for a question; if errors are shared, it does not depend on how the question is asked."""
        problem = witness.tags.get("problem", "")
        if _hashed(self.identity, "shared?", problem) < self._shared:
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


KNOWING = frozenset(set(Kind) - {Kind.TOOLS, Kind.TEXT})
"""The kinds of reply that have a right one which can be computed."""
PERCEIVING = KNOWING - {Kind.DOMAIN}
"""Those that go wrong only by what is seen: nothing is published about how models write actions."""


class StandIn:
    """A simulated model: replies are computed from its eyes and the episode's witness."""

    looks = False
    cacheable = True

    def __init__(
        self,
        eyes: Eyes,
        *,
        blunder: float = 0.0,
        simulated: bool = True,
        name: str = "sim",
        kinds: frozenset[Kind] = PERCEIVING,
    ) -> None:
        self.eyes = eyes
        self.kinds = kinds
        self.blunder = blunder
        self.simulated = simulated
        self.identity = f"{name}:{eyes.identity}, blunder {blunder:g}"

    def for_episode(self, witness: Witness) -> Answering:
        """The stand-in in one episode, with access to its truth."""
        return Answering(self, witness)

    async def ask(self, request: Request) -> Reply:
        """Raise: without an episode there is nothing to perceive."""
        raise RuntimeError(f"{self.identity} is not bound to an episode: call for_episode first")


class Answering:
    """A stand-in that is bound to an episode."""

    def __init__(self, model: StandIn, witness: Witness) -> None:
        self.kinds = model.kinds
        self.looks = model.looks
        self.simulated = model.simulated
        self.cacheable = model.cacheable
        tags = witness.tags
        self.identity = f"{model.identity}, {tags.get('world', '')} {tags.get('level', '')}"
        self._model = model
        self._witness = witness

    async def ask(self, request: Request) -> Reply:
        """The witness's reply for this mind."""
        if request.kind not in self.kinds and not asks_known_text(request):
            raise Unanswerable(f"{self.identity} cannot stand in for a model that writes a {request.kind}")
        reply = await self._witness.right(request, Fallible(self._model, self.identity, request, self._witness))
        if request.kind is Kind.YES_NO and request.cot:
            return Reply(f"<explanation>Simulated.</explanation>\n<answer>{reply}</answer>")
        return Reply(reply)


class Fallible:
    """The mind of a stand-in in one reply."""

    def __init__(self, model: StandIn, identity: str, request: Request, witness: Witness) -> None:
        self._model, self._identity, self._request, self._witness = model, identity, request, witness

    def sees(self, fact: str, true: bool) -> bool:
        """Whether the eyes perceive a fact as true."""
        return self._model.eyes.sees(fact, true, self._request, self._witness)

    def blunders(self) -> bool:
        """Whether it decides at random. Never where an accuracy is published, which includes blunders."""
        share = self._model.blunder
        if share < 1.0 and self._published is not None:
            return False
        return chance(self._identity, self._request, "blunder" + self._request.text) < share

    def pick(self, count: int) -> int:
        """A number below `count`, deterministic for a picture and a question."""
        if self._model.blunder < 1.0 and self._published is not None:
            return int(self._published.dice("which", self._request, self._witness) * count)
        return int(chance(self._identity, self._request, "which" + self._request.text) * count)

    @property
    def _published(self) -> PublishedEyes | None:
        """The eyes, if an accuracy is published for questions of this kind."""
        eyes = self._model.eyes
        return eyes if isinstance(eyes, PublishedEyes) and eyes.rated(self._witness) else None


def names() -> list[str]:
    """The models of the papers, and eyes of a stated accuracy."""
    return sorted((*published(), SIGHT))


def check_published(spec: str, worlds: Iterable[str]) -> None:
    """`ValueError` if a simulated model lacks published rates for a world for which other models have them."""
    provider, _, rest = spec.partition(":")
    if provider != "sim":
        return
    name = rest.partition("?")[0] or DEFAULT
    for world in worlds:
        rated = [model for model, rates in published().items() if any(key[0] == world for key in rates)]
        if rated and name not in rated and name != SIGHT:
            raise unknown(f"published model of {world}", name, rated)


def load(rest: str, options: Options) -> StandIn:
    """Load the model of a spec that starts with `sim:`."""
    possible = ("accuracy", "blunder", "seed") if rest == SIGHT else ("blunder", "seed", "errors")
    strange = set(options) - set(possible)
    if strange:
        raise unknown("option of sim", strange.pop(), possible)
    blunder = _share(options.get("blunder", str(BLUNDER)))
    if blunder is None:
        raise ValueError(f"sim: blunder is a probability, between 0 and 1, not {options['blunder']!r}")
    errors = options.get("errors", "shared")
    shared = _share({"shared": "1", "fresh": "0"}.get(errors, errors))
    if shared is None:
        raise ValueError(f"sim: errors are fresh, shared or a number between 0 and 1, not {errors!r}")
    try:
        seed = int(options.get("seed", 0))
    except ValueError:
        raise ValueError(f"sim: seed is a whole number, not {options['seed']!r}") from None
    if rest == SIGHT:
        accuracy = _share(options.get("accuracy", "0.9"))
        if accuracy is None:
            raise ValueError(f"sim: accuracy is a probability, between 0 and 1, not {options['accuracy']!r}")
        return StandIn(Sight(accuracy, seed), blunder=blunder if "blunder" in options else 0.0)
    return StandIn(PublishedEyes(rest or DEFAULT, seed, shared), blunder=blunder)


def _share(text: str) -> float | None:
    """A number between 0 and 1; None for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0.0 <= number <= 1.0 else None
