"""Blame for a whole run: every failed episode played again until it is known what would have saved it."""

from __future__ import annotations

import csv
import io
import json
import shlex
import sys
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evals.counterfactual.changes import Change, Faculty
from evals.counterfactual.originals import Original
from evals.counterfactual.rerunner import Rerun
from evals.counterfactual.search import Case, Set, Tried, name_of, search
from evals.counterfactual.shares import Share, as_json, shares, told_sets
from evals.counterfactual.stage import Stage, run_to_end, tell_needs
from evals.progress import Progress
from evals.report.markup import write_aside
from evals.results import EpisodeResult
from evals.run_directory import RunError
from evals.trace import dumped, read_trace


@dataclass(frozen=True)
class Blame:
    """What a run's failures are to be blamed on. `damaged` are those whose traces cannot be played again, and why."""

    original: Original
    cases: Sequence[Case]
    scored: int
    infrastructure: int
    damaged: Mapping[str, str]

    @property
    def failed(self) -> int:
        """How many episodes failed, whether or not they can be played again."""
        return len(self.cases) + len(self.damaged)

    @property
    def shares(self) -> list[Share]:
        """The causes, the gravest first."""
        return shares(self.cases)

    @property
    def undetermined(self) -> list[Case]:
        """The failures of which it is not known what would have saved them."""
        return [case for case in self.cases if not case.determined]

    @property
    def untried(self) -> list[Case]:
        """The failures for which some reruns could not be played."""
        return [case for case in self.cases if case.untried]

    def as_json(self) -> dict[str, Any]:
        """All of it as one object."""
        splits = sorted({case.result.split for case in self.cases})
        return {
            "run": str(self.original.run.path),
            "agent": self.original.settings.agent,
            "model": self.original.settings.model,
            "simulated": bool(self.original.run.config.get("simulated")),
            "scored": self.scored,
            "failed": self.failed,
            "infrastructure": self.infrastructure,
            "damaged": dict(self.damaged),
            "undetermined": len(self.undetermined),
            "untried": len(self.untried),
            "causes": [as_json(share) for share in self.shares],
            "splits": {
                split: [as_json(share) for share in shares([c for c in self.cases if c.result.split == split])]
                for split in splits
            },
            "episodes": [_episode(case) for case in self.cases],
        }

    def as_csv(self) -> str:
        """A line for each failed episode."""
        text = io.StringIO()
        head = ["episode", "split", "failure", "saved_by", *(f"blame_{faculty}" for faculty in Faculty), "first_wrong"]
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(head)
        for case in self.cases:
            result, blame = case.result, case.blame
            parts = [f"{blame[faculty]:.4f}" if faculty in blame else "" for faculty in Faculty]
            row = [result.id, result.split, result.failure, told_sets(case), *parts, case.first_wrong_answer]
            writer.writerow(row)
        return text.getvalue()


def _episode(case: Case) -> dict[str, Any]:
    result = case.result
    return {
        "id": result.id,
        "split": result.split,
        "failure": str(result.failure),
        "saved_by": [[faculty for faculty in Faculty if faculty in found] for found in case.saving],
        "blame": {str(faculty): round(share, 4) for faculty, share in case.blame.items()},
        "tried": {name_of(found): str(fate) for found, fate in case.tried.items()},
        "untried_because": case.untried,
        "first_wrong_answer": case.first_wrong_answer,
    }


