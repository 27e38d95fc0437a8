"""Loads models by spec. `sim:gpt-4.1?blunder=0.2` calls `load` of `models/sim.py` with `gpt-4.1` and the options.

A new provider is one new file with `USAGE` (a line of help) and `load(rest, options)`; nothing here is edited. It may
also define `endpoint(rest, options)`, the host that it would ask, `parts(options)`, the specs of the models that it
consists of, and `ASKS_TRUST = True` if a spec can name code to run or files to download. Users' own models are
`path/file.py:load`, or entry points of installed distributions in the group `plumbline.models`.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType

import models
from models import _own
from models._keys import OPTION
from models.base import Model
from planners.names import unknown

NOT_PROVIDERS = {"registry"}
Route = Callable[[str], Model | None]
_ROUTE: ContextVar[Route | None] = ContextVar("route", default=None)


def names() -> list[str]:
    """The modules of this package that could be providers."""
    found = (module.name for module in pkgutil.iter_modules(models.__path__))
    return sorted(name for name in found if not name.startswith("_") and name not in NOT_PROVIDERS)


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"models.{name}")
    except Exception as error:
        raise ValueError(f"models/{name}.py cannot be used: {type(error).__name__}: {error}") from error


@cache
def providers() -> dict[str, ModuleType]:
    """The modules of this package that can load a model, by name."""
    modules = {name: _imported(name) for name in names()}
    return {name: module for name, module in modules.items() if hasattr(module, "load") and hasattr(module, "USAGE")}


@contextmanager
def routed(route: Route | None) -> Iterator[None]:
    """Within the block, models come from the route, where it has one for a spec: they are behind a gateway.

    Without a route, an outer one stays.
    """
    before = _ROUTE.set(route or _ROUTE.get())
    try:
        yield
    finally:
        _ROUTE.reset(before)


def load_model(spec: str) -> Model:
    """Load the model of a spec such as `sim:gpt-4.1?blunder=0.2`. Only the provider's own file is imported."""
    route = _ROUTE.get()
    elsewhere = None if route is None else route(spec)
    if elsewhere is not None:
        return elsewhere
    name, rest, options = _read(spec)
    own = None if name in names() else _own.in_file(spec)
    if own is not None:
        path, attribute, rest, query = own
        return _own.load_file(path, attribute, rest, _options(query))
    module = _provider(name)
    if isinstance(module, EntryPoint):
        return _own.load_installed(module, rest, options)
    model: Model = module.load(rest, options)
    return model


def file_of(spec: str) -> Path | None:
    """The user's file that a spec names; None for other specs. Nothing is imported."""
    own = None if _read(spec)[0] in names() else _own.in_file(spec)
    return own[0] if own else None


def endpoint_of(spec: str) -> str | None:
    """The host that a spec would send requests to, from the spec and the environment; None if it sends none.

    Nothing is contacted, and neither clients nor users' code are imported. If only a file, an installed
    distribution or a class of LangChain knows the host, its name is returned instead.
    """
    name, rest, options = _read(spec)
    own = None if name in names() else _own.in_file(spec)
    if own is not None:
        return str(own[0])
    module = _provider(name)
    if isinstance(module, EntryPoint):
        return module.value
    where = getattr(module, "endpoint", None)
    return None if where is None else str(where(rest, options))


def goes_over_network(spec: str) -> bool:
    """Whether a spec names one of our models over a network."""
    name = _read(spec)[0]
    return name in names() and hasattr(_imported(name), "endpoint")


def needs_trust(spec: str) -> bool:
    """Whether a spec from elsewhere could run code, fetch or read files, or send data to an address of its own.

    Safe are models that send and read nothing, and providers at their own address, or the one in the environment, with
    their own key. Nothing is contacted and no code of the spec is imported.
    """
    name, rest, options = _read(spec)
    if any(needs_trust(part) for part in _parts(spec)) or not loads_safely(spec) or "://" in spec or OPTION in options:
        return True
    where = getattr(_imported(name), "endpoint", None) if name in names() else None
    if where is None:
        return any(exists(text) for text in (rest, *options.values()))
    try:
        return bool(where(rest, options) != where("any", {}))
    except ValueError:
        return True


def exists(text: str) -> bool:
    """Whether there is a file or a folder of this name."""
    try:
        return bool(text) and Path(text).expanduser().exists()
    except (OSError, ValueError, RuntimeError):  # a name that is too long, has a zero byte, or an unknown home
        return False


def loads_safely(spec: str) -> bool:
    """Whether loading the model neither runs code that its spec names nor downloads anything."""
    name, _, _ = _read(spec)
    if not all(loads_safely(part) for part in _parts(spec)):
        return False
    if name in names():
        return not getattr(_imported(name), "ASKS_TRUST", False)
    # How an installed distribution uses its options is unknown; an unknown name loads nothing.
    return _own.in_file(spec) is None and not (name and _own.installed(name))


def _parts(spec: str) -> tuple[str, ...]:
    """The specs of the models that a model consists of, as `parts(options)` of its provider lists them."""
    name, _, options = _read(spec)
    parts = getattr(_imported(name), "parts", None) if name in names() else None
    return () if parts is None else tuple(parts(options))


def _provider(name: str) -> ModuleType | EntryPoint:
    """The provider of this name in this package, or in an installed distribution."""
    module = _imported(name) if name in names() else None
    if module is not None and hasattr(module, "USAGE"):
        return module
    entry = _own.installed(name).get(name) if name else None
    if entry is None:
        raise unknown("model", name, (*providers(), *_own.installed()))
    return entry


def _read(spec: str) -> tuple[str, str, dict[str, str]]:
    """Split a spec into the name of the provider, the part after its colon, and the options."""
    before, _, query = spec.partition("?")
    name, _, rest = before.partition(":")
    return name, rest, _options(query)


def _options(query: str) -> dict[str, str]:
    return dict(pair.partition("=")[::2] for pair in query.split("&") if pair)
