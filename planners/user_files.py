"""Imports a user's Python files (agents, worlds, models, benchmarks) by their path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def import_file(path: Path, role: str) -> ModuleType:
    """Import a file anew; `ValueError` if that fails. `role` becomes a part of the module's name."""
    spec = importlib.util.spec_from_file_location(f"user_{role}_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} cannot be imported: {one_line(error)}") from error
    return module


def one_line(error: BaseException) -> str:
    """The class and message of an error on one line, at most 500 characters."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]
