"""Computes independent parts of one picture in parallel. The result does not depend on the number of threads."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import TypeVar

T = TypeVar("T")


@cache
def _helpers() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="render")


def together(threads: int, *jobs: Callable[[], T]) -> list[T]:
    """Run independent jobs in parallel; jobs must not call this themselves."""
    if threads == 1 or len(jobs) < 2:
        return [job() for job in jobs]
    others = [_helpers().submit(job) for job in jobs[1:]]
    return [jobs[0](), *(other.result() for other in others)]
