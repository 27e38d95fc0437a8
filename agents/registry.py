"""Agents by name: those in `AGENTS` of any module of this room, and `path/file.py:build` in a user's file.

An agent that only one benchmark can use is in the `AGENT` of a module of its own, and is named `evals.NAME.MODULE`.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from pathlib import Path

import agents
from agents.base import Agent, Graph, Needs
from models.base import Kind
from planners.names import unknown
from planners.user_files import import_file


@cache
def all_agents() -> dict[str, Agent]:
    """The agents of this room, by name; `ValueError` if a file cannot be loaded."""
    found, broken = _room()
    if broken:
        raise ValueError("; ".join(broken))
    return found


def find_agent(name: str) -> Agent:
    """The agent with this name, or the one in a user's file."""
    if ".py" in name:
        return _from_file(name)
    if name.startswith("evals."):
        return _of_benchmark(name)
    found, broken = _room()
    if name in found:
        return found[name]
    if broken:
        raise ValueError(f"no agent {name!r}, and not all files could be searched: {'; '.join(broken)}")
    raise unknown("agent", name, tuple(found))


@cache
def _room() -> tuple[dict[str, Agent], tuple[str, ...]]:
    """The agents of this room, and an error for each file that cannot be loaded."""
    found: dict[str, Agent] = {}
    broken: list[str] = []
    for name in sorted(module.name for module in pkgutil.iter_modules(agents.__path__) if module.name != "registry"):
        try:
            found |= {agent.name: agent for agent in _from_module(f"agents.{name}")}
        except (Exception, SystemExit) as error:
            broken.append(f"agents/{name}.py cannot be used: {type(error).__name__}: {error}")
    return found, tuple(broken)


def _from_module(name: str) -> list[Agent]:
    module = importlib.import_module(name)
    listed = getattr(module, "AGENTS", ())
    if not isinstance(listed, Iterable) or not all(isinstance(agent, Agent) for agent in listed):
        raise TypeError(f"AGENTS is {listed!r}, not a tuple of agents")
    return [replace(agent, source=module.__file__ or "") for agent in listed]


def _of_benchmark(name: str) -> Agent:
    """The agent of one benchmark, by its module."""
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError:
        raise ValueError(f"no agent {name!r}: there is no such module") from None
    agent = getattr(module, "AGENT", None)
    if not isinstance(agent, Agent):
        raise ValueError(f"no agent {name!r}: the module has no AGENT")
    return replace(agent, source=module.__file__ or "")


def _from_file(name: str) -> Agent:
    """`path/file.py:build`, where `build` returns a graph, or is an `Agent`."""
    file, _, attribute = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
    path, attribute = Path(file), attribute or "build"
    if not path.is_file():
        raise ValueError(f"no agent {name!r}: there is no file {path}")
    module = import_file(path, "agent")
    found = getattr(module, attribute, None)
    if isinstance(found, Agent):
        return replace(found, source=str(path))
    if not callable(found):
        raise ValueError(f"{path} has no function {attribute!r} that builds a graph")

    def build() -> Graph:
        try:
            graph = found()
        except Exception as error:
            raise ValueError(f"{path}: {attribute}() failed: {type(error).__name__}: {error}") from error
        if not hasattr(graph, "ainvoke"):
            raise ValueError(f"{path}: {attribute}() returned {graph!r}, not a compiled graph")
        return graph

    summary = (found.__doc__ or module.__doc__ or "").strip().partition("\n")[0]
    return Agent(
        path.stem,
        summary,
        build,
        getattr(module, "FAMILY", "grounder"),
        source=str(path),
        needs=_needs(getattr(module, "NEEDS", Needs.SYMBOLIC), path),
        plans=bool(getattr(module, "PLANS", True)),
        asks=tuple(Kind(kind) for kind in getattr(module, "ASKS", ())),
    )


def _needs(kind: str, path: Path) -> Needs:
    if kind not in set(Needs):
        raise ValueError(f"{path}: NEEDS is one of {', '.join(Needs)}, not {kind!r}")
    return Needs(kind)
