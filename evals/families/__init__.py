"""Families of questions about our homes, with exact answers. A new family is a new file here that has a `FAMILY`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from planners.names import unknown

if TYPE_CHECKING:
    from evals.families.base import Family


@cache
def families() -> Mapping[str, Family]:
    """All families by name, which is that of their file."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return {module.__name__.rpartition(".")[2]: module.FAMILY for module in modules if hasattr(module, "FAMILY")}


def family(name: str) -> Family:
    """The family with this name."""
    if name not in families():
        raise unknown("family of questions", name, families())
    return families()[name]
