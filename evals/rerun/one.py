"""Rerun one episode: check the request, play it, print the outcome."""

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
from evals.rerun.session import RerunSession, print_cost, run_to_end
from evals.rerun.situations import steps_of
from evals.run.directory import RunDirectory
from evals.run.results import EpisodeResult
from evals.run.statistics import wilson
from evals.run.trace import Record


@dataclass(frozen=True)
class RerunRequest:
    """A requested rerun, checked against the record."""

    original: Original
    episode: str
    records: Sequence[Record]
    step: int
    change: Change
    seeds: int

    @classmethod
    def of(cls, arguments: Mapping[str, Any], original: Original) -> RerunRequest:
        """The request in the options; `ValueError` if the record does not allow it."""
        change = Change.of(arguments["with"] or (), original.judging)
        if arguments["episode"] is None:
            raise ValueError("--episode: name the episode to play again")
        episode = original.result(arguments["episode"]).id
        records = original.records(episode)
        request = cls(original, episode, records, arguments["from_step"], change, arguments["seeds"])
        request.check()
        return request

    def check(self) -> None:
        """Raise if there is nothing to play."""
        steps = steps_of(self.records)
        if not 0 <= self.step <= steps:
            raise ValueError(f"--from-step {self.step}: {self.episode} has {plural(steps, 'step')}, so 0 to {steps}")
        if self.seeds < 1:
            raise ValueError(f"--seeds must be at least 1, not {self.seeds}")

    def check_applicable(self, session: RerunSession) -> None:
        """Raise if the changes do not apply to this record."""
        if self.change.agent or self.change.model:
            return
        reason = session.judge(self.episode).unfit(self.records, self.change.names, self.original.settings.agent)
        if reason:
            raise ValueError(reason)

    @property
    def out(self) -> Path:
        """The default directory, the same for the same rerun."""
        seeds = f"-{self.seeds}-seeds" if self.seeds > 1 else ""
        name = f"{self.episode}-{self.step}-{self.change}{seeds}"
        safe = "".join(char if char.isalnum() or char in "-_.+" else "_" for char in name)[:120]
        return self.original.run.path / "reruns" / safe

    @property
    def command(self) -> str:
        """The command of this rerun."""
        words = ["python", "-m", "evals.rerun", str(self.original.run.path), "--episode", self.episode]
        for change in self.change.words:
            words += ["--with", change]
        words += ["--from-step", str(self.step)] if self.step else []
        return shlex.join([*words, *(["--seeds", str(self.seeds)] if self.seeds > 1 else [])])

    def reruns(self, session: RerunSession) -> list[Rerun]:
        """The reruns to play: with the recorded random state, and with other seeds."""
        episode = as_recorded(session.episode(self.episode), self.records)
        found = [Rerun(episode, self.records, self.step, self.change, seed or None) for seed in range(self.seeds)]
        if found[0].limit < 1:
            raise ValueError(f"--from-step {self.step}: no steps remain for {self.change.agent}")
        return found


def rerun(arguments: Mapping[str, Any]) -> int:
    """Play it and print the outcome; the exit code."""
    options = rerunning(arguments)
    original = Original.open(arguments["run"], options)
    if arguments["with"] == ["list"]:
        return _print_changes(original)
    request = RerunRequest.of(arguments, original)
    with ExitStack() as end:
        session = RerunSession.open(original, request.change, options, end)
        request.check_applicable(session)
        return _rerun(request, session, options, end)


def _rerun(request: RerunRequest, session: RerunSession, options: Rerunning, end: ExitStack) -> int:
    reruns = request.reruns(session)
    out = options.out or request.out
    if session.needs is not None:
        out = Path(end.enter_context(TemporaryDirectory())) / "rerun"
    facts = {"episode": request.episode, "from_step": request.step, "seeds": request.seeds}
    splits = {rerun.episode.split for rerun in reruns}
    run = session.directory(out, request.change, request.command, splits, **facts)
    end.callback(run.close)
    session = session.with_answers(out, options.cache, end)
    stopped = _play(session, run, reruns)
    if session.needs is not None:
        return print_cost(session.needs, session.settings.model, as_json=options.json_)
    return stopped or _conclude(request, session, run, as_json=options.json_)


