"""Where the viewer (`python -m evals.view`) shows runs and episodes: the addresses that other pages link to."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from urllib.parse import quote

PORT = 8642
"""Where the viewer listens unless told otherwise."""
EXPORT = "view"
"""The folder of a run in which pages look for an export of the viewer."""


def key_of(name: str) -> str:
    """The name of a run directory as it is written in addresses."""
    return re.sub(r"[^\w.-]", "_", name, flags=re.ASCII).lstrip(".") or "run"


@dataclass(frozen=True)
class Viewer:
    """Where a run can be looked at: on a server of this machine, or in files that were exported into the run."""

    run: Path

    @cached_property
    def exported(self) -> bool:
        """Whether there are files."""
        return (self.run / EXPORT / "index.html").is_file()

    @property
    def named(self) -> str:
        """The run as it is typed. A whole path is left out: pages are handed on."""
        return "RUN" if self.run.is_absolute() else str(self.run)

    @property
    def command(self) -> str:
        """The command that starts the server."""
        return f"python -m evals.view {self.named}"

    @property
    def exporting(self) -> str:
        """The command that writes the files."""
        return f"{self.command} --export {self.named}/{EXPORT}"

    def episode(self, id: str) -> str:
        """The address of an episode, from a page in the run directory."""
        return f"{self._base}/{quote(id, safe='')}.html"

    @cached_property
    def _base(self) -> str:
        where = EXPORT if self.exported else f"http://127.0.0.1:{PORT}"
        return f"{where}/{quote(key_of(self.run.resolve().name))}/episodes"
