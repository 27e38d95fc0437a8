"""Put the shards of a sweep together: each has other cells, which are copied as they are."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.merge.checking import check_whole
from evals.run.directory import RunDirectory, RunError
from evals.run.files import no_links, writing
from evals.run.shards import Shard
from evals.run.trace import dumped
from planners.files import Unreadable, read_json

PLAN, OUTCOMES = "sweep.json", "outcomes.jsonl"


@dataclass(frozen=True)
class Part:
    """A shard of a sweep: its directory and its plan."""

    path: Path
    plan: dict[str, Any]

    @property
    def shard(self) -> Shard:
        """Which one it is."""
        try:
            return Shard.parse(str(self.plan["shard"]))
        except (KeyError, ValueError):
            raise RunError(f"{self.path} is no shard: it was started without --shard") from None

    @property
    def cells(self) -> list[str]:
        """The names of its cells."""
        return [str(cell["name"]) for cell in self.plan["cells"]]


def sweeps_at(paths: Sequence[Path]) -> list[Path]:
    """The sweeps at some paths, or in folders that hold them; empty if these are runs."""
    found = [place for path in paths for place in (path, *sorted(path.glob("*"))) if (place / PLAN).is_file()]
    return list(dict.fromkeys(found))


def merge_sweeps(folders: Sequence[Path], out: Path) -> int:
    """Write a sweep with the cells of all shards; how many cells it has."""
    if out.exists():
        raise RunError(f"{out} exists already; choose another --out")
    parts = sorted((_opened(folder) for folder in folders), key=lambda part: part.shard.number)
    check_whole([part.shard for part in parts], [part.path for part in parts])
    for part in parts:
        _check(parts[0], part)
    aside = out.with_name(f"{out.name}.part")
    if aside.exists():
        shutil.rmtree(aside)  # left by a merge that was killed
    with writing(out):
        (aside / "cells").mkdir(parents=True)
        for part in parts:
            for name in part.cells:
                shutil.copytree(part.path / "cells" / name, aside / "cells" / name, ignore=lambda *_: {"lock"})
        _write(parts, aside)
        aside.rename(out)
    return sum(len(part.cells) for part in parts)


def _opened(folder: Path) -> Part:
    no_links(folder)
    try:
        plan = read_json(folder / PLAN)
    except (OSError, Unreadable, ValueError) as error:
        raise RunError(f"{folder / PLAN} cannot be read: {error}") from None
    cells = plan.get("cells") if isinstance(plan, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) and "name" in cell for cell in cells):
        raise RunError(f"{folder / PLAN} does not describe a sweep")
    names = [str(cell["name"]) for cell in cells]
    wrong = next((name for name in names if name in ("", ".", "..") or Path(name).name != name), None)
    if wrong is not None:
        raise RunError(f"{folder / PLAN} has a cell {wrong!r}, which cannot be the name of a folder")
    return Part(folder, plan)


def _check(first: Part, part: Part) -> None:
    """`RunError` unless the shard is one of the same sweep, has cells of its own, and is finished."""
    for name in ("benchmark", "config"):
        if part.plan.get(name) != first.plan.get(name):
            raise RunError(f"{first.path} and {part.path} are not shards of one sweep: their {name} differs")
    twice = set(first.cells) & set(part.cells) if part is not first else set()
    if twice:
        raise RunError(f"the cell {min(twice)} is in {first.path} and in {part.path}")
    for cell in part.cells:
        folder = part.path / "cells" / cell
        run = RunDirectory.open(folder) if (folder / "run.json").is_file() else None
        settled = sum(result.settled for result in run.results()) if run else 0
        if run is None or settled < sum(run.episodes.values()):
            raise RunError(f"{part.path}: the cell {cell} is not finished; resume that sweep with --resume")


def _write(parts: Sequence[Part], out: Path) -> None:
    plan = {name: value for name, value in parts[0].plan.items() if name != "shard"}
    plan["cells"] = [cell for part in parts for cell in part.plan["cells"]]
    (out / PLAN).write_text(dumped(plan), encoding="utf-8")
    kept = [path.read_text(encoding="utf-8") for part in parts if (path := part.path / OUTCOMES).is_file()]
    (out / OUTCOMES).write_text("".join(kept), encoding="utf-8")
