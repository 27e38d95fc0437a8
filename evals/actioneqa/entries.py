"""Questions of ActionEQA before they become items: one form for all sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Shot: TypeAlias = Callable[[Sequence[str]], bytes]
"""Draws a moment from some cameras: one PNG with the views side by side."""

SOURCES = ("bridge", "droid", "rt1")
LEVELS = ("high", "mid", "low")
DIRECTIONS = ("forward", "inverse")
SHORT = {"forward": "SP", "inverse": "AI"}
"""The abbreviations of state prediction and action inference, by the published names of the directions."""
LETTERS = "ABCD"
VIEWS = ("1", "2", "3", "4", "ego", "exo", "ego+exo")
"""The values of the setting `views`."""


@dataclass(frozen=True, slots=True, order=True)
class Configuration:
    """A group of questions: the source of the pictures, the level of the actions, and the direction."""

    source: str
    level: str
    direction: str

    @property
    def name(self) -> str:
        """As the published data is divided: `bridge_high_forward`."""
        return f"{self.source}_{self.level}_{self.direction}"

    @property
    def task(self) -> str:
        """As the published tables call it: `H-SP`."""
        return f"{self.level[0].upper()}-{SHORT[self.direction]}"


CONFIGURATIONS: Mapping[str, Configuration] = {
    one.name: one
    for one in (
        Configuration(source, level, direction)
        for source in SOURCES
        for level in LEVELS
        for direction in DIRECTIONS
        if source != "rt1" or level == "high"
    )
}
"""All fourteen by name. RT-1 has the high level only: the base of its arm moves."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One question.

    State prediction has an `action`, a picture before it and four `candidates`; action inference has pictures before
    and after and four `options`. `right` is the place of the right one, from 0. In a 2x2 set, `factors`
    names the two factors and `bits` has their values for each option. A question with a `fault` cannot be asked.
    """

    id: str
    configuration: Configuration
    right: int = 0
    before: Shot | None = field(default=None, repr=False)
    after: Shot | None = field(default=None, repr=False)
    candidates: Sequence[Shot] = field(default=(), repr=False)
    options: tuple[str, ...] = ()
    action: str = ""
    scene: str = ""
    factors: tuple[str, ...] = ()
    bits: tuple[tuple[int, int], ...] = ()
    fault: str = ""

    @property
    def forward(self) -> bool:
        """Whether this is state prediction."""
        return self.configuration.direction == "forward"

    @property
    def shots(self) -> tuple[Shot, ...]:
        """All its moments in the order in which they are shown."""
        return tuple(shot for shot in (self.before, self.after, *self.candidates) if shot is not None)

    @property
    def true_action(self) -> str:
        """The words or numbers of the action that happened."""
        return self.action if self.forward else (self.options[self.right] if self.options else "")


def views_of(source: str, views: str) -> tuple[str, ...] | None:
    """The cameras of a source that a setting stands for, in the order in which they are shown; None if it has none.

    `1` and `exo` are the first outer camera. Only Bridge has up to four, and only DROID has one at the wrist.
    """
    if views in ("1", "exo"):
        return ("exo_1",)
    if source == "bridge" and views.isdigit():
        return tuple(f"exo_{number + 1}" for number in range(int(views)))
    if source == "droid" and not views.isdigit():
        return {"ego": ("ego",), "ego+exo": ("ego", "exo_1")}[views]
    return None
