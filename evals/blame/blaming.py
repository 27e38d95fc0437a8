"""Blame for a whole run: rerun every failed episode until it is known what would have saved it."""

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

from evals.blame.search import Case, Set, Tried, search
from evals.blame.shares import Share, as_json, saving_sets, shares
from evals.pages.markup import write_atomically
from evals.pages.tables import safe
from evals.rerun.changes import Change
from evals.rerun.options import Rerunning, rerunning
from evals.rerun.originals import Original, as_recorded
from evals.rerun.places import writable
from evals.rerun.rerunner import Rerun
from evals.rerun.session import RerunSession, print_cost, run_to_end
from evals.run.directory import RunError
from evals.run.judging import AGENT_ERROR
from evals.run.progress import Progress
from evals.run.results import EpisodeResult
from evals.run.trace import dumped


@dataclass(frozen=True)
class Blame:
    """The causes of a run's failures. `damaged` maps episodes that cannot be rerun to the reason."""

    original: Original
    cases: Sequence[Case]
    damaged: Mapping[str, str]

    @property
    def scored(self) -> int:
        """How many episodes of the run were scored."""
        return sum(result.scored for result in self.original.results.values())

    @property
    def agent_errors(self) -> int:
        """How many episodes ended by an error of the agent."""
        return sum(result.failure == AGENT_ERROR for result in self.original.results.values())

    @property
    def infrastructure(self) -> int:
        """How many episodes could not be played."""
        return len(self.original.results) - self.scored - self.agent_errors

    @property
    def failed(self) -> int:
        """How many episodes failed, including damaged ones."""
        return len(self.cases) + len(self.damaged)

    @property
    def shares(self) -> list[Share]:
        """The causes, the largest share first."""
        return shares(self.cases)

    @property
    def undetermined(self) -> list[Case]:
        """The failures whose cause is not determined."""
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
            "agent_errors": self.agent_errors,
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
        text, faculties = io.StringIO(), self.original.judging.faculties
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(
            ["episode", "split", "failure", "saved_by", *(f"blame_{name}" for name in faculties), "first_wrong"]
        )
        for case in self.cases:
            result, blame = case.result, case.blame
            parts = [f"{blame[name]:.4f}" if name in blame else "" for name in faculties]
            row = [result.id, result.split, str(result.failure), saving_sets(case), *parts, case.first_wrong_answer]
            # Texts of models and runs are untrusted: no formulas, and no carriage returns.
            writer.writerow(safe(cell.replace("\r", " ")) for cell in row)
        return text.getvalue()


def _episode(case: Case) -> dict[str, Any]:
    result = case.result
    return {
        "id": result.id,
        "split": result.split,
        "failure": str(result.failure),
        "saved_by": [[name for name in case.faculties if name in found] for found in case.saving],
        "blame": {name: round(share, 4) for name, share in case.blame.items()},
        "tried": {case.name_of(found): str(fate) for found, fate in case.tried.items()},
        "untried_because": case.untried,
        "first_wrong_answer": case.first_wrong_answer,
    }


class Trials:
    """Plays the reruns of a search, with a run directory for each set of faculties."""

    def __init__(self, session: RerunSession, cases: Mapping[str, Case], out: Path) -> None:
        self._stage, self._cases, self._out = session, cases, out
        words = ["python", "-m", "evals.blame", str(session.original.run.path)]
        self._command = shlex.join(words)

    async def play(self, size: int, wanted: Mapping[Set, Sequence[str]]) -> dict[Set, dict[str, Tried]]:
        """Play the episodes with each of the sets perfect."""
        total = sum(map(len, wanted.values()))
        label = "reruns with one perfect faculty" if size == 1 else f"reruns with {size} perfect faculties"
        with Progress(total, [], label, self._stage.terms.budget) as progress:
            self._stage.terms.notify = progress.say
            return {found: await self._play(found, names, progress) for found, names in wanted.items()}

    async def _play(self, found: Set, names: Sequence[str], progress: Progress) -> dict[str, Tried]:
        session, cases = self._stage, self._cases
        change = Change(found, judging=session.original.judging)
        out = self._out / cases[names[0]].name_of(found)
        splits = {case.result.split for case in cases.values()}
        run = session.directory(out, change, self._command, splits, from_step=0, seeds=1)
        try:
            for result in run.results():
                if result.id in names and result.settled:
                    progress.finished(result)
            reruns = [
                Rerun(as_recorded(session.episode(name), cases[name].records), cases[name].records, 0, change)
                for name in names
            ]
            await session.play(run, reruns, progress.finished)
            results = {result.id: result for result in run.results()}
            return {name: Tried(results[name], run.records(name) if results[name].scored else ()) for name in names}
        finally:
            run.close()


