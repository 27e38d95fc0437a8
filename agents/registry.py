"""Agents by name. Every module of this room that has `AGENTS` is found; a user's own is named `path/file.py:build`."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import sys
from dataclasses import replace
from functools import cache
from pathlib import Path

import agents
from agents.base import Agent, Graph
from planners.names import unknown


@cache
def all_agents() -> dict[str, Agent]:
    """The agents of this room, by name."""
    names = sorted(module.name for module in pkgutil.iter_modules(agents.__path__) if module.name != "registry")
    modules = [importlib.import_module(f"agents.{name}") for name in names]
    return {
        agent.name: replace(agent, source=module.__file__ or "")
        for module in modules
        for agent in getattr(module, "AGENTS", ())
    }


def find_agent(name: str) -> Agent:
    """The agent with this name, or the one that a user's file builds."""
    if ".py" in name:
        return _from_file(name)
    if name not in all_agents():
        raise unknown("agent", name, tuple(all_agents()))
    return all_agents()[name]


def _from_file(name: str) -> Agent:
    """`path/file.py:build`, where `build` returns a graph, or is an `Agent`."""
    file, _, attribute = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
    path, attribute = Path(file), attribute or "build"
    if not path.is_file():
        raise ValueError(f"no agent {name!r}: there is no file {path}")
    spec = importlib.util.spec_from_file_location(f"user_agent_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise ValueError(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        raise ValueError(f"{path} cannot be imported: {type(error).__name__}: {error}") from error
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
    return Agent(path.stem, summary, build, getattr(module, "FAMILY", "grounder"), source=str(path))
