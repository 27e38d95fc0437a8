"""A stand-in for a real model, made up from its published error rates. Every number it leads to is simulated.

    sim:gpt-4.1                 answers as often right as the paper found GPT-4.1 to be, per predicate and split
    sim:gpt-4.1?blunder=0.3     as a planner it also takes a random action instead of its own, three times in ten
    sim:gpt-4.1?seed=7          other mistakes at the same rates

The rates are tables 16 to 19 of the ViPlan paper: enumeration accuracy per predicate, whatever the true value.
The same picture and question always get the same answer, as at temperature 0. As a planner the stand-in plans
optimally from what it perceives, so its mistakes are those of its eyes plus the stated blunders: it says nothing
about how well the real model plans. What is out of view it knows, as if it had been told all and forgot nothing.
"""

from __future__ import annotations

import csv
import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Protocol

from models.base import Kind, ModelUnavailable, Options, Reply, Request, Witness
from planners.formula import Atom
from planners.names import unknown
from planners.outcome import PlanOutcome, Status
from planners.task import Step, Task

USAGE = "sim:NAME[?blunder=P&seed=N]   SIMULATED from the published error rates of NAME, e.g. sim:gpt-4.1"
BLUNDER = 0.1

Rates = Mapping[tuple[str, bool, str, str], float]
"""(domain, cot, split, predicate) to accuracy."""


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
    """How a stand-in perceives: whether it takes an atom to be true, given the truth."""

    identity: str

    def sees(self, atom: Atom, true: bool, request: Request, witness: Witness) -> bool: ...


class PublishedEyes:
    """Eyes that are wrong as often as the paper found a model to be."""

    def __init__(self, name: str, seed: int = 0) -> None:
        if name not in published():
            raise unknown("published model", name, tuple(published()))
        self.identity = f"{name}, seed {seed}"
        self._rates = published()[name]

    def sees(self, atom: Atom, true: bool, request: Request, witness: Witness) -> bool:
        """The truth, or its opposite where the dice for this picture and question say so."""
        key = (witness.world, request.cot, witness.split, atom.predicate)
        # GPT-5.2 was not run with chain of thought: what is known of it without has to do.
        accuracy = self._rates.get(key, self._rates.get((key[0], False, *key[2:])))
        if accuracy is None:
            raise ValueError(
                f"the paper has no accuracy of {self.identity} for {atom.predicate} in {witness.world} {witness.split}"
            )
        wrong = chance(self.identity, request, str(atom)) >= accuracy
        return true != wrong


def chance(identity: str, request: Request, what: str) -> float:
    """A number in [0, 1) that is the same whenever the same is asked of the same picture.

    The question's wording counts, so a note of an earlier failure throws the dice anew; planning requests, whose
    wording changes with every step, are told apart by picture and fact alone.
    """
    wording = request.text if request.kind is Kind.YES_NO else ""
    facts = json.dumps([identity, [picture.key for picture in request.pictures], wording, what])
    return int.from_bytes(hashlib.sha256(facts.encode()).digest()[:7]) / 2**56


class StandIn:
    """A model that answers from eyes and a planner instead of weights."""

    looks = False
    cacheable = True

    def __init__(self, eyes: Eyes, *, blunder: float = 0.0, simulated: bool = True, name: str = "sim") -> None:
        self.eyes = eyes
        self.blunder = blunder
        self.simulated = simulated
        self.identity = f"{name}:{eyes.identity}, blunder {blunder:g}"

    def for_episode(self, witness: Witness) -> Answering:
        """The stand-in in one episode, whose truth it is told."""
        return Answering(self, witness)

    async def ask(self, request: Request) -> Reply:
        """Nothing: without an episode there is nothing to perceive."""
        raise RuntimeError(f"{self.identity} has to be told of an episode first: call for_episode")


class Answering:
    """A stand-in that knows which episode it is in."""

    def __init__(self, model: StandIn, witness: Witness) -> None:
        self.looks = model.looks
        self.simulated = model.simulated
        self.cacheable = model.cacheable
        self.identity = f"{model.identity}, {witness.world} {witness.split}"
        self._model = model
        self._witness = witness

    async def ask(self, request: Request) -> Reply:
        """Yes or no for a fact, or a plan for what is perceived."""
        if request.kind is Kind.YES_NO:
            return self._answer(request)
        outcome = await self._plan(request)
        if outcome.status in (Status.ERROR, Status.TIMEOUT):
            raise ModelUnavailable(f"the stand-in could not plan: {outcome.status} {outcome.message}".rstrip())
        steps = list(outcome.plan) if outcome.plan else [self._random_step(request)]
        if chance(self.identity, request, "blunder" + request.text) < self._model.blunder:
            steps[0] = self._random_step(request)
        return Reply(self._written(steps, request))

    def _answer(self, request: Request) -> Reply:
        if request.about is None:
            raise ModelUnavailable(f"{self.identity} answers questions about facts; this one names none")
        truth = self._witness.truth()
        said = "Yes" if self._model.eyes.sees(request.about, request.about in truth, request, self._witness) else "No"
        return Reply(f"<explanation>Simulated.</explanation>\n<answer>{said}</answer>" if request.cot else said)

    async def _plan(self, request: Request) -> PlanOutcome:
        witness = self._witness
        truth, visible = witness.truth(), witness.visible()
        atoms = frozenset(
            atom for atom in witness.domain.atoms(witness.objects) if visible is None or visible.issuperset(atom.args)
        )
        seen = {atom for atom in atoms if self._model.eyes.sees(atom, atom in truth, request, witness)}
        seen |= truth - atoms
        return await witness.planner.plan(Task(witness.domain, witness.objects, frozenset(seen), witness.goal))

    def _random_step(self, request: Request) -> Step:
        actions = self._witness.domain.actions.values()
        steps = [
            Step(action.name, tuple(binding.values()))
            for action in actions
            for binding in self._witness.objects.bindings(action.parameters)
        ]
        return steps[int(chance(self.identity, request, "which" + request.text) * len(steps))]

    def _written(self, steps: list[Step], request: Request) -> str:
        names = self._witness.signatures
        actions = [
            {"action": step.action, "parameters": dict(zip(names[step.action], step.args, strict=True))}
            for step in steps
        ]
        content = {"plan": actions} if request.kind is Kind.PLAN else {"action": actions[0]}
        return json.dumps({"explanation": "Simulated.", **content} if request.cot else content)


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
