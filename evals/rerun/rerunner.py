"""Play recorded episodes again with changes from a step on, into a run directory."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from envs.base import Question, Task
from evals.judges.changes import Changeable, RerunContext, RerunSetup
from evals.rerun.answering import Rerouted, Unasked
from evals.rerun.changes import Change
from evals.rerun.situations import changeable, restore
from evals.rerun.tape import Tape
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.judging import Judge
from evals.run.runner import Runner, Setup, model_for, play_episode
from evals.run.trace import Record, Recorder
from evals.run.watching import watched
from models.base import Model
from models.cache import AnswerCache, CachedModel
from models.limited import LimitedModel
from tools.events import Event


@dataclass(frozen=True)
class Rerun:
    """An episode to be played again: as recorded up to a step, then changed. `seed` reseeds chance from there."""

    episode: Episode
    records: Sequence[Record]
    step: int
    change: Change
    seed: int | None = None

    @property
    def limit(self) -> int:
        """The step limit; another agent has the remaining steps."""
        limit = self.episode.step_limit * self.change.patience
        return limit - self.step if self.change.agent else limit

    @property
    def played(self) -> Episode:
        """The episode to play."""
        name = self.episode.id if self.seed is None else f"{self.episode.id}.{self.seed}"
        return replace(self.episode, id=name, step_limit=self.limit)


class Rerunner(Runner):
    """Plays reruns. The model is asked only with `ask`.

    `others` has another episode for each, to borrow pictures from.
    """

    def __init__(
        self,
        setup: Setup,
        run: RunDirectory,
        cache: AnswerCache | None,
        reruns: Sequence[Rerun],
        *,
        ask: bool = True,
        others: Mapping[str, Episode] | None = None,
    ) -> None:
        super().__init__(setup, run, cache)
        self._reruns: Mapping[str, Rerun] = {rerun.played.id: rerun for rerun in reruns}
        self._ask = ask
        self._others = others or {}

    async def played(self, episode: Episode) -> tuple[Judge, list[Record]]:
        """The judge and the records of one rerun; `RecordMismatch` if it deviates before its step."""
        rerun = self._reruns[episode.id]
        task, judge = self.setup.open(rerun.episode, self._pictures)
        fresh = bool(rerun.change.agent)
        tape = Tape((), 0) if fresh else Tape(rerun.records, rerun.step)
        if fresh:
            restore(judge, rerun.records, rerun.step)
        changed = await changeable(judge).changed(self._again(rerun, tape, task))
        judge = changed.judge or judge
        tape.rewritten = changed.rewritten
        recorder = Recorder(None if isinstance(task, Question) else self.run.trace(episode.id), judge)
        model = self._model(rerun, tape, judge, changed)
        model, record = watched(self.setup.watches, self.run, episode, model, recorder)
        try:
            telling = _recording(record, recorder, tape, changeable(judge), rerun.seed)
            setup = self._rules(rerun, changed)
            await play_episode(setup, episode, changed.task, judge, model, telling, keep=self._keeper(model))
        finally:
            recorder.close()
        if tape.mismatch:
            raise tape.mismatch
        if isinstance(task, Question):
            self.run.add_item(episode.id, recorder.records)
        return judge, recorder.records

    def _again(self, rerun: Rerun, tape: Tape, task: Task) -> RerunContext:
        def at_step() -> Judge:
            _, judge = self.setup.open(rerun.episode, self._pictures)
            restore(judge, rerun.records, rerun.step)
            return judge

        def other() -> Judge:
            if rerun.episode.id not in self._others:
                raise ValueError(f"{rerun.episode.id} is alone in its split: there is no other problem to borrow from")
            return self.setup.open(self._others[rerun.episode.id], self._pictures)[1]

        return RerunContext(
            changes=rerun.change.names,
            records=rerun.records,
            step=tape.until,
            limit=rerun.limit,
            progress=tape,
            task=task,
            model=self.setup.model,
            planner=self.setup.planner,
            profile=self.setup.rules.profile,
            at_step=at_step,
            other=other,
            seed=rerun.seed or 0,
        )

    def _rules(self, rerun: Rerun, changed: RerunSetup) -> Setup:
        rules = self.setup.rules
        if rerun.change.patience > 1:
            rules = replace(rules, conduct=rules.conduct.patient, parsing=rules.profile, reask=rules.asks_again)
        if rules is self.setup.rules and changed.planner is self.setup.planner:
            return self.setup  # a new setup would rebuild the graph
        return replace(self.setup, planner=changed.planner, rules=rules)

    def _model(self, rerun: Rerun, tape: Tape, judge: Judge, changed: RerunSetup) -> Model:
        own = changed.model or model_for(self.setup, rerun.episode, judge)
        model: Model = LimitedModel(own, self._requests, cache=self._cache) if self._ask else Unasked(own)
        if self._cache is not None:
            model = CachedModel(model, self._cache)
        fresh = changed.fresh or bool(rerun.change.model)
        return Rerouted(model, tape, changed.answer, fresh=fresh, looks=model.looks and self._ask)


def _recording(
    record: Callable[[Event], None], recorder: Recorder, tape: Tape, judge: Changeable, seed: int | None
) -> Callable[[Event], None]:
    """Records events and passes them to the tape; once the rerun is free, the judge is reseeded."""
    waiting = [] if seed is None else [seed]

    def reseed() -> None:
        if waiting and tape.free:
            judge.reseed(waiting.pop())

    def tell(event: Event) -> None:
        record(event)
        tape.follow(recorder.records[-1])
        reseed()

    reseed()
    return tell
