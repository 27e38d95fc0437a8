"""The file of answers of a gateway, which one gateway holds at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TextIO

from models.cache import AnswerCache


class Held(Exception):
    """Another gateway has the file of answers."""


class HeldCache(AnswerCache):
    """A file of answers that its gateway holds until it is closed."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _hold(path)
        super().__init__(path)

    def close(self) -> None:
        """Close the file and let go of it."""
        super().close()
        self._lock.close()


def _hold(path: Path) -> TextIO:
    """Lock a file beside the answers: two gateways on one file would ask the same questions."""
    lock = path.with_name(f"{path.name}.gateway").open("a")
    try:
        import fcntl
    except ImportError:  # Windows: no lock
        return lock
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise Held(f"{path} is used by another gateway; ask through that one, or choose another --cache") from None
    return lock
