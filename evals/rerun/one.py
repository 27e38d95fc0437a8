"""One episode played again: checked, played, and told."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.pages.wording import plural, spaced
from evals.report import write_report
from evals.rerun.changes import Change
from evals.rerun.differences import Difference, first_other_action, first_other_answer
from evals.rerun.options import Rerunning, rerunning
from evals.rerun.originals import Original, as_recorded
from evals.rerun.rerunner import Rerun
from evals.rerun.situations import steps_of
from evals.rerun.stage import Stage, print_needs, run_to_end
from evals.run.directory import RunDirectory
from evals.run.results import EpisodeResult
from evals.run.statistics import wilson
from evals.run.trace import Record


@dataclass(frozen=True)
class Wanted:
    """What was asked for, checked against the record."""

    original: Original
    episode: str
    records: Sequence[Record]
    step: int
    change: Change
    seeds: int

    @classmethod
    def of(cls, arguments: Mapping[str, Any], original: Original) -> Wanted:
        """What the options say; `ValueError` if the record cannot give it."""
        change = Change.of(arguments["with"] or (), original.judging)
        if arguments["episode"] is None:
            raise ValueError("--episode: say which episode is to be played again")
        episode = original.result(arguments["episode"]).id
        records = original.records(episode)
        wanted = cls(original, episode, records, arguments["from_step"], change, arguments["seeds"])
        wanted.check()
        return wanted

    def check(self) -> None:
        """Raise if there is nothing to play."""
        steps = steps_of(self.records)
        if not 0 <= self.step <= steps:
            raise ValueError(f"--from-step {self.step}: {self.episode} has {plural(steps, 'step')}, so 0 to {steps}")
        if self.seeds < 1:
            raise ValueError(f"--seeds has to be more than 0, not {self.seeds}")

    def check_sense(self, stage: Stage) -> None:
        """Raise if the changes make no sense for this record."""
        if self.change.agent or self.change.model:
            return
        reason = stage.judge(self.episode).unfit(self.records, self.change.names, self.original.settings.agent)
        if reason:
            raise ValueError(reason)

    @property
    def out(self) -> Path:
        """Where the rerun goes unless told otherwise: the same place for the same rerun."""
        seeds = f"-{self.seeds}-seeds" if self.seeds > 1 else ""
        name = f"{self.episode}-{self.step}-{self.change}{seeds}"
        safe = "".join(char if char.isalnum() or char in "-_.+" else "_" for char in name)[:120]
        return self.original.run.path / "reruns" / safe

    @property
    def command(self) -> str:
        """The command that asks for it."""
        words = ["python", "-m", "evals.rerun", str(self.original.run.path), "--episode", self.episode]
        for change in self.change.words:
            words += ["--with", change]
        words += ["--from-step", str(self.step)] if self.step else []
        return shlex.join([*words, *(["--seeds", str(self.seeds)] if self.seeds > 1 else [])])

    def reruns(self, stage: Stage) -> list[Rerun]:
        """What to play: chance as it was going on, and in other courses."""
        episode = as_recorded(stage.episode(self.episode), self.records)
        found = [Rerun(episode, self.records, self.step, self.change, seed or None) for seed in range(self.seeds)]
        if found[0].limit < 1:
            raise ValueError(f"--from-step {self.step}: no steps are left for {self.change.agent}")
        return found


def rerun(arguments: Mapping[str, Any]) -> int:
    """Play it and say what came of it; the exit code."""
    options = rerunning(arguments)
    original = Original.open(arguments["run"], options)
    if arguments["with"] == ["list"]:
        return _print_changes(original)
    wanted = Wanted.of(arguments, original)
    with ExitStack() as end:
        stage = Stage.open(original, wanted.change, options, end)
        wanted.check_sense(stage)
        return _rerun(wanted, stage, options, end)


def _rerun(wanted: Wanted, stage: Stage, options: Rerunning, end: ExitStack) -> int:
    reruns = wanted.reruns(stage)
    out = options.out or wanted.out
    if stage.needs is not None:
        out = Path(end.enter_context(TemporaryDirectory())) / "rerun"
    facts = {"episode": wanted.episode, "from_step": wanted.step, "seeds": wanted.seeds}
    splits = {rerun.episode.split for rerun in reruns}
    run = stage.directory(out, wanted.change, wanted.command, splits, **facts)
    end.callback(run.close)
    stage = stage.remembering(out, options.cache, end)
    stopped = _play(stage, run, reruns)
    if stage.needs is not None:
        return print_needs(stage.needs, stage.settings.model, as_json=options.json_)
    return stopped or _conclude(wanted, stage, run, as_json=options.json_)


def _print_changes(original: Original) -> int:
    for name, meaning in original.judging.changes.items():
        print(f"{name:16} {meaning}")
    print(f"{'model:SPEC':16} another model answers")
    print(f"{'agent:NAME':16} another agent takes over the task as it is, with the steps that are left")
    return 0


def _play(stage: Stage, run: RunDirectory, reruns: Sequence[Rerun]) -> int:
    """Play what has not been played; the exit code if that was stopped."""

    async def playing() -> None:
        await stage.play(run, reruns, lambda result: None)

    stage.terms.notify = lambda text: print(text, file=sys.stderr)
    return run_to_end(stage, playing)


def _conclude(wanted: Wanted, stage: Stage, run: RunDirectory, *, as_json: bool) -> int:
    """Print what came of it, and where it went another way; the exit code."""
    order = [rerun.played.id for rerun in wanted.reruns(stage)]
    results = sorted(run.results(), key=lambda result: order.index(result.id))
    lost = [result for result in results if not result.scored]
    report = write_report(run)
    came = Came.of(wanted, run, results)
    if as_json:
        print(json.dumps({**came.as_json(), "run": str(run.path), "report": str(report)}))
    else:
        print(f"{came.as_text()}\nrun: {run.path}\nreport: {report}")
    if lost:
        since = stage.original.since_then(stage.setup)
        told = f" (since the run was made: {'; '.join(since)})" if since else ""
        print(f"{wanted.episode} could not be played: {lost[0].detail}{told}", file=sys.stderr)
    return 1 if lost else 0


@dataclass(frozen=True)
class Came:
    """What came of a rerun, beside what came of it before."""

    wanted: Wanted
    before: EpisodeResult
    after: Sequence[EpisodeResult]
    answer: Difference | None
    action: Difference | None

    @classmethod
    def of(cls, wanted: Wanted, run: RunDirectory, results: Sequence[EpisodeResult]) -> Came:
        """What the records say; the differences are those of the first course of chance."""
        before, fresh = wanted.records, bool(wanted.change.agent)
        first = next((result for result in results if result.id == wanted.episode and result.scored), None)
        after = run.records(first.id) if first else []
        start = wanted.step if fresh else 0
        action = first_other_action(before, after, start) if first else None
        answer = first_other_answer(before, after) if first and not fresh else None
        return cls(wanted, wanted.original.result(wanted.episode), results, answer, action)

    def as_json(self) -> dict[str, Any]:
        """As one object."""
        wanted = self.wanted
        return {
            "of": str(wanted.original.run.path),
            "episode": wanted.episode,
            "from_step": wanted.step,
            "with": str(wanted.change),
            "before": _summary(self.before),
            "after": [_summary(result) for result in self.after],
            "first_other_answer": asdict(self.answer) if self.answer else None,
            "first_other_action": asdict(self.action) if self.action else None,
        }

    def as_text(self) -> str:
        """As lines for people."""
        wanted = self.wanted
        after, scored = self.after, [result for result in self.after if result.scored]
        lines = [
            f"{wanted.episode}, from step {wanted.step} with {' and '.join(wanted.change.words)}",
            f"  before: {_told(self.before)}",
            f"  after:  {_told(after[0]) if after else 'not played'}",
        ]
        if wanted.change.agent:
            lines[-1] += f" ({wanted.change.agent} started afresh at step {wanted.step})"
        if len(scored) > 1:
            solved = sum(result.success for result in scored)
            range_ = wilson(solved, len(scored))
            lines.append(
                f"  in {len(scored)} courses of chance: {solved} solved, "
                f"{solved / len(scored):.0%} (95 %: {range_.low:.0%} to {range_.high:.0%})"
            )
        for what, difference in (("answer", self.answer), ("action", self.action)):
            if difference:
                told = f"{difference.was}; now {difference.now}"
                lines.append(f"  first other {what}, step {difference.step}: {told}")
        if scored and not self.answer and not self.action:
            lines.append("  nothing goes another way")
        return "\n".join(lines)


def _told(result: EpisodeResult) -> str:
    if not result.scored:
        return f"could not be played ({result.reason})"
    steps = plural(result.steps, "step")
    return f"solved in {steps}" if result.success else f"failed after {steps}: {spaced(str(result.failure))}"


def _summary(result: EpisodeResult) -> dict[str, Any]:
    kept = {"id", "success", "value", "reason", "failure", "steps"}
    counts = {name: int(value) if value == int(value) else value for name, value in result.measures.items()}
    return {**counts, **result.model_dump(mode="json", include=kept), "scored": result.scored}
