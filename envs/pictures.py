"""Pictures by content hash: drawn on demand, stored once, found again by their scene."""

from __future__ import annotations

import hashlib
import json
import os
import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from models.base import CannotKeep
from planners.files import Unreadable, read_bytes, read_text

_NAME = re.compile(r"[0-9a-f]{64}")


_slots = threading.BoundedSemaphore(os.cpu_count() or 1)
_thread = threading.local()


@contextmanager
def _drawing() -> Iterator[None]:
    """Wait until fewer pictures are being drawn than there are processors: each takes tens of megabytes.

    A picture may be made from others; these are drawn in the slot of that picture. The slot is taken before the lock of
    the picture, so that nobody who holds that lock waits for a slot.
    """
    if getattr(_thread, "draws", False):
        yield
        return
    with _slots:
        _thread.draws = True
        try:
            yield
        finally:
            _thread.draws = False


class PictureStore:
    """Bytes of pictures, in a folder or in memory.

    `index.jsonl` maps scenes to hashes, so that a resumed run draws nothing twice.
    """

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder
        self._hashes: dict[str, str] = {}
        self._bytes: dict[str, bytes] = {}
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._index_lock = threading.Lock()
        if folder is not None:
            try:
                folder.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise CannotKeep(f"{folder} cannot be made: {error.strerror or error}") from None
            self._read_index(folder / "index.jsonl")

    def picture(self, key: str, draw: Callable[[], bytes]) -> DrawnOnDemand:
        """A picture of the scene named by `key`; `draw` makes its PNG when it is first needed."""
        return DrawnOnDemand(self, key, draw)

    def known(self, key: str) -> str | None:
        """The hash of the scene's picture if it has been drawn."""
        return self._hashes.get(key)

    def load(self, sha256: str) -> bytes:
        """The bytes with this hash."""
        if self.folder is None:
            return self._bytes[sha256]
        return (self.folder / f"{sha256}.png").read_bytes()

    def drawn(self, key: str, draw: Callable[[], bytes]) -> str:
        """The hash of the scene's picture, which is drawn and stored if it is new."""
        found = self._hashes.get(key)
        if found is not None:
            return found
        with self._index_lock:
            lock = self._locks[key]
        with _drawing(), lock:
            found = self._hashes.get(key)
            if found is None:
                found = self._keep(key, draw())
        self._locks.pop(key, None)  # waiting threads hold it, and later ones need none
        return found

    def _keep(self, key: str, png: bytes) -> str:
        sha256 = hashlib.sha256(png).hexdigest()
        with self._index_lock:
            if self.folder is None:
                self._bytes[sha256] = png
            else:
                self._write(self.folder, key, sha256, png)
            self._hashes[key] = sha256
        return sha256

    def _write(self, folder: Path, key: str, sha256: str, png: bytes) -> None:
        # Strings: `Path` objects take as long as the file system, and a run may have thousands of small pictures.
        path = f"{folder}/{sha256}.png"
        try:
            if not os.path.exists(path):  # noqa: PTH110
                # Written to a temporary file and renamed, so that a killed run leaves no partial picture.
                part = f"{folder}/{sha256}.{threading.get_ident()}.part"
                with open(part, "wb") as file:  # noqa: PTH123
                    file.write(png)
                os.rename(part, path)  # noqa: PTH104
            with open(f"{folder}/index.jsonl", "ab") as index:  # noqa: PTH123
                index.write(f"\n{json.dumps([key, sha256])}\n".encode())
        except OSError as error:
            raise CannotKeep(f"{path} cannot be written: {error.strerror or error}") from None

    def _read_index(self, path: Path) -> None:
        try:
            lines = read_text(path).splitlines()
        except (OSError, Unreadable):
            return
        # Every entry starts on a new line, so that one truncated by a kill damages no other.
        for line in lines:
            try:
                key, sha256 = json.loads(line)
            except (TypeError, ValueError, RecursionError):
                continue  # the picture is drawn again
            if _NAME.fullmatch(str(sha256)) and _is_whole(path.with_name(f"{sha256}.png")):
                self._hashes[str(key)] = str(sha256)


def _is_whole(path: Path) -> bool:
    """Whether a picture has the hash that is its name, which cached answers are keyed by."""
    try:
        return hashlib.sha256(read_bytes(path)).hexdigest() == path.stem
    except (OSError, Unreadable):
        return False


class DrawnOnDemand:
    """A picture whose bytes are made when they are first needed."""

    __slots__ = ("_draw", "_store", "key")

    def __init__(self, store: PictureStore, key: str, draw: Callable[[], bytes]) -> None:
        self._store = store
        self._draw = draw
        self.key = key

    @property
    def sha256(self) -> str:
        """The hash of the PNG."""
        return self._store.drawn(self.key, self._draw)

    def png(self) -> bytes:
        """The PNG itself."""
        return self._store.load(self.sha256)
