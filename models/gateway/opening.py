"""Open a gateway on its file of answers, which one gateway holds at a time."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from models.cache import AnswerCache
from models.conduct import Terms
from models.gateway.core import Gateway


class Held(Exception):
    """Another gateway has the file of answers."""


class OpenGateway(Gateway):
    """A gateway that holds its file of answers until it is closed."""

    def __init__(self, path: Path, terms: Terms, allowed: Iterable[str] = (), *, trusts: bool = False) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = _hold(path)
        super().__init__(AnswerCache.shared(path), terms, allowed, trusts=trusts)

    async def close(self) -> None:
        """Close the gateway and release its file."""
        await super().close()
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
