"""Write to a run: never through symbolic links, and stop the run if a write fails.

Once the disk is full, or the folder is gone, further replies would be paid for and lost.
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
            f"{path} is a symbolic link; runs are not read or written through links. Put the file itself there"
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
    """A file to append lines to. `write` returns after the line has left the process, or raises `CannotKeep`."""

    def __init__(self, path: Path, mode: str = "ab") -> None:
        self.path = path
        with writing(path):
            # Unbuffered: a failed write must not be repeated when the file is closed.
            self._file = open(path, mode, buffering=0)  # noqa: PTH123, SIM115
            self._place = self._here()

    def write(self, text: str) -> None:
        """Append text that ends with a newline."""
        remaining = memoryview(text.encode())
        with writing(self.path):
            if self._here() != self._place:
                raise CannotKeep(f"{self.path} was moved or deleted during the run")
            while remaining:
                remaining = remaining[self._file.write(remaining) :]

    def sync(self) -> None:
        """Wait until the file is on disk."""
        with writing(self.path):
            os.fsync(self._file.fileno())

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def _here(self) -> tuple[int, int]:
        """The identity of the file at this path."""
        found = self.path.stat()
        return found.st_dev, found.st_ino


def cut_after_last_line(path: Path) -> None:
    """Remove a last line truncated by a kill."""
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
