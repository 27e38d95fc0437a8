"""Drafts of sets, tried one after another until enough have passed all gates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import count as numbers
from multiprocessing import get_context

from envs.arm.recipes import Level, Source
from envs.arm.sets import Options, attempt
from planners.files import Unreadable

_PATIENCE = 300
"""The number of failed drafts for each wanted set at which the search is given up."""
_BATCH = 16
"""The number of drafts that each process gets at a time."""


class Drafts:
    """The results of drafts of one source and level, in order. They are kept, because both directions use them."""

    def __init__(self, source: Source, level: Level, seed: int, workers: int = 1, arm: str = "") -> None:
        self.name = f"{source}-{level}"
        self._try: Callable[[int], Options | str] = partial(attempt, source, level, seed, arm=arm)
        self._workers = workers
        self._results: list[Options | str] = []

    def sets(self, wanted: int) -> tuple[list[Options], Counter[str]]:
        """The first sets that passed, and what happened to the drafts up to the last of them."""
        found: list[Options] = []
        tally: Counter[str] = Counter()
        for result in self._all():
            tally["passed" if isinstance(result, Options) else result] += 1
            if isinstance(result, Options):
                found.append(result)
                if len(found) == wanted:
                    break
            elif tally.total() > (_PATIENCE + 1) * (len(found) + 1):
                del tally["passed"]
                gate, count = tally.most_common(1)[0]
                raise Unreadable(
                    f"{self.name}: too few drafts pass the gates; {count} of {tally.total()} failed at: {gate}"
                )
        return found, tally

    def _all(self) -> Iterator[Options | str]:
        yield from self._results
        with ExitStack() as stack:
            for result in self._more(stack):
                self._results.append(result)
                yield result

    def _more(self, stack: ExitStack) -> Iterator[Options | str]:
        first = len(self._results)
        if self._workers < 2:
            yield from map(self._try, numbers(first))
            return
        pool = stack.enter_context(get_context("spawn").Pool(self._workers))
        for start in numbers(first, _BATCH * self._workers):
            yield from pool.imap(self._try, range(start, start + _BATCH * self._workers))
