"""Benchmarks by name: the class of `evals/<name>_benchmark.py`. A new one is found without being listed."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from evals.benchmark import Benchmark
from planners.names import unknown

_SUFFIX = "_benchmark"


def names() -> list[str]:
    """The benchmarks there are."""
    return sorted(path.stem.removesuffix(_SUFFIX) for path in Path(__file__).parent.glob(f"*{_SUFFIX}.py"))


def find_benchmark(name: str) -> Benchmark[Any]:
    """The benchmark of this name; `ValueError` if there is none."""
    if name not in names():
        raise unknown("benchmark", name, tuple(names()))
    module = importlib.import_module(f"evals.{name}{_SUFFIX}")
    found = [
        value
        for value in vars(module).values()
        if isinstance(value, type) and value.__module__ == module.__name__ and hasattr(value, "episodes")
    ]
    if len(found) != 1:
        raise ValueError(f"evals/{name}{_SUFFIX}.py has {len(found)} benchmarks, not one")
    benchmark: Benchmark[Any] = found[0]()
    return benchmark
