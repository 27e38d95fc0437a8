"""Named actions: the elements of plans and the proposals of models, for any world."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """A named action with its arguments, written `moveblock(r, c2)`."""

    action: str
    args: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.action}({', '.join(self.args)})"

    @classmethod
    def parse(cls, text: str) -> Step:
        """Read `moveblock(r, c2)`; the inverse of `str`."""
        name, _, rest = text.strip().partition("(")
        inner = rest.rpartition(")")[0]
        return cls(name.strip(), tuple(arg.strip() for arg in inner.split(",") if arg.strip()))
