"""The scenes of an episode: a picture, or a sketch of the state."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias
from xml.etree import ElementTree

from evals.judges.turns import Turn
from evals.pages.markup import Html, el, joined
from evals.run.benchmarks import find_benchmark, names
from evals.run.trace import Record
from tools.events import Observed

CHUNK = 100
"""Sketches per file."""


@dataclass(frozen=True, slots=True)
class Scene:
    """A scene. `record` is a look, an attempt or the end: its truth has the state."""

    record: Record

    @property
    def sha256(self) -> str | None:
        """The picture's hash, if it was drawn and the hash is valid."""
        event = self.record.event
        found = event.sha256 if isinstance(event, Observed) else None
        return found if found and re.fullmatch(r"[0-9a-f]{64}", found) else None

    @property
    def visible(self) -> tuple[str, ...] | None:
        """The objects in view, in worlds that hide some."""
        return self.record.event.visible if isinstance(self.record.event, Observed) else None


def scenes_of(turns: Sequence[Turn]) -> tuple[list[Scene], dict[int, int]]:
    """The scenes in order, and the number of the scene by the identity of each record."""
    scenes: list[Scene] = []
    numbers: dict[int, int] = {}
    for turn in turns:
        for record in (turn.before, turn.after):
            if record is not None and id(record) not in numbers:
                numbers[id(record)] = len(scenes)
                scenes.append(Scene(record))
    return scenes, numbers


Sketch: TypeAlias = Callable[[tuple[str, ...]], Html]
"""Draws a state as a benchmark defines, or lists its facts."""


def sketcher(benchmark: object) -> Sketch:
    """The sketch function of a benchmark, if it is one of this checkout."""
    if str(benchmark) not in names():
        return listed
    drawing = getattr(find_benchmark(str(benchmark)), "sketch", None)
    return listed if drawing is None else lambda state: drawing(state) or listed(state)


def listed(state: tuple[str, ...]) -> Html:
    """The facts of a state, grouped by predicate."""
    groups: dict[str, list[str]] = {}
    for fact in sorted(state):
        name, _, rest = fact.partition(" ")
        groups.setdefault(name, []).append(rest or "true")
    rows = (joined(el("dt", name), el("dd", " · ".join(rests))) for name, rests in groups.items())
    return el("dl", *rows, class_="atoms")


def sketches(scenes: Sequence[Scene], chunk: int, sketch: Sketch) -> list[list[object]]:
    """The sketches of one file: the number and drawing of each scene."""
    first = chunk * CHUNK
    return [
        [number, drawn]
        for number, scene in enumerate(scenes[first : first + CHUNK], first)
        if (drawn := _drawing(scene, sketch)) is not None
    ]


def sketchable(scenes: Sequence[Scene], sketch: Sketch) -> bool:
    """Whether the first state has a drawing, not only a list of facts."""
    drawn = _drawing(scenes[0], sketch) if scenes else None
    return drawn is not None and drawn[0] == "svg"


def _drawing(scene: Scene, sketch: Sketch) -> list[object] | None:
    state = scene.record.truth.state
    if state is None:
        return None
    try:
        return tree(sketch(state))
    except ElementTree.ParseError:  # a name holds characters that are invalid in markup
        return None


def tree(markup: Html) -> list[object]:
    """Markup as nested lists for scripts: name, attributes, then children."""
    return _branch(ElementTree.fromstring(markup))


def _branch(element: ElementTree.Element) -> list[object]:
    children: list[object] = [element.text] if element.text else []
    for child in element:
        children.append(_branch(child))
        if child.tail:
            children.append(child.tail)
    return [element.tag, dict(element.attrib), *children]
