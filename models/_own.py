"""Loads users' models: from a file, or from an installed distribution.

`path/file.py:load:REST?option=x` calls `load(REST, options)` of the file; `load` may also be a model itself. An entry
point of the group `plumbline.models` is found by its name. It is such a function, a model, or a module with
`load`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from models.base import Model, Options
from planners.user_files import import_file, one_line

GROUP = "plumbline.models"
_FILE = re.compile(
    r"(?P<file>(?:[A-Za-z]:)?[^?:]*\.py)(?::(?P<attribute>[^:?]*))?(?::(?P<rest>[^?]*))?(?:\?(?P<query>.*))?", re.DOTALL
)
_FLAGS = ("looks", "simulated", "cacheable")


def in_file(spec: str) -> tuple[Path, str, str, str] | None:
    """File, attribute, rest and options of a spec that names a file; None for any other spec."""
    found = _FILE.fullmatch(spec)
    if found is None:
        return None
    parts = found.groupdict(default="")
    return Path(parts["file"]), parts["attribute"] or "load", parts["rest"], parts["query"]


def load_file(path: Path, attribute: str, rest: str, options: Options) -> Model:
    """The model of a user's file."""
    if not path.is_file():
        raise ValueError(f"no model {str(path)!r}: there is no such file")
    found = getattr(import_file(path, "model"), attribute, None)
    if found is None:
        raise ValueError(f"{path} has no {attribute!r}; it should be a function load(rest, options) or a model")
    return make_model(found, f"{path}:{attribute}", rest, options)


def installed(name: str | None = None) -> dict[str, EntryPoint]:
    """The entry points of installed distributions by name, or the one with this name."""
    found = entry_points(group=GROUP) if name is None else entry_points(group=GROUP, name=name)
    return {entry.name: entry for entry in found}


def load_installed(entry: EntryPoint, rest: str, options: Options) -> Model:
    """The model of an installed distribution."""
    where = f"{entry.name} ({entry.value}{f', {entry.dist.name}' if entry.dist else ''})"
    try:
        found = entry.load()
    except (Exception, SystemExit) as error:
        raise ValueError(f"{where} cannot be used: {one_line(error)}") from error
    if isinstance(found, ModuleType):
        found = getattr(found, "load", None)
    return make_model(found, where, rest, options)


def make_model(found: Any, where: str, rest: str, options: Options) -> Model:
    """The model that a function returns, or the model itself; `ValueError` if it is neither."""
    if hasattr(found, "ask") and not inspect.isclass(found):
        if rest or options:
            raise ValueError(f"{where} is a model, not a function: it takes no options")
        return check_model(found, where)
    if not callable(found):
        raise ValueError(f"{where} is neither a function load(rest, options) nor a model")
    return check_model(_call(found, where, rest, options), where)


def _call(function: Callable[..., Any], where: str, rest: str, options: Options) -> Any:
    try:
        return function(rest, options)
    except ValueError:
        raise
    except (Exception, SystemExit) as error:
        raise ValueError(f"{where} failed: {one_line(error)}") from error


def check_model(model: Any, where: str) -> Model:
    """The model, if it has every attribute of a model."""
    missing = []
    if not isinstance(getattr(model, "identity", None), str) or not model.identity:
        missing.append("identity, a text that names everything that determines its replies")
    missing += [f"{flag}, True or False" for flag in _FLAGS if not isinstance(getattr(model, flag, None), bool)]
    if not inspect.iscoroutinefunction(getattr(model, "ask", None)):
        missing.append("async def ask(request)")
    if missing:
        raise ValueError(f"{where} gives {type(model).__name__}, which is not a model; it lacks {'; '.join(missing)}")
    found: Model = model
    return found
