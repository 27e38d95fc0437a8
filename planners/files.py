"""Reading untrusted files with care: only real files, and only up to a size.

A pipe in place of a file would be waited for without end, and a file of some gigabytes would take all memory.
"""

from __future__ import annotations

import gzip
import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

LARGEST = 256 * 2**20
"""Bytes of a file that is read as a whole, unless the caller says otherwise."""
LARGEST_JSON = 32 * 2**20
"""Bytes of a JSON file. What is read takes ten times as much memory."""
LONGEST_LINE = 16 * 2**20
"""Bytes of a line."""
LARGEST_UNPACKED = 256 * 2**20
"""Bytes that a packed file may unpack to."""
LARGEST_LISTED = 2**31
"""Bytes of a file of which only an index is kept."""


class Unreadable(ValueError):
    """A file that is not read; the message says why, without the name of the file."""


def opened(path: Path, most: int = LARGEST) -> BinaryIO:
    """A file to read from; `Unreadable` if it is no real file, or too large; `OSError` as `open` raises it."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC | getattr(os, "O_NONBLOCK", 0))
    found = os.fstat(handle)
    if stat.S_ISREG(found.st_mode) and found.st_size <= most:
        return os.fdopen(handle, "rb")
    os.close(handle)
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(21, "Is a directory", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise Unreadable("it is no file that can be read")
    raise Unreadable(f"it is too large: {found.st_size:,} bytes, and at most {most:,} are read")


def read_bytes(path: Path, most: int = LARGEST) -> bytes:
    """All of a file; `Unreadable` or `OSError` if it cannot be read."""
    with opened(path, most) as file:
        content = file.read(most + 1)
    if len(content) > most:  # it has grown meanwhile, or its size was not known
        raise Unreadable(f"it is too large: at most {most:,} bytes are read")
    return content


def read_text(path: Path, most: int = LARGEST) -> str:
    """All text of a file, with a mark for what is not UTF-8; `Unreadable` or `OSError` if it cannot be read."""
    return read_bytes(path, most).decode("utf-8", "replace")


def read_json(path: Path, most: int = LARGEST_JSON) -> Any:
    """The JSON in a file; `Unreadable` with the reason if there is none."""
    try:
        return json.loads(read_bytes(path, most))
    except FileNotFoundError:
        raise Unreadable("there is no such file") from None
    except IsADirectoryError:
        raise Unreadable("it is no file that can be read") from None
    except OSError as error:
        raise Unreadable(f"it cannot be read: {error.strerror or type(error).__name__}") from None
    except UnicodeDecodeError as error:
        raise Unreadable(f"it is no text in UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise Unreadable("its JSON is nested too deeply") from None
    except Unreadable:
        raise
    except ValueError as error:
        raise Unreadable(f"broken JSON: {error}") from None


def lines_of(path: Path, most: int = LARGEST) -> Iterator[bytes]:
    """The lines of a file, one after the other; `Unreadable` if one of them is too long."""
    with opened(path, most) as file:
        yield from _lines(file, most)


def packed_lines_of(path: Path, most: int = LARGEST_UNPACKED) -> Iterator[bytes]:
    """The lines of a gzip file; `Unreadable` if it unpacks to more than it should."""
    with opened(path) as packed, gzip.GzipFile(fileobj=packed) as file:
        yield from _lines(file, most)


def _lines(file: Any, most: int) -> Iterator[bytes]:
    left = most
    while line := file.readline(LONGEST_LINE + 1):
        left -= len(line)
        if len(line) > LONGEST_LINE:
            raise Unreadable(f"a line in it is longer than {LONGEST_LINE:,} bytes")
        if left < 0:
            raise Unreadable(f"it holds more than {most:,} bytes")
        yield line
