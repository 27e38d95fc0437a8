"""Read the arms of a comparison from the user's paths and names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

from evals.compare.arms import Arm, Part, Played, Unusable
from evals.compare.exhibits import read_recorded
from evals.compare.own import read_part
from evals.run.directory import run_directories
from planners.names import unknown

WITHIN = ("domain", "split")
"""Properties in which episodes of one part may differ."""


def read(paths: Sequence[Path]) -> tuple[list[Part], list[str]]:
    """The parts at the paths, and a line for each path that has no episodes."""
    found: list[Part] = []
    for path in dict.fromkeys(paths):
        if not path.is_dir():
            raise Unusable(f"{path}: no such folder; give run directories, or a folder of recorded runs")
        runs = run_directories(path)
        recorded = None if runs else read_recorded(path)
        if not runs and recorded is None:
            raise Unusable(f"{path}: neither a run (no run.json in it or below it) nor a folder of recorded runs")
        found += [read_part(run) for run in runs] if runs else recorded or ()
    empty = [f"{part.name} has no finished episode yet and is left out" for part in found if not part.played]
    return [part for part in found if part.played], empty


def chosen(parts: Sequence[Part], where: Sequence[str]) -> list[Part]:
    """The parts that match every `KEY=PATTERN`; a domain, split or tag selects episodes."""
    tags = dict.fromkeys([*WITHIN, *(tag for part in parts for episode in part.played for tag in episode.tags)])
    possible = tuple(dict.fromkeys([*tags, *(name for part in parts for name in part.settings)]))
    kept = list(parts)
    for condition in where:
        key, equals, pattern = condition.partition("=")
        if not equals:
            raise Unusable(f"--where is KEY=VALUE, such as agent=ground* or model=sim:*, not {condition!r}")
        if key not in possible:
            raise Unusable(f"--where: {unknown('setting', key, possible)}")
        narrowed = (_narrowed(part, key, pattern) if key in tags else _fitting(part, key, pattern) for part in kept)
        kept = [part for part in narrowed if part is not None]
    if not kept:
        raise Unusable(f"nothing fits --where {' '.join(where)}")
    return kept


def _fitting(part: Part, key: str, pattern: str) -> Part | None:
    return part if fnmatchcase(str(part.settings.get(key)), pattern) else None


def _narrowed(part: Part, key: str, pattern: str) -> Part | None:
    played = tuple(episode for episode in part.played if fnmatchcase(_tag(episode, key), pattern))
    gone = len(part.played) - len(played)
    # The split of an unfinished episode is unknown: it counts as missing only if nothing was filtered.
    expected = len(played) if gone else part.expected
    return replace(part, played=played, expected=expected) if played else None


def _tag(episode: Played, key: str) -> str:
    return str(getattr(episode, key)) if key in WITHIN else episode.tags.get(key, "")


def find_arm(name: str, arms: Sequence[Arm]) -> Arm:
    """The arm with this path, or this part of a label; `Unusable` if there is none or several."""
    path = Path(name)
    here = [arm for arm in arms if any(path.resolve() == Path(part.path).resolve() for part in arm.parts)]
    named = [arm for arm in arms if arm.label == name] or [arm for arm in arms if name.lower() in arm.label.lower()]
    found = here or named
    labels = "; ".join(arm.label for arm in found or arms)
    if not found:
        raise Unusable(f"--baseline: none of what is compared is {name!r}. There are: {labels}")
    if len(found) > 1:
        raise Unusable(f"--baseline: {name!r} may be any of: {labels}. Name one of them")
    return found[0]
