"""How many questions about our own pictures are sound, round by round, and how many calls that takes."""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.curation.commission import CALLS
from evals.curation.defects import Known, true_defects
from evals.curation.drafts import Draft, Status
from evals.curation.outputs import Made, made_by
from evals.pages.tables import Cell, Content, Table

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory

Knowledge = Mapping[str, Sequence[Known]]
"""The known questions about each set of pictures."""


def known_sets() -> Knowledge:
    """The known questions about our own pictures."""
    from evals.curation.sources import embedded

    return {one.id: one.known for one in embedded()}


def table_of(made: Sequence[Made], known: Knowledge, title: str) -> Table:
    """By round: the share of sound questions among all latest versions and among the accepted, and the calls so far."""
    drafts = [(draft, known[one.set]) for one in made if one.set in known for draft in one.drafts]
    if not drafts:
        raise ValueError("the run is not about our own pictures: it is not known which of its questions are sound")
    last = max(len(draft.versions) for draft, _ in drafts)
    rows = [_row(drafts, number, len(made)) for number in range(1, last + 1)]
    head = ["round", "questions", "sound", "accepted", "sound of these", "sound, not accepted", "calls"]
    calls = sum((Counter(one.calls) for one in made), Counter[str]())
    notes = [f"calls of all models: {', '.join(f'{role} {calls[role]}' for role in CALLS if calls[role])}"]
    return Table.of(title, head, rows, name="soundness", notes=notes)


def _row(drafts: Sequence[tuple[Draft, Sequence[Known]]], number: int, sets: int) -> list[Content]:
    latest = [(draft, _sound(draft, min(number, len(draft.versions)), known)) for draft, known in drafts]
    accepted = [sound for draft, sound in latest if draft.status is Status.ACCEPTED and len(draft.versions) <= number]
    share = sum(accepted) / len(accepted) if accepted else None
    lost = sum(sound for _, sound in latest) - sum(accepted)
    calls = sets + sum(_calls(draft, number) for draft, _ in drafts)
    return [
        str(number), len(latest), sum(sound for _, sound in latest) / len(latest), len(accepted),
        Cell("-") if share is None else share, lost, calls,
    ]  # fmt: skip


def _sound(draft: Draft, number: int, known: Sequence[Known]) -> bool:
    return true_defects(draft.versions[number - 1].candidate, known) == ()


def _calls(draft: Draft, number: int) -> int:
    """How often the judge and the reviser were asked about a question up to a round."""
    versions = draft.versions[:number]
    return sum(version.verdict is not None for version in versions) + len(versions) - 1


def main(words: Sequence[str]) -> int:
    """Print the table of each run."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.curation soundness",
        description="Print how many questions about our own pictures are sound after each round, and the calls so far: "
        "one to the writer for each set, then those to judge and reviser.",
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="runs about our own pictures")
    chosen = parser.parse_args(words)
    from evals.pages.tables import print_table
    from evals.run.directory import RunDirectory

    known = known_sets()
    for path in chosen.runs:
        run: RunDirectory = RunDirectory.open(path)
        settings = run.config["settings"]
        parts = (f"{name} {settings.get(name)}" for name in ("generator", "judge", "reviser", "check"))
        title = f"{path.name}: {','.join(parts)}"
        print_table(table_of(made_by(run), known, title))
    return 0
