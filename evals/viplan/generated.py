"""Problems beyond the frozen 75: `--problems generate:N` plays N new ones of each split.

`generate:train:N` has others, for whatever is fitted or tuned. Problems are made once and kept in a folder of the
user's cache (`PLUMBLINE_CACHE`, by default `~/.cache/plumbline`), under a hash of the code that makes them. The first N
are the same whatever N is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

from evals.run.settings import fingerprint
from planners import get_planner

PREFIX = "generate:"
More: TypeAlias = Callable[..., Iterator[tuple[str, dict[str, str]]]]
PLANNERS = {"blocksworld": "fd", "household": "fd-opt"}
"""The planner whose plans decide which problems are kept."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many problems of each split, and whether for training."""

    count: int
    train: bool = False

    @classmethod
    def parse(cls, text: str | None) -> Wanted | None:
        """What `generate:…` asks for; None for a folder; `ValueError` if it cannot be read."""
        if text is None or not text.startswith(PREFIX):
            return None
        *train, number = text.removeprefix(PREFIX).split(":")
        if train not in ([], ["train"]) or not number.isdecimal() or not int(number):
            raise ValueError(f"--problems {text}: it is generate:N or generate:train:N, with N of at least 1")
        return cls(int(number), bool(train))


def files(domain: str, split: str, wanted: Wanted) -> list[Path]:
    """The PDDL files of the problems of a split, made if they are missing."""
    folder = _folder(domain, wanted) / split
    return [folder / f"{name}.pddl" for name in _names(domain, split, wanted, folder)]


@lru_cache(maxsize=64)
def _names(domain: str, split: str, wanted: Wanted, folder: Path) -> tuple[str, ...]:
    """The names of the problems, in order; missing ones are made."""
    listed = folder / "order.txt"
    names = listed.read_text(encoding="utf-8").split() if listed.exists() else []
    missing = wanted.count - len(names)
    if missing > 0:
        sys.stderr.write(f"generating {missing} problems of {domain} {split}; they are kept in {folder}\n")
        folder.mkdir(parents=True, exist_ok=True)
        with closing(get_planner(PLANNERS[domain])) as planner:
            more: More = _module(domain).more
            for name, parts in more(split, planner, train=wanted.train, start=len(names)):
                _write(folder, name, parts)
                names.append(name)
                # Written last: whoever reads it finds every file. Two programs at once write the same.
                _write(folder, "order", {"txt": "\n".join(names) + "\n"})
                if len(names) == wanted.count:
                    break
    return tuple(names[: wanted.count])


def _write(folder: Path, name: str, parts: Mapping[str, str]) -> None:
    for ending, text in parts.items():
        part = folder / f".{name}.{ending}.{os.getpid()}"
        part.write_text(text, encoding="utf-8")
        part.replace(folder / f"{name}.{ending}")


def _folder(domain: str, wanted: Wanted) -> Path:
    """The folder for problems of the code as it is now."""
    cache = os.environ.get("PLUMBLINE_CACHE") or Path.home() / ".cache" / "plumbline"
    return Path(cache) / "problems" / f"{domain}-{_code(domain)}" / ("train" if wanted.train else "new")


@cache
def _code(domain: str) -> str:
    """A hash of all code of the domain's worlds, which decide what is solvable."""
    here = Path(str(_module(domain).__file__)).parent
    return fingerprint(*(path.read_bytes() for path in sorted(here.rglob("*.py"))))


def _module(domain: str) -> Any:
    return import_module(f"envs.{domain}.generate")
