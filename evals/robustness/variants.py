"""The variants of a run: each disturbs one thing that should not matter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, get_args, get_origin

from evals.run.controls import PICTURES, RENAMED, REWORDED
from evals.run.settings import Settings

UNDISTURBED = "undisturbed"
WORDING, NAMES, LOOKS = "wording", "names", "pictures"
RENDERER = "renderer"
"""The setting that chooses how pictures are made."""


@dataclass(frozen=True)
class Variant:
    """One disturbance. `options` are the settings that make it, `of` what it disturbs."""

    name: str
    of: str
    options: Mapping[str, Any]


def variants(settings: type[Settings], chosen: str | None) -> list[Variant]:
    """All variants that a benchmark could have; `chosen` is the renderer of the undisturbed run."""
    found = [Variant(name, WORDING, {"control": name}) for name in REWORDED]
    found.append(Variant(RENAMED, NAMES, {"control": RENAMED}))
    found += [Variant(name, LOOKS, {"control": name}) for name in PICTURES]
    for other in _renderers(settings):
        if other != (chosen or settings.model_fields[RENDERER].default):
            found.append(Variant(f"{RENDERER} {other}", LOOKS, {RENDERER: other}))
    return found


def _renderers(settings: type[Settings]) -> Iterator[str]:
    """The renderers that a benchmark offers."""
    field = settings.model_fields.get(RENDERER)
    if field is not None and get_origin(field.annotation) is Literal:
        yield from map(str, get_args(field.annotation))
