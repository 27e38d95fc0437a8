"""Models that get the same task in other words, with other names, or in disturbed pictures.

These controls change nothing that matters: what a run loses under them is owed to the wording or to the pictures'
looks. `python -m evals.robustness` plays all of them. Paraphrases of prompts are in `agents/prompts/paraphrases`, those
of a world's texts and its other names in the world's `rewordings.json`.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.guard import ROOT
from evals.run.controls import PICTURES, RENAMED, REWORDED
from models.base import Message, Model, Picture, Reply, Request
from models.wrapped import Wrapped
from planners.files import read_json

if TYPE_CHECKING:
    from PIL import Image

PROMPTS = ROOT / "agents" / "prompts"
NOISE = 20.0
"""Standard deviation of the noise, of 255 levels."""
KEPT = 16
"""How many disturbed pictures are kept for further questions."""
CROPPED = 0.05
"""What is cut off each side of a cropped picture, as a share of it."""


def disturbed(control: str, model: Model, rewordings: Path | None = None) -> Model:
    """The model under one of these controls; `ValueError` if the world has no such words."""
    identity = f"{model.identity}, control {control}"
    if control in PICTURES:
        return DisturbedPictures(model, identity, control)
    words = _read(rewordings) if rewordings else {}
    if control == RENAMED:
        if RENAMED not in words:
            raise ValueError("--control renamed: this world has no other names: they stand in the pictures")
        return Renamed(model, identity, words[RENAMED])
    version = control.partition("-")[2]
    lines = paraphrased_lines(version)
    patterns = [(re.compile(pattern), text) for pattern, text in words.get(version, ())]
    return Reworded(model, f"{identity} {_hash(lines, words.get(version))}", lines, patterns)


class DisturbedPictures(Wrapped):
    """A model that gets disturbed pictures."""

    def __init__(self, model: Model, identity: str, name: str) -> None:
        super().__init__(model, identity)
        self._name = name
        self._kept: OrderedDict[str, Disturbed] = OrderedDict()

    async def ask(self, request: Request) -> Reply:
        """The reply about the disturbed pictures."""
        return await self._model.ask(_changed(request, lambda text: text, self._disturbed))

    def _disturbed(self, picture: Picture) -> Disturbed:
        """The picture disturbed; once for all questions about it."""
        found = self._kept.setdefault(picture.key, Disturbed(picture, self._name))
        if len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found


class Disturbed:
    """A disturbed picture: the same disturbance of the same picture has the same bytes."""

    def __init__(self, picture: Picture, name: str) -> None:
        self._picture, self._name = picture, name
        self.key = f"{name} {picture.key}"

    @cached_property
    def sha256(self) -> str:
        """The hash of its bytes."""
        return hashlib.sha256(self.png()).hexdigest()

    def png(self) -> bytes:
        """Its bytes."""
        return self._png

    @cached_property
    def _png(self) -> bytes:
        return disturb(self._picture.png(), self._name)


def disturb(png: bytes, name: str) -> bytes:
    """The picture with a disturbance of `PICTURES`."""
    from PIL import Image, ImageEnhance

    with Image.open(io.BytesIO(png)) as opened:
        image = opened.convert("RGB")
    width, height = image.size
    match name:
        case "dark":
            image = ImageEnhance.Brightness(image).enhance(0.6)
        case "bright":
            image = ImageEnhance.Brightness(image).enhance(1.4)
        case "noise":
            image = _noisy(image, png)
        case "crop":
            dx, dy = round(width * CROPPED), round(height * CROPPED)
            image = image.crop((dx, dy, width - dx, height - dy))
        case "small":
            image = image.resize((max(1, width // 2), max(1, height // 2)), Image.Resampling.BILINEAR)
        case _:
            raise ValueError(f"no disturbance {name!r}")
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def _noisy(image: Image.Image, png: bytes) -> Image.Image:
    """The picture with noise that depends on its bytes."""
    import numpy as np
    from PIL import Image

    dice = np.random.default_rng(int.from_bytes(hashlib.sha256(png).digest()[:8]))
    pixels = np.asarray(image, dtype=np.float64)
    return Image.fromarray((pixels + dice.normal(0.0, NOISE, pixels.shape)).clip(0, 255).round().astype(np.uint8))


class Reworded(Wrapped):
    """A model that gets lines of prompts, and texts of the world, in other words."""

    def __init__(
        self, model: Model, identity: str, lines: Mapping[str, str], patterns: list[tuple[re.Pattern[str], str]]
    ) -> None:
        super().__init__(model, identity)
        self._lines, self._patterns = lines, patterns

    async def ask(self, request: Request) -> Reply:
        """The reply to other words."""
        return await self._model.ask(_changed(request, self.reworded))

    def reworded(self, text: str) -> str:
        """A text in other words."""
        return "\n".join(self._line(line) for line in text.split("\n"))

    def _line(self, line: str) -> str:
        if line in self._lines:
            return self._lines[line]
        for pattern, words in self._patterns:
            found = pattern.fullmatch(line)
            if found:
                return found.expand(words)
        return line


class Renamed(Wrapped):
    """A model that gets other names of things. Names in its reply are changed back."""

    def __init__(self, model: Model, identity: str, names: Mapping[str, str]) -> None:
        super().__init__(model, identity)
        self._there = _substitution(names)
        self._back = _substitution({new: old for old, new in names.items() if " " not in old})

    async def ask(self, request: Request) -> Reply:
        """The reply to the other names, in the usual ones."""
        reply = await self._model.ask(_changed(request, self._there))
        return replace(reply, text=self._back(reply.text))


def _substitution(names: Mapping[str, str]) -> Callable[[str], str]:
    """What puts names in the place of others, as whole words and in one pass, also at the beginning of a sentence."""
    table = {**names, **{old.capitalize(): new.capitalize() for old, new in names.items() if len(old) > 1}}
    by_length = sorted(table, key=len, reverse=True)
    pattern = re.compile(rf"(?<![\w'’-])(?:{'|'.join(map(re.escape, by_length))})(?![\w'’-])")
    return lambda text: pattern.sub(lambda found: table[found[0]], text)


def _changed(
    request: Request, words: Callable[[str], str], look: Callable[[Picture], Picture] = lambda picture: picture
) -> Request:
    def changed(message: Message) -> Message:
        return replace(
            message, parts=tuple(words(part) if isinstance(part, str) else look(part) for part in message.parts)
        )

    return replace(request, messages=tuple(map(changed, request.messages)))


@cache
def paraphrased_lines(version: str) -> Mapping[str, str]:
    """From each line of a prompt in `agents/prompts` to its paraphrase; lines with placeholders stay."""
    found: dict[str, str] = {}
    for path in sorted((PROMPTS / "paraphrases" / version).glob("*.md")):
        lines = [file.read_text(encoding="utf-8").splitlines() for file in (PROMPTS / path.name, path)]
        if len(lines[0]) != len(lines[1]):
            raise ValueError(f"{path} has {len(lines[1])} lines, and the prompt that it paraphrases {len(lines[0])}")
        found |= {old.strip(): new.strip() for old, new in zip(*lines, strict=True) if old != new}
    return found


def without_paraphrase(prompts: tuple[str, ...]) -> list[str]:
    """The prompts of `agents/prompts` that are not paraphrased in every version."""
    folders = [PROMPTS / "paraphrases" / control.partition("-")[2] for control in REWORDED]
    return [name for name in prompts if not all((folder / f"{name}.md").is_file() for folder in folders)]


@cache
def _read(path: Path) -> dict[str, Any]:
    return dict(read_json(path))


def _hash(*values: Any) -> str:
    return hashlib.sha256(json.dumps(values).encode()).hexdigest()[:8]
