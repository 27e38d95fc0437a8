"""Worlds that can be served, by name: those of this room, installed ones, and those in a user's file.

A world is found by its catalogue, which has `tasks()` and `open_task(wanted, seed)`. It is the module
`envs/<name>/catalogue.py`, an entry point of the group `plumbline.worlds`, or `path/file.py:NAME`. Without a name the
file is the catalogue.
"""

from __future__ import annotations

import importlib
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from planners.names import unknown
from planners.user_files import import_file

if TYPE_CHECKING:
    from envs.rest.server import Catalogue

GROUP = "plumbline.worlds"


def names() -> list[str]:
    """The worlds of this room that have a catalogue."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/catalogue.py"))


def installed() -> dict[str, EntryPoint]:
    """The worlds of installed distributions, by name; ours take precedence."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in names()}


def find_catalogue(name: str) -> Catalogue:
    """The catalogue of a world; `ValueError` if there is none, or it cannot be used."""
    if ".py" in name:
        return _from_file(name)
    if name in names():
        return cast("Catalogue", importlib.import_module(f"envs.{name}.catalogue"))
    offered = installed()
    if name not in offered:
        raise unknown("world", name, (*names(), *offered))
    try:
        found = offered[name].load()
    except (Exception, SystemExit) as error:
        raise ValueError(f"world {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    return _checked(found, f"the entry point {name!r}")


def _from_file(spec: str) -> Catalogue:
    file, _, name = (spec, "", "") if spec.endswith(".py") else spec.rpartition(":")
    path = Path(file)
    if not path.is_file():
        raise ValueError(f"no world {spec!r}: there is no file {path}")
    module = import_file(path, "world")
    found = getattr(module, name, None) if name else module
    if found is None:
        raise ValueError(f"{path} has no {name!r}")
    return _checked(found, spec)


def _checked(found: Any, where: str) -> Catalogue:
    missing = [name for name in ("tasks", "open_task") if not callable(getattr(found, name, None))]
    if missing:
        raise ValueError(f"{where} is no catalogue of a world: it has no function {missing[0]!r}")
    return cast("Catalogue", found)
