"""Write the merged run: to a temporary name first, so that there is never an incomplete one under its own."""

from __future__ import annotations

import json
import re
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from evals.run import prompts
from evals.run.directory import RunDirectory, RunError
from evals.run.files import no_links, writing
from models.cache import merge_answers
from planners.files import lines_of

_PICTURE = re.compile(r"[0-9a-f]{64}\.png")
ANSWERS = "answers.sqlite"


def write(shards: Sequence[RunDirectory], out: Path) -> RunDirectory:
    """Write a new run with the contents of all shards."""
    if out.exists():
        raise RunError(f"{out} exists already; choose another --out")
    for run in shards:
        no_links(run.path)
    part = out.with_name(f"{out.name}.part")
    if part.exists():
        shutil.rmtree(part)  # left by a merge that was killed
    with writing(out):
        made = RunDirectory.create(part, _config(shards))
        try:
            _copy(shards, made)
        finally:
            made.close()
        (part / "lock").unlink(missing_ok=True)
        part.rename(out)
    return RunDirectory.open(out)


def _config(shards: Sequence[RunDirectory]) -> dict[str, Any]:
    """The configuration of the whole run: the earliest start, the episodes of all."""
    first = min(shards, key=lambda run: str(run.config.get("started")))
    episodes: Counter[str] = Counter()
    for run in shards:
        episodes.update(run.episodes)
    kept = {name: value for name, value in first.config.items() if name != "shard"}
    ordered = {split: episodes[split] for split in first.splits if split in episodes}
    return {**kept, "episodes": ordered, "merged": len(shards)}


def _copy(shards: Sequence[RunDirectory], made: RunDirectory) -> None:
    everywhere = [(result, run) for run in shards for result in run.results()]
    places = {split: place for place, split in enumerate(made.splits)}
    everywhere.sort(key=lambda one: places.get(one[0].split, len(places)))
    for result, run in everywhere:
        if run.has_item(result.id):
            made.add_item(result.id, run.records(result.id))
        else:
            _copy_trace(run.trace(result.id), made.trace(result.id))
        made.append(result)
    for run in shards:
        _copy_pictures(run.path / "pictures", made.path / "pictures")
    _write_lines(made.path / prompts.NAME, _prompts(shards))
    _write_lines(made.path / "pictures" / "index.jsonl", _indexed(shards))
    caches = [run.path / ANSWERS for run in shards if (run.path / ANSWERS).is_file()]
    if caches:
        merge_answers(caches, made.path / ANSWERS)


def _copy_trace(source: Path, target: Path) -> None:
    if source.is_file():
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(source, target)


def _copy_pictures(source: Path, target: Path) -> None:
    if not source.is_dir():
        return
    target.mkdir(exist_ok=True)
    for path in source.iterdir():
        if _PICTURE.fullmatch(path.name) and not (target / path.name).exists():
            shutil.copyfile(path, target / path.name)


def _prompts(shards: Sequence[RunDirectory]) -> Iterator[str]:
    """The lines of the shards' prompts, each once."""
    known: set[str] = set()
    for run in shards:
        for line in _lines(run.path / prompts.NAME):
            content = json.loads(line)
            name = str(content.get("prompt") or content.get("text"))
            if name not in known:
                known.add(name)
                yield line


def _indexed(shards: Sequence[RunDirectory]) -> Iterator[str]:
    """The lines of the shards' picture indexes, each once."""
    found = (line for run in shards for line in _lines(run.path / "pictures" / "index.jsonl"))
    yield from dict.fromkeys(found)


def _lines(path: Path) -> Iterator[str]:
    """The complete lines of a JSONL file, without a last one that was cut off when the run was killed."""
    with suppress(FileNotFoundError):
        for line in lines_of(path):
            text = line.decode("utf-8", "replace")
            with suppress(ValueError, RecursionError):
                json.loads(text)
                if text.endswith("\n"):
                    yield text


def _write_lines(path: Path, lines: Iterator[str]) -> None:
    written = "".join(lines)
    if written:
        path.parent.mkdir(exist_ok=True)
        path.write_text(written, encoding="utf-8")
