"""Frozen recipes: the questions of an embedded set, one per line, in deterministic compressed files.

A set is a folder with a file for each family.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from pathlib import Path

from evals.families.base import Recipe, from_json, to_json

SUFFIX = ".jsonl.gz"


def read(path: Path) -> list[Recipe]:
    """The recipes in a file or in all files of a folder; `ValueError` with one line if one is damaged."""
    if path.is_dir():
        return [recipe for file in sorted(path.glob(f"*{SUFFIX}")) for recipe in read(file)]
    try:
        lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        if isinstance(error, FileNotFoundError):
            raise ValueError(f"there is no file {path}") from None
        raise ValueError(f"{path} is not a file of recipes: {error}") from None
    found = []
    for number, line in enumerate(lines, 1):
        try:
            found.append(from_json(json.loads(line)))
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise ValueError(
                f"{path}, line {number}: no recipe of a question: {type(error).__name__}: {error}"
            ) from None
    return found


def write(path: Path, recipes: Sequence[Recipe]) -> None:
    """Write recipes to a file; the same recipes give the same bytes."""
    lines = (json.dumps(to_json(recipe), separators=(",", ":"), ensure_ascii=False) for recipe in recipes)
    packed = gzip.compress("".join(f"{line}\n" for line in lines).encode(), 9, mtime=0)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f"{path.name}.part")
    part.write_bytes(packed)
    part.replace(path)