def _print_changes(original: Original) -> int:
    for name, meaning in original.judging.changes.items():
        print(f"{name:16} {meaning}")
    print(f"{'model:SPEC':16} another model answers")
    print(f"{'agent:NAME':16} another agent takes over with the remaining steps")
    return 0


def _play(session: RerunSession, run: RunDirectory, reruns: Sequence[Rerun]) -> int:
    """Play the remaining reruns; the exit code if stopped, else 0."""

    async def playing() -> None:
        await session.play(run, reruns, lambda result: None)

    session.terms.notify = lambda text: print(text, file=sys.stderr)
    return run_to_end(session, playing)


def _conclude(request: RerunRequest, session: RerunSession, run: RunDirectory, *, as_json: bool) -> int:
    """Print the outcome and the first differences; the exit code."""
    order = [rerun.played.id for rerun in request.reruns(session)]
    results = sorted(run.results(), key=lambda result: order.index(result.id))
    lost = [result for result in results if not result.scored]
    report = write_report(run)
    summary = RerunSummary.of(request, run, results)
    if as_json:
        print(json.dumps({**summary.as_json(), "run": str(run.path), "report": str(report)}))
    else:
        print(f"{summary.as_text()}\nrun: {run.path}\nreport: {report}")
    if lost:
        since = session.original.changes_since(session.setup)
        note = f" (since the run was made: {'; '.join(since)})" if since else ""
        print(f"{request.episode} could not be played: {lost[0].detail}{note}", file=sys.stderr)
    return 1 if lost else 0


@dataclass(frozen=True)
class RerunSummary:
    """The outcome of a rerun, compared with the original."""

    request: RerunRequest
    before: EpisodeResult
    after: Sequence[EpisodeResult]
    answer: Difference | None
    action: Difference | None

    @classmethod
    def of(cls, request: RerunRequest, run: RunDirectory, results: Sequence[EpisodeResult]) -> RerunSummary:
        """Compare the records; the differences are those of the first seed."""
        before, fresh = request.records, bool(request.change.agent)
        first = next((result for result in results if result.id == request.episode and result.scored), None)
        after = run.records(first.id) if first else []
        start = request.step if fresh else 0
        action = first_other_action(before, after, start) if first else None
        answer = first_other_answer(before, after) if first and not fresh else None
        return cls(request, request.original.result(request.episode), results, answer, action)

    def as_json(self) -> dict[str, Any]:
        """As one object."""
        request = self.request
        return {
            "of": str(request.original.run.path),
            "episode": request.episode,
            "from_step": request.step,
            "with": str(request.change),
            "before": _summary(self.before),
            "after": [_summary(result) for result in self.after],
            "first_other_answer": asdict(self.answer) if self.answer else None,
            "first_other_action": asdict(self.action) if self.action else None,
        }

    def as_text(self) -> str:
        """As lines of text."""
        request = self.request
        after, scored = self.after, [result for result in self.after if result.scored]
        lines = [
            f"{request.episode}, from step {request.step} with {' and '.join(request.change.words)}",
            f"  before: {_outcome(self.before)}",
            f"  after:  {_outcome(after[0]) if after else 'not played'}",
        ]
        if request.change.agent:
            lines[-1] += f" ({request.change.agent} started at step {request.step})"
        if len(scored) > 1:
            solved = sum(result.success for result in scored)
            range_ = wilson(solved, len(scored))
            lines.append(
                f"  with {len(scored)} seeds: {solved} solved, "
                f"{solved / len(scored):.0%} (95 %: {range_.low:.0%} to {range_.high:.0%})"
            )
        for what, difference in (("answer", self.answer), ("action", self.action)):
            if difference:
                text = f"{difference.was}; now {difference.now}"
                lines.append(f"  first other {what}, step {difference.step}: {text}")
        if scored and not self.answer and not self.action:
            lines.append("  no differences")
        return "\n".join(lines)


def _outcome(result: EpisodeResult) -> str:
    if not result.scored:
        return f"could not be played ({result.reason})"
    steps = plural(result.steps, "step")
    return f"solved in {steps}" if result.success else f"failed after {steps}: {spaced(str(result.failure))}"


def _summary(result: EpisodeResult) -> dict[str, Any]:
    kept = {"id", "success", "value", "reason", "failure", "steps"}
    counts = {name: int(value) if value == int(value) else value for name, value in result.measures.items()}
    return {**counts, **result.model_dump(mode="json", include=kept), "scored": result.scored}
