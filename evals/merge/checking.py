"""Check that shards belong together: all of one run, all finished, none missing and none twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.run.directory import RunDirectory, RunError, run_directories
from evals.run.shards import Shard

OWN = frozenset({"shard", "episodes", "started", "git", "command"})
"""The parts of a configuration that may differ between the shards of a run."""


def opened(paths: Sequence[Path]) -> list[RunDirectory]:
    """The runs at some paths, each once."""
    found: dict[Path, RunDirectory] = {}
    for path in paths:
        if not path.exists():
            raise RunError(f"{path}: there is no such run")
        here = run_directories(path)
        if not here:
            raise RunError(f"{path} holds no runs")
        for folder in here:
            found.setdefault(folder.resolve(), RunDirectory.open(folder))
    return list(found.values())


def checked(runs: Sequence[RunDirectory]) -> list[RunDirectory]:
    """The shards of one run in their order; `RunError` says why they do not make one."""
    parts = [(_shard_of(run), run) for run in runs]
    parts.sort(key=lambda part: part[0].number)
    shards, ordered = [shard for shard, _ in parts], [run for _, run in parts]
    check_whole(shards, [run.path for run in ordered])
    for run in ordered[1:]:
        _check_alike(ordered[0], run)
    for run in ordered:
        _check_played(run)
    _check_apart(ordered)
    return ordered


def _shard_of(run: RunDirectory) -> Shard:
    if run.shard is None:
        raise RunError(f"{run.path} is no shard: it was started without --shard")
    return Shard.parse(run.shard)


def check_whole(shards: Sequence[Shard], paths: Sequence[Path]) -> None:
    """`RunError` unless the shards at some paths are all parts of one whole, each once."""
    count = shards[0].count
    for shard, path in zip(shards, paths, strict=True):
        if shard.count != count:
            raise RunError(f"{path} is shard {shard}, and {paths[0]} is shard {shards[0]}: they are not of one run")
    twice = [number for number, times in Counter(shard.number for shard in shards).items() if times > 1]
    if twice:
        where = [str(path) for shard, path in zip(shards, paths, strict=True) if shard.number == twice[0]]
        raise RunError(f"shard {twice[0]}/{count} is there twice: {' and '.join(where)}")
    missing = sorted(set(range(1, count + 1)) - {shard.number for shard in shards})
    if missing:
        named = ", ".join(f"{number}/{count}" for number in missing[:5]) + (", …" if len(missing) > 5 else "")
        raise RunError(f"missing shards: {named} ({len(missing)} of {count})")


def _check_alike(first: RunDirectory, other: RunDirectory) -> None:
    """Check that everything that can change the results is the same."""
    ours, theirs = _deciding(first.config), _deciding(other.config)
    different = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
    if different:
        name = different[0]
        raise RunError(
            f"{first.path} and {other.path} are not shards of one run: {name} is {ours.get(name)!r} and "
            f"{theirs.get(name)!r}"
        )


def _deciding(config: Mapping[str, Any]) -> dict[str, Any]:
    found = {name: value for name, value in config.items() if name not in OWN}
    flat: dict[str, Any] = {}
    for name, value in found.items():
        inner = value.items() if isinstance(value, Mapping) and name in ("settings", "fingerprints", "versions") else ()
        flat |= {f"{name}: {key}": part for key, part in inner} or {name: value}
    return flat


def _check_played(run: RunDirectory) -> None:
    settled = sum(result.settled for result in run.results())
    expected = sum(run.episodes.values())
    if settled < expected:
        raise RunError(
            f"{run.path} has {settled} of {expected} episodes: finish it with "
            f"python -m evals.{run.config.get('benchmark')} --resume {run.path}"
        )


def _check_apart(runs: Sequence[RunDirectory]) -> None:
    where: dict[str, Path] = {}
    for run in runs:
        for result in run.results():
            if result.id in where:
                raise RunError(f"{result.id} was played in {where[result.id]} and in {run.path}")
            where[result.id] = run.path
