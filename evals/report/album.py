"""The scenes of an episode: a picture where one was drawn, otherwise a sketch of what was true, and which it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from evals.report.markup import Html, el
from evals.report.scene_sketch import sketch
from evals.trace import Record
from tools.events import Observed

SKETCHED = "sketches: the true state, where no picture was drawn"
LOOKED_AT = {
    True: "what the model was shown",
    False: "drawn for you; this model does not look",
    None: "what was there to see",
}
"""What pictures are, by whether the model looks; None if that is not known."""


@dataclass(frozen=True, slots=True)
class Album:
    """The pictures of a run, and whether its model looks at them."""

    pictures: Path
    looks: bool | None = None

    def show(self, scene: Record | None, *, linked: bool = False) -> Html:
        """A picture, which may lead to itself in full size, or a sketch."""
        if name := self._file(scene):
            link = f"../pictures/{quote(name)}"
            image = el("img", src=link, alt=LOOKED_AT[self.looks], loading="lazy")
            return el("a", image, href=link) if linked else image
        if scene is not None and scene.truth.state is not None:
            return sketch(scene.truth.state)
        return el("div", "no picture", class_="missing")

    def note(self, scenes: Iterable[Record | None], element: str) -> Html | None:
        """What these scenes are, in a line."""
        listed = [scene for scene in scenes if scene is not None]
        drawn = [scene for scene in listed if self._file(scene)]
        parts = [f"pictures: {LOOKED_AT[self.looks]}"] if drawn else []
        if any(scene.truth.state is not None for scene in listed if not self._file(scene)):
            parts.append(SKETCHED)
        return el(element, "; ".join(parts), class_="quiet") if parts else None

    def _file(self, scene: Record | None) -> str:
        event = scene.event if scene else None
        name = f"{event.sha256}.png" if isinstance(event, Observed) and event.sha256 else ""
        return name if name and (self.pictures / name).is_file() else ""
