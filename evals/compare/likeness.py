"""Check whether runs are comparable: the same problems, prompts and scorer.

The fingerprints in `run.json` decide. What is not known of a run, such as the prompts of one that another program
recorded, cannot differ, and is noted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from evals.compare.arms import Arm, Part, Played, Stratum
from planners.names import natural

PLAYED = ("problems", "questions")
"""Fingerprints of what is played. If they differ, the differing problems are named."""
APART = frozenset({*PLAYED, "scorer", "prompts", "agent", "pictures"})
"""Fingerprints with special rules; all others have to be equal."""
WORDS = {"texts": "wording of questions"}
"""Names of fingerprints in messages, if other than in `run.json`."""
FEW = 3
"""How many names a message lists at most."""


def incomparable(arms: Sequence[Arm]) -> list[str]:
    """Why the arms are not comparable, a line each; empty if they are."""
    parts = [part for arm in arms for part in arm.parts]
    return [*_wordings(parts), *_problems(arms)]


def _wordings(parts: Sequence[Part]) -> Iterator[str]:
    yield from _differing("scorer", ((part, part.fingerprints.get("scorer")) for part in parts))
    # Domains have different prompts, so only runs of the same domain are compared.
    differing = [line for domain in _domains(parts) for line in _differing_prompts(_in_domain(parts, domain))]
    yield from dict.fromkeys(differing)
    # A run of several domains has one fingerprint for all of them.
    for world in dict.fromkeys(map(_world, parts)):
        here = [part for part in parts if _world(part) == world]
        for kind in dict.fromkeys(kind for part in here for kind in part.fingerprints if kind not in APART):
            yield from _differing(WORDS.get(kind, kind), ((part, part.fingerprints.get(kind)) for part in here))
        looking = [part for part in here if part.looks]
        yield from _differing("pictures", ((part, part.fingerprints.get("pictures")) for part in looking))


def _world(part: Part) -> tuple[str, str]:
    """The world or questions of a run."""
    return part.benchmark, str(part.settings.get("domain"))


def _domains(parts: Sequence[Part]) -> list[str]:
    return sorted({episode.domain for part in parts for episode in part.played})


def _in_domain(parts: Sequence[Part], domain: str) -> list[Part]:
    return [part for part in parts if any(episode.domain == domain for episode in part.played)]


def _differing_prompts(parts: Sequence[Part]) -> Iterator[str]:
    for name in sorted({name for part in parts for name in _prompts(part)}):
        yield from _differing(f"prompt {name}", ((part, _prompts(part).get(name)) for part in parts))


def _prompts(part: Part) -> Mapping[str, Any]:
    prompts = part.fingerprints.get("prompts")
    return prompts if isinstance(prompts, Mapping) else {}


def _differing(what: str, known: Iterable[tuple[Part, Any]]) -> Iterator[str]:
    """One line if there is more than one fingerprint; unknown ones are ignored."""
    groups: defaultdict[str, list[str]] = defaultdict(list)
    for part, value in known:
        if value:
            groups[str(value)].append(part.name)
    if len(groups) > 1:
        sides = (f"{value} in {_few(names)}" for value, names in groups.items())
        yield f"{what}: {', '.join(sides)}"


def _problems(arms: Sequence[Arm]) -> Iterator[str]:
    for stratum in dict.fromkeys(stratum for arm in arms for stratum in arm.strata):
        sides = [arm for arm in arms if stratum in arm.strata]
        first = sides[0]
        for other in sides[1:]:
            if reason := _problems_of_two(first, other, stratum):
                yield f"problems of {' '.join(stratum)}: {reason}"
                break


def _problems_of_two(first: Arm, other: Arm, stratum: Stratum) -> str:
    names = [{played.problem for played in arm.played if played.stratum == stratum} for arm in (first, other)]
    # Problems that an unfinished run has not played yet are missing, not different.
    for arm, mine, theirs in ((first, names[0], names[1]), (other, names[1], names[0])):
        if theirs - mine and not arm.missing:
            return f"{_few(sorted(theirs - mine, key=natural))} not in {arm.label}"
    if _same_fingerprint(first, other):
        return ""
    starts = [_starts(arm, stratum) for arm in (first, other)]
    moved = [key[0] for key in starts[0].keys() & starts[1] if starts[0][key] != starts[1][key]]
    if moved:
        shown = _few(sorted(set(moved), key=natural))
        return f"{shown} start or end differently in {other.label} than in {first.label}"
    return ""


def _same_fingerprint(first: Arm, other: Arm) -> bool:
    """Whether both have the same fingerprint of problem files, so that no trace has to be read."""
    known = [{_of_played(part) for part in arm.parts} for arm in (first, other)]
    return known[0] == known[1] != {""} and len(known[0]) == 1


def _of_played(part: Part) -> str:
    return " ".join(str(part.fingerprints[name]) for name in PLAYED if name in part.fingerprints)


def _starts(arm: Arm, stratum: Stratum) -> dict[tuple[str, tuple[int, int]], str]:
    here: Iterable[Played] = (played for played in arm.played if played.stratum == stratum)
    found = {(played.problem, played.draw): played.start() for played in here}
    return {key: start for key, start in found.items() if start is not None}


def notes(arms: Sequence[Arm]) -> list[str]:
    """Notes for the reader."""
    return [*_unknown(arms), *_incomplete(arms), *_other_code(arms)]


def not_paired(pairs: Sequence[tuple[Arm, Arm]]) -> Iterator[str]:
    """One line about pairs without common problems, if there are any."""
    if pairs:
        names = _few([f"{left.label} with {right.label}" for left, right in pairs])
        yield f"NOT PAIRED, because there is no problem that both played and that counts: {names}"


def _unknown(arms: Sequence[Arm]) -> Iterator[str]:
    known = [arm for arm in arms if any(part.fingerprints for part in arm.parts)]
    blank = [arm for arm in arms if arm not in known]
    if not known:
        yield "all runs were recorded by another program: what their prompts and pictures were is not known"
    elif blank:
        names = _few([arm.label for arm in blank])
        yield f"prompts, pictures and problem files of {names} are not recorded: problems are matched by name"


def _incomplete(arms: Sequence[Arm]) -> Iterator[str]:
    for arm in arms:
        if arm.missing:
            yield f"PARTIAL: {arm.missing} episodes of {arm.label} are not finished"
        if arm.lost:
            yield f"{arm.lost} episodes of {arm.label} are not scored: something broke down, or the agent's code did"


def _other_code(arms: Sequence[Arm]) -> Iterator[str]:
    """Notes about agents from different versions of a file, which are comparable."""
    versions: defaultdict[str, set[str]] = defaultdict(set)
    for arm in arms:
        for part in arm.parts:
            if part.fingerprints.get("agent"):
                versions[str(part.settings.get("agent"))].add(str(part.fingerprints["agent"]))
    for agent, found in versions.items():
        if len(found) > 1:
            yield f"the code of agent {agent} is not the same in all runs"


def _few(names: Sequence[str]) -> str:
    listed = list(dict.fromkeys(names))
    more = f" and {len(listed) - FEW} more" if len(listed) > FEW else ""
    return f"{', '.join(listed[:FEW])}{more}"