class Trials:
    """Plays the reruns that a search wants, each set of faculties in a run directory of its own."""

    def __init__(self, stage: Stage, cases: Mapping[str, Case], out: Path) -> None:
        self._stage, self._cases, self._out = stage, cases, out
        words = ["python", "-m", "evals.blame", str(stage.original.run.path)]
        self._command = shlex.join(words)

    async def play(self, size: int, wanted: Mapping[Set, Sequence[str]]) -> dict[Set, dict[str, Tried]]:
        """Play the episodes with each of the sets perfect."""
        total = sum(map(len, wanted.values()))
        label = "reruns with one thing put right" if size == 1 else f"reruns with {size} things put right"
        with Progress(total, [], label, self._stage.terms.budget) as progress:
            self._stage.terms.tell = progress.say
            return {found: await self._play(found, names, progress) for found, names in wanted.items()}

    async def _play(self, found: Set, names: Sequence[str], progress: Progress) -> dict[str, Tried]:
        change = Change(found)
        run = self._stage.directory(self._out / name_of(found), change, self._command, from_step=0, seeds=1)
        try:
            for result in run.results():
                if result.id in names and result.scored:
                    progress.finished(result)
            reruns = [Rerun(self._stage.episodes[name], self._cases[name].records, 0, change) for name in names]
            await self._stage.play(run, reruns, progress.finished)
            results = {result.id: result for result in run.results()}
            return {name: Tried(results[name], read_trace(run.trace(name))) for name in names}
        finally:
            run.close()


def blame(arguments: Mapping[str, Any]) -> int:
    """Find out and tell; the exit code."""
    original = Original.open(arguments["run"])
    splits = list(original.benchmark.splits(original.settings))
    failed = [result for result in original.results.values() if result.scored and not result.success]
    failed.sort(key=lambda result: (splits.index(result.split) if result.split in splits else len(splits), result.id))
    scored = sum(result.scored for result in original.results.values())
    cases, damaged = _cases(original, failed)
    with ExitStack() as end:
        stage = Stage.open(original, Change(), arguments, end)
        gone = [name for name in cases if name not in stage.episodes]
        if gone:
            raise ValueError(f"the benchmark has no episode {gone[0]!r} any more; were its problems changed?")
        out = arguments["out"] or original.run.path / "blame"
        if stage.needs is not None:
            out = Path(end.enter_context(TemporaryDirectory())) / "blame"
        out.mkdir(parents=True, exist_ok=True)
        stage = stage.remembering(out, arguments["cache"], end)
        stopped = _search(stage, cases, out)
        if stage.needs is not None:
            return tell_needs(stage.needs, stage.settings.model, as_json=arguments["json"])
        if stopped:
            return stopped
        found = Blame(original, list(cases.values()), scored, len(original.results) - scored, damaged)
        return _conclude(found, stage, out, as_json=arguments["json"])


def _cases(original: Original, failed: Sequence[EpisodeResult]) -> tuple[dict[str, Case], dict[str, str]]:
    """The failures that can be played again, and why the others cannot."""
    cases: dict[str, Case] = {}
    damaged: dict[str, str] = {}
    for result in failed:
        try:
            cases[result.id] = Case(result, original.records(result.id))
        except RunError as error:
            damaged[result.id] = str(error)
    return cases, damaged


def _search(stage: Stage, cases: Mapping[str, Case], out: Path) -> int:
    """Play what is to be played; the exit code if that was stopped."""

    async def playing() -> None:
        await search(cases, Trials(stage, cases, out).play)

    return run_to_end(stage, playing)


def _conclude(found: Blame, stage: Stage, out: Path, *, as_json: bool) -> int:
    from rich.console import Console

    from evals.counterfactual.blame_page import blame_page
    from evals.counterfactual.blame_table import print_blame

    content = found.as_json()
    write_aside(out / "blame.json", dumped(content))
    write_aside(out / "blame.csv", found.as_csv())
    page = write_aside(out / "blame.html", blame_page(found, out))
    print_blame(found, Console(stderr=as_json))
    print(f"reruns: {out}\npage: {page}", file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps(content))
    return _tell_untried(found, stage)


def _tell_untried(found: Blame, stage: Stage) -> int:
    """Say what could not be played; the exit code, which is 0 where it was not to be."""
    broken = [case for case in found.untried if stage.ask or "--ask" not in case.untried]
    if broken:
        since = stage.original.since_then(stage.setup)
        told = f" (since the run was made: {'; '.join(since)})" if since else ""
        first = broken[0]
        print(
            f"{len(broken)} could not be played again, the first, {first.result.id}: {first.untried}{told}",
            file=sys.stderr,
        )
    return 1 if broken or found.damaged else 0
