"""Names our packages' intruders. `agents`, `tools` and `evals` are also what other distributions call themselves."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOMS = ("planners", "models", "envs", "memory", "tools", "agents", "evals")
ROOT = Path(__file__).resolve().parent.parent


class ForeignPackage(ImportError):
    """A sibling package resolves to somebody else's code."""


def check_rooms(rooms: tuple[str, ...] = ROOMS, root: Path = ROOT) -> None:
    """Raise if one of our packages would be imported from outside our tree."""
    for room in rooms:
        spec = importlib.util.find_spec(room)
        where = Path(spec.origin).resolve() if spec and spec.origin else None
        if where is None or root not in where.parents:
            raise ForeignPackage(
                f"the package {room!r} is found at {where or 'nowhere'}, not in {root}. Another distribution installs "
                f"a package of that name: uninstall it, use a fresh virtual environment, or run from {root}."
            )
