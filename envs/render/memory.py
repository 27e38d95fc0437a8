"""Memory of large arrays, which is given back to the system."""

from __future__ import annotations

import ctypes
from contextlib import suppress
from functools import cache

_MMAP_THRESHOLD = -3
_LARGE = 1 << 20


@cache
def return_large_arrays() -> None:
    """Have glibc map arrays of a megabyte or more, so that they return to the system when they are freed.

    By default this threshold rises to 32 MB, and pictures drawn in several threads leave 200 MB of holes. Other C
    libraries are left as they are.
    """
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(_MMAP_THRESHOLD, _LARGE)
