"""The share of blame of each faculty over all failed episodes, with intervals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from evals.blame.search import Case
from evals.run.statistics import Interval, bootstrap, wilson

IMPOSSIBLE = "impossible"
"""The cause if a necessary action always fails."""
UNEXPLAINED = "unexplained"
"""The cause if an episode fails for another reason although all faculties are perfect."""


@dataclass(frozen=True, slots=True)
class Share:
    """One cause. `alone` counts the episodes it alone would have saved; `blame` is its mean share. Intervals: 95 %."""

    cause: str
    alone: int
    alone_within: Interval
    blame: float
    blame_within: Interval


def shares(cases: Sequence[Case]) -> list[Share]:
    """The causes, the largest share first; none if no case is determined."""
    known = [case for case in cases if case.determined]
    faculties = dict.fromkeys(faculty for case in known for faculty in case.faculties)
    causes = [name for name in faculties if any(name in case.blame or case.saved_by(name) for case in known)]
    found = [
        _share(faculty, [case.saved_by(faculty) for case in known], [case.blame.get(faculty, 0.0) for case in known])
        for faculty in causes
    ]
    for name, share in ((IMPOSSIBLE, True), (UNEXPLAINED, False)):
        beyond = [float(not case.saving and case.impossible == share) for case in known]
        if any(beyond):
            found.append(_share(name, [False] * len(known), beyond))
    return sorted(found, key=lambda share: -share.blame)


def _share(cause: str, alone: Sequence[bool], blame: Sequence[float]) -> Share:
    within = wilson(sum(alone), len(alone))
    return Share(str(cause), sum(alone), within, sum(blame) / len(blame), bootstrap([blame]))


def saving_sets(case: Case) -> str:
    """What would have saved an episode: `perception, or planning and protocol`."""
    if not case.saving and not case.determined:
        return "nothing that was tried"
    if not case.saving:
        return f"nothing: {IMPOSSIBLE if case.impossible else UNEXPLAINED}"
    return ", or ".join(case.name_of(found).replace("+", " and ") for found in case.saving)


def groups(cases: Iterable[Case]) -> list[tuple[str, int]]:
    """How many episodes have each `saving_sets`, the most frequent first."""
    return Counter(saving_sets(case) for case in cases).most_common()


def as_json(share: Share) -> dict[str, Any]:
    """A share as an object."""
    return {
        "cause": share.cause,
        "alone": share.alone,
        "alone_low": round(share.alone_within.low, 4),
        "alone_high": round(share.alone_within.high, 4),
        "blame": round(share.blame, 4),
        "blame_low": round(share.blame_within.low, 4),
        "blame_high": round(share.blame_within.high, 4),
    }
