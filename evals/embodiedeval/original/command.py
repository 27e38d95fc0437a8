"""The commands on files of the original: count its tasks, and score result folders in both profiles."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.embodiedeval.categories import COUNTS, TITLES
from evals.embodiedeval.original.results import read_run
from evals.embodiedeval.original.scores import Figures, figures
from evals.embodiedeval.original.tasks import read_tasks, summary
from evals.pages.tables import Cell, Content, Table, print_table
from models.parsing import Profile

PROGRAM = "python -m evals.embodiedeval"


def tasks(words: Sequence[str]) -> int:
    """Read the original's task files and print how many there are of what."""
    parser = argparse.ArgumentParser(prog=f"{PROGRAM} tasks", description=tasks.__doc__)
    parser.add_argument(
        "folder", type=Path, metavar="DIR", help="tasks.json and the files it names, or the files alone"
    )
    found = read_tasks(parser.parse_args(words).folder)
    rows: list[list[Content]] = []
    sections = []
    for group, counts in summary(found).items():
        sections.append(len(rows))
        rows += [[group, name, count] for name, count in sorted(counts.items(), key=lambda item: -item[1])]
        if len(counts) > 1:
            rows.append([group, "all", sum(counts.values())])
    print_table(Table.of("Tasks of EmbodiedEval", ["", "kind", "number"], rows, words=2, sections=sections))
    return 0


def scores(words: Sequence[str]) -> int:
    """Score a result folder of the original as its own code does, and as the scores are meant."""
    parser = argparse.ArgumentParser(prog=f"{PROGRAM} scores", description=scores.__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a result folder: task_ids.json, trajNNNN/…")
    parser.add_argument(
        "--human", type=Path, metavar="DIR", help="the result folder with the reference steps, for SPL (default: none)"
    )
    chosen = parser.parse_args(words)
    episodes = read_run(chosen.folder)
    references = {one.task_id: len(one.steps) for one in read_run(chosen.human)} if chosen.human else None
    for profile in Profile:
        print_table(table(figures(episodes, references, profile), f"{chosen.folder}, {profile} scores"))
    return 0


def table(found: Mapping[str, Figures], title: str) -> Table:
    """The figures of all categories in a table."""
    head = ["category", "n", "success", "GcS", "SPL", "steps", "interactions", "that succeed"]
    rows: list[list[Content]] = [
        [
            TITLES.get(name, "All"),
            one.episodes,
            *(Cell.of(value) for value in (one.success, one.gcs, one.spl, one.length, one.interactions)),
            Cell.of(one.interaction_success),
        ]
        for name, one in found.items()
    ]
    missing = [TITLES[name] for name in COUNTS if name not in found]
    notes = ["Success, GcS, SPL and interactions that succeed in percent; steps and interactions per episode."]
    if missing:
        notes.append(f"No episodes: {', '.join(missing)}.")
    return Table.of(title, head, rows, notes=notes, sections=[len(rows) - 1])
