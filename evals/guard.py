"""Detect foreign packages: other distributions also have packages called `agents`, `tools` or `evals`.

One that our own dependencies bring is removed from the path instead: see `leave_scripts_out`.
"""

from __future__ import annotations

import importlib.util
import sys
import sysconfig
from pathlib import Path

ROOMS = ("planners", "models", "envs", "memory", "tools", "agents", "evals")
ROOT = Path(__file__).resolve().parent.parent


class ForeignPackage(ImportError):
    """One of our packages resolves to foreign code."""


def leave_scripts_out() -> None:
    """Import nothing from the folders of console scripts.

    Python puts the folder of a script first on its path, so that under a console script such as `langgraph` the name
    `models` would be the `models.py` that python-sat installs there. Nothing is meant to be imported from there.
    """
    schemes = (sysconfig.get_default_scheme(), sysconfig.get_preferred_scheme("user"))
    folders = {Path(sysconfig.get_path("scripts", scheme)).resolve() for scheme in schemes}
    sys.path[:] = [entry for entry in sys.path if not entry or Path(entry).resolve() not in folders]
    for room in ROOMS:
        file = getattr(sys.modules.get(room), "__file__", None)
        if file and Path(file).resolve().parent in folders:
            del sys.modules[room]


def check_rooms(rooms: tuple[str, ...] = ROOMS, root: Path = ROOT) -> None:
    """Raise if one of our packages would be imported from outside our tree."""
    for room in rooms:
        where = _place(room)
        if where is None or root not in where.parents:
            raise ForeignPackage(
                f"the package {room!r} is found at {where or 'nowhere'}, not in {root}. If that is yours, rename it or "
                f"run from {root}; if another distribution brought it, uninstall it or use a fresh virtual environment."
            )


def _place(room: str) -> Path | None:
    """The file that a package would be imported from, or its folder if it has none."""
    spec = importlib.util.find_spec(room)
    if spec is None:
        return None
    found = [spec.origin] if spec.origin else [*(spec.submodule_search_locations or ())]
    return Path(found[0]).resolve() if found else None


def exit_on_foreign_package() -> None:
    """`check_rooms`, with a one-line error on the command line instead of an exception."""
    leave_scripts_out()
    try:
        check_rooms()
    except ForeignPackage as error:
        if sys.argv[:1] != ["-m"]:  # the value of argv[0] while `python -m evals.…` is being resolved
            raise
        print(f"error: {error}", file=sys.stderr)
        raise SystemExit(2) from None
