"""From what a user named to the arms of a comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from evals.comparison.arms import Arm, Part, Unusable
from evals.comparison.own import read_part, run_directories
from evals.comparison.recorded import is_recorded, read_parts
from planners.names import unknown

WITHIN = ("domain", "split")
"""What episodes of one part may differ in."""


def read(paths: Sequence[Path]) -> tuple[list[Part], list[str]]:
    """The parts at some paths, and what is to be said of those that have nothing to compare."""
    found: list[Part] = []
    for path in dict.fromkeys(paths):
        if not path.is_dir():
            raise Unusable(f"{path}: no such folder; give run directories, or a folder of recorded runs")
        runs = run_directories(path)
        if not runs and not is_recorded(path):
            raise Unusable(f"{path}: neither a run (no run.json in it or below it) nor a folder of recorded runs")
        found += [read_part(run) for run in runs] if runs else read_parts(path)
    empty = [f"{part.name} has no finished episode yet and is left out" for part in found if not part.played]
    return [part for part in found if part.played], empty


def chosen(parts: Sequence[Part], where: Sequence[str]) -> list[Part]:
    """The parts that fit every `KEY=PATTERN`; of their episodes, those of other domains and splits are taken away."""
    possible = tuple(dict.fromkeys([*WITHIN, *(name for part in parts for name in part.settings)]))
    kept = list(parts)
    for condition in where:
        key, equals, pattern = condition.partition("=")
        if not equals:
            raise Unusable(f"--where is KEY=VALUE, such as split=simple or model=sim:*, not {condition!r}")
        if key not in possible:
            raise Unusable(f"--where: {unknown('setting', key, possible)}")
        kept = [part for part in (_narrowed(part, key, pattern) for part in kept) if part is not None]
    if not kept:
        raise Unusable(f"nothing fits --where {' '.join(where)}")
    return kept


def _narrowed(part: Part, key: str, pattern: str) -> Part | None:
    if key not in WITHIN:
        return part if fnmatchcase(str(part.settings.get(key)), pattern) else None
    played = tuple(episode for episode in part.played if fnmatchcase(getattr(episode, key), pattern))
    gone = len(part.played) - len(played)
    # Of what is not finished nobody knows the split: it counts as missing only where nothing was taken away.
    expected = len(played) if gone else part.expected
    return replace(part, played=played, expected=expected) if played else None


def find_arm(name: str, arms: Sequence[Arm]) -> Arm:
    """The arm that a path or a part of a label names; `Unusable` if it is none or several."""
    path = Path(name)
    here = [arm for arm in arms if any(path.resolve() == Path(part.path).resolve() for part in arm.parts)]
    said = [arm for arm in arms if arm.label == name] or [arm for arm in arms if name.lower() in arm.label.lower()]
    found = here or said
    labels = "; ".join(arm.label for arm in found or arms)
    if not found:
        raise Unusable(f"--baseline: none of what is compared is {name!r}. There are: {labels}")
    if len(found) > 1:
        raise Unusable(f"--baseline: {name!r} may be any of: {labels}. Name one of them")
    return found[0]
