"""Reads untrusted files safely: only regular files, and only up to a size.

Reading a pipe could block forever, and a file of some gigabytes would use all memory.
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
"""The default limit for a file that is read as a whole, in bytes."""
LARGEST_JSON = 32 * 2**20
"""Bytes of a JSON file. The parsed content takes ten times as much memory."""
LONGEST_LINE = 16 * 2**20
"""Bytes of a line."""
LARGEST_UNPACKED = 256 * 2**20
"""The limit for the content of a packed file, in bytes."""
LARGEST_LISTED = 2**31
"""Bytes of a file of which only an index is kept in memory."""


class Unreadable(ValueError):
    """The file cannot be read; the message says why, without the name of the file."""


def opened(path: Path, most: int = LARGEST) -> BinaryIO:
    """Open a file to read; `Unreadable` if it is not a regular file or too large, `OSError` like `open`."""
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
    if len(content) > most:  # the file has grown, or its size was unknown
        raise Unreadable(f"it is too large: at most {most:,} bytes are read")
    return content


def read_text(path: Path, most: int = LARGEST) -> str:
    """All text of a file; bytes that are not UTF-8 are replaced. `Unreadable` or `OSError` if it cannot be read."""
    return read_bytes(path, most).decode("utf-8", "replace")


def read_json(path: Path, most: int = LARGEST_JSON) -> Any:
    """Parse a JSON file; `Unreadable` with the reason if that fails."""
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
    """Iterate over the lines of a file; `Unreadable` if one of them is too long."""
    with opened(path, most) as file:
        yield from _lines(file, most)


def packed_lines_of(path: Path, most: int = LARGEST_UNPACKED) -> Iterator[bytes]:
    """Iterate over the lines of a gzip file; `Unreadable` if its content is too large."""
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
