"""Models by name. `sim:gpt-4.1?blunder=0.2` is the file `models/sim.py`, told `gpt-4.1` and its options.

A new provider is one new file with `USAGE`, a line of help, and `load(rest, options)`; nothing here is edited.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType

import models
from models.base import Model
from planners.names import unknown

NOT_PROVIDERS = {"registry"}


def names() -> list[str]:
    """The modules of this room that could be providers."""
    found = (module.name for module in pkgutil.iter_modules(models.__path__))
    return sorted(name for name in found if not name.startswith("_") and name not in NOT_PROVIDERS)


def _imported(name: str) -> ModuleType:
    try:
        return importlib.import_module(f"models.{name}")
    except Exception as error:
        raise ValueError(f"models/{name}.py cannot be used: {type(error).__name__}: {error}") from error


@cache
def providers() -> dict[str, ModuleType]:
    """The modules of this room that can load a model, by name."""
    modules = {name: _imported(name) for name in names()}
    return {name: module for name, module in modules.items() if hasattr(module, "load") and hasattr(module, "USAGE")}


def load_model(spec: str) -> Model:
    """The model that a spec such as `sim:gpt-4.1?blunder=0.2` names. Only its own file is imported."""
    name, _, rest = spec.partition(":")
    if "?" in name:
        name, _, query = name.partition("?")
        rest = f"?{query}"
    module = _imported(name) if name in names() else None
    if module is None or not hasattr(module, "USAGE"):
        raise unknown("model", name, tuple(providers()))
    rest, _, query = rest.partition("?")
    options = dict(pair.partition("=")[::2] for pair in query.split("&") if pair)
    model: Model = module.load(rest, options)
    return model
