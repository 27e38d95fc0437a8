"""Writing to a run: never through a link that came with it, and what cannot be kept stops the run.

Once a disk is full, or the folder is gone, whatever is asked next would be paid for and lost.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from models.base import CannotKeep


class RunError(Exception):
    """A run directory that cannot be used; the message says why and what to do."""


def no_link(path: Path) -> None:
    """`RunError` if the path is a link."""
    if path.is_symlink():
        raise RunError(
            f"{path} is a link; in a run nothing is read or written through links. Put the file itself there"
        )


def no_links(folder: Path) -> None:
    """`RunError` if a folder holds a link at any depth."""
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            no_link(Path(where) / name)


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns an error of writing to a file, or to a folder, into `CannotKeep`."""
    try:
        yield
    except OSError as error:
        raise CannotKeep(f"{path} cannot be written: {error.strerror or error}") from None


class Lines:
    """A file that lines are written to. Each has left the process when `write` returns, or `CannotKeep` is raised."""

    def __init__(self, path: Path, mode: str = "ab") -> None:
        self.path = path
        with writing(path):
            # Without a buffer: what could not be written must not be tried again when the file is closed.
            self._file = open(path, mode, buffering=0)  # noqa: PTH123, SIM115
            self._place = self._here()

    def write(self, text: str) -> None:
        """Add text that ends with a line."""
        left = memoryview(text.encode())
        with writing(self.path):
            if self._here() != self._place:
                raise CannotKeep(f"{self.path} was moved or deleted while it was written")
            while left:
                left = left[self._file.write(left) :]

    def sync(self) -> None:
        """Wait until the disk has it."""
        with writing(self.path):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    def _here(self) -> tuple[int, int]:
        """Which file has this name now."""
        found = self.path.stat()
        return found.st_dev, found.st_ino


def cut_after_last_line(path: Path) -> None:
    """Take away a last line that a kill cut off."""
    with writing(path), path.open("r+b") as lines:
        end = lines.seek(0, os.SEEK_END)
        while end > 0:
            start = max(0, end - 2**16)
            lines.seek(start)
            found = lines.read(end - start).rfind(b"\n")
            if found >= 0:
                lines.truncate(start + found + 1)
                return
            end = start
        lines.truncate(0)
