"""Plays recorded episodes again, from a step on otherwise; each into a run directory like any other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

from envs.base import Rewindable, World
from evals.counterfactual.answering import Rerouted, Silent
from evals.counterfactual.changes import PATIENCE, Change, Faculty
from evals.counterfactual.hands import SureHands
from evals.counterfactual.planning import Knowing, Sensible
from evals.counterfactual.situations import plan_in_hand, restore
from evals.counterfactual.tape import Tape
from evals.episodes import Episode
from evals.run_directory import RunDirectory
from evals.runner import Crowded, Runner, Setup, model_for, play_episode
from evals.trace import Record, Recorder
from models.base import Model
from models.cache import AnswerCache, CachedModel
from models.oracle import PerfectEyes
from models.sim import StandIn
from planners.outcome import Planner
from planners.task import Step, Task
from tools.events import Event
from tools.toolbox import Conduct


@dataclass(frozen=True)
class Rerun:
    """An episode to be played again: as recorded up to a step, then otherwise. `seed` is another course of chance."""

    episode: Episode
    records: Sequence[Record]
    step: int
    change: Change
    seed: int | None = None

    @property
    def limit(self) -> int:
        """How many steps it may take; a fresh agent has those that were left."""
        limit = self.episode.step_limit * (PATIENCE if Faculty.PROTOCOL in self.change.perfect else 1)
        return limit - self.step if self.change.agent else limit

    @property
    def played(self) -> Episode:
        """The episode as it is played now."""
        name = self.episode.id if self.seed is None else f"{self.episode.id}.{self.seed}"
        return replace(self.episode, id=name, step_limit=self.limit)


class Rerunner(Runner):
    """A run of reruns. A model that may cost something is asked only if `ask` says so."""

    def __init__(
        self, setup: Setup, run: RunDirectory, cache: AnswerCache | None, reruns: Sequence[Rerun], *, ask: bool = True
    ) -> None:
        super().__init__(setup, run, cache)
        self._reruns: Mapping[str, Rerun] = {rerun.played.id: rerun for rerun in reruns}
        self._ask = ask

    async def played(self, episode: Episode) -> list[Record]:
        """The records of one rerun; `Parted` if it could not be brought to its step."""
        rerun = self._reruns[episode.id]
        world, tape = rerun.episode.open(self._pictures), _tape(rerun)
        if rerun.change.agent:
            restore(world, rerun.records, rerun.step)
        if Faculty.ACTIONS in rerun.change.perfect:
            world = cast(World, SureHands(world, lambda: tape.free))
        recorder = Recorder(self.run.trace(episode.id), world)
        tell = _Teller(recorder, tape, world, rerun.seed)
        try:
            setup = replace(self._rules(rerun), planner=await self._planner(rerun, tape, world))
            await play_episode(setup, episode, world, self._model(rerun, tape, world), tell)
        finally:
            recorder.close()
        if tape.parted:
            raise tape.parted
        return recorder.records

    def _rules(self, rerun: Rerun) -> Setup:
        if Faculty.PROTOCOL not in rerun.change.perfect:
            return self.setup
        return replace(self.setup, conduct=Conduct.PATIENT, parsing=self.setup.profile)

    def _model(self, rerun: Rerun, tape: Tape, world: World) -> Model:
        own = model_for(self.setup, rerun.episode, world)
        model: Model = Crowded(own, self._requests) if self._ask else Silent(own)
        if self._cache is not None:
            model = CachedModel(model, self._cache)
        oracle = model_for(replace(self.setup, model=StandIn(PerfectEyes(), name="oracle")), rerun.episode, world)
        return Rerouted(
            tape,
            rerun.change,
            model,
            oracle,
            signatures=world.signatures,
            profile=self.setup.profile,
            looks=model.looks and self._ask,
        )

    async def _planner(self, rerun: Rerun, tape: Tape, world: World) -> Planner:
        usual, perfect, faculties = self.setup.planner, self.setup.stand_in_planner, rerun.change.perfect
        if Faculty.KNOWLEDGE in faculties:
            in_hand = plan_in_hand(rerun.records, tape.until)
            knowing = Knowing(usual, perfect, lambda task: replace(task, init=world.truth()), tape, in_hand)
            return replace(knowing, rest=await self._best(rerun)) if knowing.in_hand else knowing
        if Faculty.PLANNING in faculties:
            return Sensible(usual, perfect, tape, rerun.limit)
        return usual

    async def _best(self, rerun: Rerun) -> tuple[Step, ...]:
        """What a perfect planner would do from the moment at which things may go otherwise."""
        world = rerun.episode.open(self._pictures)
        restore(world, rerun.records, rerun.step)
        task = Task(world.domain, world.objects, world.truth(), world.goal)
        return (await self.setup.stand_in_planner.plan(task)).checked().plan


def _tape(rerun: Rerun) -> Tape:
    if rerun.change.agent:
        return Tape((), 0)
    rewritten = Faculty.KNOWLEDGE in rerun.change.perfect and plan_in_hand(rerun.records, rerun.step) is not None
    return Tape(rerun.records, rerun.step, rewritten=rewritten)


class _Teller:
    """Writes events down and has the tape hear them; where things may go otherwise, chance may too."""

    def __init__(self, recorder: Recorder, tape: Tape, world: World, seed: int | None) -> None:
        self._recorder, self._tape, self._world, self._seed = recorder, tape, world, seed
        self._reseed()

    def __call__(self, event: Event) -> None:
        self._recorder(event)
        self._tape.hear(self._recorder.records[-1])
        self._reseed()

    def _reseed(self) -> None:
        if self._seed is not None and self._tape.free and isinstance(self._world, Rewindable):
            self._world.reseed(self._seed)
            self._seed = None
