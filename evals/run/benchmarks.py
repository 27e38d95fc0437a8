"""Benchmarks by name: those of this room, installed ones, and those in a user's file.

Ours are every `evals/<name>/benchmark.py` or `evals/<name>.py` that defines `BENCHMARK`. Names are found in the text of
the files, so that listing them imports nothing. Installed distributions add more by entry points in the group
`plumbline.benchmarks`. A user's own is named `path/file.py:NAME`, where NAME is a benchmark or a class.
"""

from __future__ import annotations

import importlib
import re
import sys
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from evals.run.benchmark import Benchmark
from planners.names import unknown
from planners.user_files import import_file

EVALS = Path(__file__).parent.parent
GROUP = "plumbline.benchmarks"
_DECLARED = re.compile(r"^BENCHMARK\b", re.MULTILINE)


def names() -> list[str]:
    """The benchmarks of this room."""
    return sorted(_modules())


def installed() -> dict[str, EntryPoint]:
    """The benchmarks of installed distributions, by name; ours take precedence."""
    return {entry.name: entry for entry in entry_points(group=GROUP) if entry.name not in _modules()}


def find_benchmark(name: str) -> Benchmark[Any]:
    """The benchmark of this name, or the one in a user's file; `ValueError` if there is none."""
    if ".py" in name:
        return _from_file(name)
    modules = _modules()
    if name in modules:
        return _benchmark(importlib.import_module(modules[name]).BENCHMARK, modules[name])
    offered = installed()
    if name not in offered:
        raise unknown("benchmark", name, (*modules, *offered))
    try:
        found = offered[name].load()
    except (Exception, SystemExit) as error:
        raise ValueError(f"benchmark {name!r} cannot be loaded: {type(error).__name__}: {error}") from error
    benchmark = _benchmark(found, f"the entry point {name!r}")
    if benchmark.name != name:  # runs keep the benchmark's own name
        raise ValueError(f"the entry point {name!r} has a benchmark of another name: {benchmark.name}")
    return benchmark


def source_of(benchmark: Benchmark[Any]) -> str:
    """`path/file.py:NAME` of a benchmark from a file; empty for one that is found by its name."""
    kind = type(benchmark)
    module = sys.modules.get(kind.__module__)
    if kind.__module__.partition(".")[0] == EVALS.name or benchmark.name in installed():
        return ""
    file = getattr(module, "__file__", None)
    if file is not None and Path(file).resolve().parent == EVALS and benchmark.name in _modules():
        return ""  # one of this room, run as a command
    held = (name for name, value in vars(module).items() if value is benchmark) if module else iter(())
    name = next(held, kind.__qualname__)
    if file is None or "<locals>" in name:  # it could not be found again
        return ""
    path, here = Path(file).resolve(), Path.cwd()
    return f"{path.relative_to(here) if path.is_relative_to(here) else path}:{name}"


def program_of(benchmark: Benchmark[Any]) -> list[str]:
    """The program of its command: a module of this room or of a distribution, or the user's file."""
    source = source_of(benchmark)
    if source:
        return ["python", str(code_of(source)[0])]
    # To read what all distributions offer takes 15 ms.
    offered = {} if benchmark.name in names() else installed()
    return ["python", "-m", offered[benchmark.name].module if benchmark.name in offered else f"evals.{benchmark.name}"]


def code_of(spec: str) -> tuple[Path, str]:
    """The file and the name in `path/file.py:NAME`; the name is empty if there is none."""
    file, _, name = spec.rpartition(":") if not spec.endswith(".py") else (spec, "", "")
    return Path(file), name


def _from_file(spec: str) -> Benchmark[Any]:
    path, name = code_of(spec)
    if not path.is_file():
        raise ValueError(f"no benchmark {spec!r}: there is no file {path}")
    module = import_file(path, "benchmark")
    found = getattr(module, name or "BENCHMARK", None)
    if found is None:
        raise ValueError(f"{path} has no benchmark {name or 'BENCHMARK'!r}")
    return _benchmark(found, spec)


def _benchmark(found: Any, where: str) -> Benchmark[Any]:
    """The benchmark itself, or an instance of the class that was found."""
    try:
        benchmark: Benchmark[Any] = found() if isinstance(found, type) else found
    except Exception as error:
        raise ValueError(f"{where} cannot be created: {type(error).__name__}: {error}") from error
    missing = [name for name in ("name", "settings", "judging", "episodes", "open") if not hasattr(benchmark, name)]
    if missing:
        raise ValueError(f"{where} is no benchmark: it has no {missing[0]}")
    return benchmark


def _modules() -> dict[str, str]:
    """The modules that declare a benchmark, by its name."""
    packages = {path.parent.name: f"evals.{path.parent.name}.benchmark" for path in EVALS.glob("*/benchmark.py")}
    files = {path.stem: f"evals.{path.stem}" for path in EVALS.glob("*.py")}
    return {name: module for name, module in {**files, **packages}.items() if _DECLARED.search(_text(module))}


def _text(module: str) -> str:
    return (EVALS.parent / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")