def blame(arguments: Mapping[str, Any]) -> int:
    """Find the causes and print them; the exit code."""
    options = rerunning(arguments)
    original = Original.open(arguments["run"], options)
    if not original.judging.faculties:
        raise ValueError(f"the judge of {original.benchmark.name} names no faculties to blame failures on")
    failed = [result for result in original.results.values() if result.scored and not result.success]
    with ExitStack() as end:
        session = RerunSession.open(original, Change(judging=original.judging), options, end)
        cases, damaged = _cases(session, failed)
        out = _out(original, session, options, end)
        session = session.with_answers(out, options.cache, end)
        stopped = _search(session, cases, out)
        if session.needs is not None:
            return print_cost(session.needs, session.settings.model, as_json=options.json_)
        return stopped or _conclude(Blame(original, list(cases.values()), damaged), session, out, as_json=options.json_)


def _out(original: Original, session: RerunSession, options: Rerunning, end: ExitStack) -> Path:
    """The output directory; temporary in a dry run."""
    if session.needs is not None:
        return Path(end.enter_context(TemporaryDirectory()))
    out = writable(options.out or original.run.path / "blame", original.run.path)
    out.mkdir(parents=True, exist_ok=True)
    return out


def _cases(session: RerunSession, failed: Sequence[EpisodeResult]) -> tuple[dict[str, Case], dict[str, str]]:
    """The failures that can be rerun, and the reason for each that cannot."""
    original = session.original
    judge = session.judge(failed[0].id) if failed else None  # any judge of the benchmark will do
    cases: dict[str, Case] = {}
    damaged: dict[str, str] = {}
    for result in failed:
        try:
            records = original.records(result.id)
        except RunError as error:
            damaged[result.id] = str(error)
        else:
            cases[session.episode(result.id).id] = Case(result, records, original.judging.faculties, judge)
    return cases, damaged


def _search(session: RerunSession, cases: Mapping[str, Case], out: Path) -> int:
    """Run the search; the exit code if stopped, else 0."""

    async def playing() -> None:
        await search(cases, Trials(session, cases, out).play)

    return run_to_end(session, playing)


def _conclude(found: Blame, session: RerunSession, out: Path, *, as_json: bool) -> int:
    from evals.blame.page import blame_page
    from evals.blame.table import print_blame
    from evals.pages.terminal import console

    content = found.as_json()
    write_atomically(out / "blame.json", dumped(content))
    write_atomically(out / "blame.csv", found.as_csv())
    page = write_atomically(out / "blame.html", blame_page(found))
    print_blame(found, console(stderr=as_json))
    print(f"reruns: {out}\npage: {page}", file=sys.stderr if as_json else sys.stdout)
    if as_json:
        print(json.dumps(content))
    return _report_untried(found, session)


def _report_untried(found: Blame, session: RerunSession) -> int:
    """Report reruns that could not be played; the exit code."""
    broken = [case for case in found.untried if session.ask or "--ask" not in case.untried]
    if broken:
        since = session.original.changes_since(session.setup)
        note = f" (since the run was made: {'; '.join(since)})" if since else ""
        first = broken[0]
        print(
            f"{len(broken)} could not be played again, the first, {first.result.id}: {first.untried}{note}",
            file=sys.stderr,
        )
    return 1 if broken or found.damaged else 0
