"""Find the smallest sets of faculties that would have saved a failed episode if perfect.

First one faculty at a time is made perfect, then two, and so on. A set is tried only if each of its faculties could
have failed in the rerun without it, and never if a subset was enough.

The protocol is not a faculty of the agent: three times the steps make up for many mistakes. It is tried alone, but
blamed only if nothing else helps.
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
    """The outcome of a rerun."""

    SAVED = "saved"
    LOST = "lost"
    UNTRIED = "untried"


@dataclass
class Case:
    """A failed episode and the outcomes of its reruns. `judge` says which faculties could have failed in them."""

    result: EpisodeResult
    records: Sequence[Record]
    faculties: Sequence[str]
    judge: Changeable | None = None
    tried: dict[Set, Fate] = field(default_factory=dict)
    lost: dict[Set, Sequence[Record]] = field(default_factory=dict)
    untried: str = ""

    @property
    def saving(self) -> list[Set]:
        """The smallest sets that would have saved it, by size; the protocol only if nothing else helps."""
        saved = self.in_order(found for found, fate in self.tried.items() if fate is Fate.SAVED)
        saved = [found for found in saved if PROTOCOL not in found] or saved
        return [found for found in saved if not any(other < found for other in saved)]

    def saved_by(self, *faculties: str) -> bool:
        """Whether these faculties would have saved it."""
        return self.tried.get(frozenset(faculties)) is Fate.SAVED

    @property
    def determined(self) -> bool:
        """Whether it is known what would have saved it, or that nothing would."""
        return bool(self.saving) or Fate.UNTRIED not in self.tried.values()

    @property
    def impossible(self) -> bool:
        """Whether nothing saves it because a necessary action always fails."""
        if self.judge is None or self.saving:
            return False
        return any(self.judge.impossible(records, found) for found, records in self.lost.items())

    @property
    def blame(self) -> dict[str, float]:
        """The share of each faculty: equal over the smallest sets, and equal within each (Deegan and Packel)."""
        shares: defaultdict[str, float] = defaultdict(float)
        for found in self.saving:
            for faculty in found:
                shares[faculty] += 1 / (len(self.saving) * len(found))
        return dict(shares)

    @property
    def first_wrong_answer(self) -> str:
        """The first wrong answer."""
        return first_wrong_answer(self.records)

    def in_order(self, sets: Iterable[Set]) -> list[Set]:
        """Sets by size, then in the order of the faculties."""
        places = {faculty: place for place, faculty in enumerate(self.faculties)}
        return sorted(sets, key=lambda found: (len(found), sorted(places[faculty] for faculty in found)))

    def name_of(self, found: Set) -> str:
        """`perception+protocol`."""
        return "+".join(faculty for faculty in self.faculties if faculty in found)

    def could_fail(self, records: Sequence[Record], found: Set) -> Set:
        """The faculties that could have failed in a record, of those that can be blamed."""
        return self.judge.could_fail(records, found) & set(self.faculties) if self.judge else frozenset()


@dataclass(frozen=True)
class Tried:
    """The outcome of one rerun."""

    result: EpisodeResult
    records: Sequence[Record]


Play: TypeAlias = Callable[[int, Mapping[Set, Sequence[str]]], Awaitable[Mapping[Set, Mapping[str, Tried]]]]
"""Plays episodes with each set of faculties perfect; the first argument is the size of the sets."""


async def search(cases: Mapping[str, Case], play: Play) -> None:
    """Find for every case what would have saved it."""
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
    """Try larger and larger sets, until no candidates remain."""
    played = len(cases)
    while played:
        played = await _play(cases, play, {name: _bigger(case, without) for name, case in cases.items()})


def _bigger(case: Case, without: Set) -> set[Set]:
    """The candidates: sets that failed, with one more faculty."""
    bigger = {
        found | {faculty}
        for found, records in case.lost.items()
        for faculty in case.could_fail(records, found) - without
    }
    return {found for found in bigger if found not in case.tried and not any(one <= found for one in case.saving)}


async def _play(cases: Mapping[str, Case], play: Play, wanted: Mapping[str, set[Set]]) -> int:
    """Play the smallest of the wanted sets; how many there were."""
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
