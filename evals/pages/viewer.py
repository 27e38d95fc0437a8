"""The viewer's addresses (`python -m evals.view`) for runs and episodes, which other pages link to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

PORT = 8642
"""The viewer's default port."""
EXPORT = "view"
"""The folder of a run in which pages look for an exported viewer."""


def url_key(name: str) -> str:
    """The name of a run directory as used in addresses."""
    return re.sub(r"[^\w.-]", "_", name, flags=re.ASCII).lstrip(".") or "run"


@dataclass(frozen=True)
class Viewer:
    """Where a run can be viewed: on the local server, or in files exported into the run directory."""

    run: Path

    @cached_property
    def exported(self) -> bool:
        """Whether the run directory holds an export."""
        return (self.run / EXPORT / "index.html").is_file()

    @property
    def display_path(self) -> str:
        """The run as shown in commands. Absolute paths are replaced by `RUN`, because pages are shared."""
        return "RUN" if self.run.is_absolute() else str(self.run)

    @property
    def command(self) -> str:
        """The command that starts the server."""
        return f"python -m evals.view {self.display_path}"

    @property
    def export_command(self) -> str:
        """The command that exports the viewer into the run directory."""
        return f"{self.command} --export {self.display_path}/{EXPORT}"

    def episode(self, id: str) -> str:
        """The address of an episode, from a page in the run directory."""
        return f"{self._base}/{quote(id, safe='')}.html"

    @cached_property
    def _base(self) -> str:
        where = EXPORT if self.exported else f"http://127.0.0.1:{PORT}"
        return f"{where}/{quote(url_key(self.run.resolve().name))}/episodes"
