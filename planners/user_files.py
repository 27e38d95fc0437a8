"""Python files of a user: agents, worlds, models and benchmarks in any place, imported by their path."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def import_file(path: Path, role: str) -> ModuleType:
    """The module of a file, executed each time; `ValueError` if that fails. `role` is a part of the module's name."""
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
    """The class and the message of an error, without line breaks and at most 500 characters long."""
    return " ".join(f"{type(error).__name__}: {error}".split())[:500]
