"""What would have saved a failed episode: the smallest sets of faculties that had to be perfect for it.

First one faculty at a time is made perfect, then two, and so on. A set is tried only if the rerun without one of them
shows that this one had occasion to fail, and never if a part of it was enough.

The protocol is no faculty of anyone: with three times the steps many a blunder is made good. Whether that alone would
have been enough is determined, but the protocol is blamed only when nothing else helps.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from evals.judges.changes import PROTOCOL, Changeable
from evals.rerun.situations import first_wrong_answer
from evals.run.results import EpisodeResult
from evals.run.trace import Record

Set: TypeAlias = frozenset[str]


ALONE: Set = frozenset({PROTOCOL})


class Fate(StrEnum):
    """What became of an episode in a rerun."""

    SAVED = "saved"
    LOST = "lost"
    UNTRIED = "untried"


@dataclass
class Case:
    """A failed episode, and what came of its reruns. `judge` says what had occasion to fail in them."""

    result: EpisodeResult
    records: Sequence[Record]
    faculties: Sequence[str]
    judge: Changeable | None = None
    tried: dict[Set, Fate] = field(default_factory=dict)
    lost: dict[Set, Sequence[Record]] = field(default_factory=dict)
    untried: str = ""

    @property
    def saving(self) -> list[Set]:
        """The smallest sets that would have saved it, shortest first; the protocol only if nothing else helps."""
        saved = self.in_order(found for found, fate in self.tried.items() if fate is Fate.SAVED)
        saved = [found for found in saved if PROTOCOL not in found] or saved
        return [found for found in saved if not any(other < found for other in saved)]

    def saved_by(self, *faculties: str) -> bool:
        """Whether these would have been enough."""
        return self.tried.get(frozenset(faculties)) is Fate.SAVED

    @property
    def determined(self) -> bool:
        """Whether it is known what would have saved it, or that nothing would."""
        return bool(self.saving) or Fate.UNTRIED not in self.tried.values()

    @property
    def impossible(self) -> bool:
        """Whether nothing saves it because the world refuses what has to be done, whatever is put right."""
        if self.judge is None or self.saving:
            return False
        return any(self.judge.impossible(records, found) for found, records in self.lost.items())

    @property
    def blame(self) -> dict[str, float]:
        """Who answers for it how much: every smallest set alike, and in it every faculty alike (Deegan and Packel)."""
        shares: defaultdict[str, float] = defaultdict(float)
        for found in self.saving:
            for faculty in found:
                shares[faculty] += 1 / (len(self.saving) * len(found))
        return dict(shares)

    @property
    def first_wrong_answer(self) -> str:
        """The first answer that was wrong."""
        return first_wrong_answer(self.records)

    def in_order(self, sets: Iterable[Set]) -> list[Set]:
        """Sets by size, then in the order of the faculties."""
        places = {faculty: place for place, faculty in enumerate(self.faculties)}
        return sorted(sets, key=lambda found: (len(found), sorted(places[faculty] for faculty in found)))

    def name_of(self, found: Set) -> str:
        """`perception+protocol`."""
        return "+".join(faculty for faculty in self.faculties if faculty in found)

    def could_fail(self, records: Sequence[Record], found: Set) -> Set:
        """The faculties that had occasion to fail in a record, of those that can be blamed."""
        return self.judge.could_fail(records, found) & set(self.faculties) if self.judge else frozenset()


@dataclass(frozen=True)
class Tried:
    """What came of one rerun."""

    result: EpisodeResult
    records: Sequence[Record]


Play: TypeAlias = Callable[[int, Mapping[Set, Sequence[str]]], Awaitable[Mapping[Set, Mapping[str, Tried]]]]
"""Plays episodes with each set of faculties perfect; the first argument is how large the sets are."""


async def search(cases: Mapping[str, Case], play: Play) -> None:
    """Find out for every case what would have saved it."""
    for case in cases.values():
        case.lost[frozenset()] = case.records
    await _search(cases, play, without=ALONE)
    await _search({name: case for name, case in cases.items() if not case.saving}, play)
    rest = {name: case for name, case in cases.items() if ALONE not in case.tried}
    ended_by_rule = {
        name: case for name, case in rest.items() if PROTOCOL in case.could_fail(case.records, frozenset())
    }
    await _play(ended_by_rule, play, {name: {ALONE} for name in ended_by_rule})


async def _search(cases: Mapping[str, Case], play: Play, without: Set = frozenset()) -> None:
    """Try larger and larger sets, until nothing more is worth it."""
    played = len(cases)
    while played:
        played = await _play(cases, play, {name: _bigger(case, without) for name, case in cases.items()})


def _bigger(case: Case, without: Set) -> set[Set]:
    """The sets worth trying after those that were not enough."""
    bigger = {
        found | {faculty}
        for found, records in case.lost.items()
        for faculty in case.could_fail(records, found) - without
    }
    return {found for found in bigger if found not in case.tried and not any(one <= found for one in case.saving)}


async def _play(cases: Mapping[str, Case], play: Play, wanted: Mapping[str, set[Set]]) -> int:
    """Play the sets wanted for each case, the smallest ones first; how many reruns that were."""
    smallest = min((len(found) for sets in wanted.values() for found in sets), default=0)
    by_set: defaultdict[Set, list[str]] = defaultdict(list)
    for name, sets in wanted.items():
        for found in cases[name].in_order(sets):
            if len(found) == smallest:
                by_set[found].append(name)
    played = await play(smallest, by_set) if by_set else {}
    for found, tries in played.items():
        for name, tried in tries.items():
            _note(cases[name], found, tried)
    return len(by_set)


def _note(case: Case, found: Set, tried: Tried) -> None:
    if not tried.result.scored:
        case.tried[found], case.untried = Fate.UNTRIED, tried.result.detail
    elif tried.result.success:
        case.tried[found] = Fate.SAVED
    else:
        case.tried[found] = Fate.LOST
        case.lost[found] = tried.records
