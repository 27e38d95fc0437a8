"""The commands on files of the original: count its tasks, and score result folders in both profiles."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.embodiedeval.categories import COUNTS, STEPS, TITLES
from evals.embodiedeval.original.results import Episode, read_run, write_run
from evals.embodiedeval.original.scores import Figures, figures
from evals.embodiedeval.original.tasks import read_tasks, summary
from evals.pages.tables import Cell, Content, Table, print_table
from models.parsing import Profile

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory

PROGRAM = "python -m evals.embodiedeval"


def tasks(words: Sequence[str]) -> int:
    """Read the original's task files and count their tasks by category."""
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
    """Score a run of ours or a result folder of the original, by the original's code and by its definitions."""
    parser = argparse.ArgumentParser(prog=f"{PROGRAM} scores", description=scores.__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="a run, or a result folder: trajNNNN/…")
    parser.add_argument(
        "--human", type=Path, metavar="DIR", help="the result folder with the reference steps, for SPL (default: none)"
    )
    chosen = parser.parse_args(words)
    references = {one.task_id: len(one.steps) for one in read_run(chosen.human)} if chosen.human else None
    if (chosen.folder / "run.json").is_file():
        episodes = [episode for episode, _ in _episodes(chosen.folder)]
        references = references or _shortest()
    else:
        episodes = read_run(chosen.folder)
    for profile in Profile:
        print_table(table(figures(episodes, references, profile), f"{chosen.folder}, {profile} scores"))
    return 0


def export(words: Sequence[str]) -> int:
    """Write a run as a result folder of the original, or our tasks as its task files."""
    parser = argparse.ArgumentParser(prog=f"{PROGRAM} export", description=export.__doc__)
    parser.add_argument("run", nargs="?", type=Path, metavar="RUN", help="a run on our own tasks")
    parser.add_argument("--tasks", action="store_true", help="write our tasks instead of a run")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="a new folder")
    chosen = parser.parse_args(words)
    if chosen.tasks == (chosen.run is not None):
        raise ValueError("export takes a run, or --tasks")
    if chosen.out.exists():
        raise ValueError(f"--out: {chosen.out} exists already")
    if chosen.tasks:
        from envs.embodied.tasks import tasks as embedded
        from evals.embodiedeval.original.convert import write_tasks

        print(f"{write_tasks(chosen.out, embedded())} tasks written to {chosen.out}")
        return 0
    settings = _run(chosen.run).config.get("settings", {})
    arguments = {"agent": settings.get("agent"), "max_steps": STEPS, "max_images": settings.get("images")}
    print(f"{write_run(chosen.out, arguments, _episodes(chosen.run))} episodes written to {chosen.out}")
    return 0


def _run(path: Path) -> RunDirectory:
    from evals.run.directory import RunDirectory

    run = RunDirectory.open(path)
    if run.config.get("benchmark") != "embodiedeval" or run.config.get("settings", {}).get("data") != "embedded":
        raise ValueError(f"{path} is no run of EmbodiedEval on our own tasks")
    return run


def _episodes(path: Path) -> Iterator[tuple[Episode, Mapping[str, Any]]]:
    from evals.embodiedeval.original.convert import episodes_of

    return episodes_of(_run(path))


def _shortest() -> dict[str, int]:
    """The reference steps of our tasks: the lengths of their shortest solutions."""
    from envs.embodied.tasks import tasks as embedded

    return {f"{task.category}/{task.id}.json": task.steps for task in embedded()}


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
