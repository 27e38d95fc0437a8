"""Prompt files: a `<system>` and a `<user>` part, with placeholders in braces.

`{image}` is the place of the picture. The format is that of the original's prompt files, so that those of a checkout
can be used instead of ours.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from models.base import Message, Part, Picture

_PART = re.compile(r"<(system|user)>(.*?)(?=</\1>|<(?:system|user)>|\Z)", re.DOTALL)
_PLACE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Prompt:
    """The turns of a prompt, with placeholders."""

    name: str
    turns: tuple[tuple[str, str], ...]

    @property
    def fingerprint(self) -> str:
        """A short hash of the wording."""
        return hashlib.sha256(repr(self.turns).encode()).hexdigest()[:12]

    @property
    def places(self) -> frozenset[str]:
        """The names of the placeholders."""
        return frozenset(name for _, text in self.turns for name in _PLACE.findall(text))

    def fill(self, *pictures: Picture, earlier: Sequence[Picture] = (), **values: str) -> tuple[Message, ...]:
        """The messages, with the current pictures in place of `{image}`, and earlier ones before them.

        A question without a placeholder is appended, as in the original; so is a note.
        """
        shown: tuple[Part, ...] = pictures
        if earlier:
            shown = ("Earlier, the oldest first:", *earlier, "Now:", *pictures)
        messages = [
            Message(role, _filled(text, shown, values) if "{" in text or not text else (text,))
            for role, text in self.turns
        ]
        question = values.get("question")
        if question and "question" not in self.places:
            _append(messages, f"Question: {question}")
        if values.get("note"):
            _append(messages, values["note"])
        return tuple(messages)


def _append(messages: list[Message], text: str) -> None:
    last = messages[-1]
    messages[-1] = Message(last.role, (*last.parts, text))


def _filled(text: str, shown: tuple[Part, ...], values: dict[str, str]) -> tuple[Part, ...]:
    parts: list[Part] = []
    for number, piece in enumerate(text.split("{image}")):
        if number:
            parts.extend(shown)
        # One pass over the template: braces inside a value stay.
        filled = _PLACE.sub(lambda found: values.get(found[1], found[0]), piece).strip()
        if filled:
            parts.append(filled)
    return tuple(parts)


def read_prompt(path: Path) -> Prompt:
    """The prompt in a file; `ValueError` if it has no user part."""
    turns = tuple((role, body.strip()) for role, body in _PART.findall(path.read_text(encoding="utf-8")))
    if not any(role == "user" for role, _ in turns):
        raise ValueError(f"{path}: a prompt file needs a <user> part")
    return Prompt(path.stem, turns)


class PromptSet:
    """Prompts by name (`yes_no`, `plan_cot`, …), read when first used."""

    def __init__(self, files: dict[str, Path]) -> None:
        self._files = files
        self._read: dict[str, Prompt] = {}

    def __getitem__(self, name: str) -> Prompt:
        if name not in self._read:
            path = self._files.get(name)
            if path is None or not path.is_file():
                raise FileNotFoundError(f"no prompt {name!r}" + (f": {path} is missing" if path else ""))
            self._read[name] = read_prompt(path)
        return self._read[name]

    def fingerprints(self) -> dict[str, str]:
        """The hash of every prompt's wording."""
        return {name: self[name].fingerprint for name, path in sorted(self._files.items()) if path.is_file()}

    @classmethod
    def ours(cls) -> PromptSet:
        """The prompts in `agents/prompts`."""
        folder = Path(__file__).parent.parent / "agents" / "prompts"
        return cls({path.stem: path for path in folder.glob("*.md")})

    @classmethod
    def of_original(cls, root: Path, world: str) -> PromptSet:
        """The prompts of a checkout of the original, for one of its worlds."""
        name = {"household": "igibson"}.get(world, world)
        asking = root / "data" / "prompts" / "benchmark" / name
        planning = root / "data" / "prompts" / "planning"
        return cls(
            {
                "yes_no": asking / "prompt.md",
                "yes_no_cot": asking / "prompt_cot.md",
                "plan": planning / f"vila_{name}_json.md",
                "plan_cot": planning / f"vila_{name}_json_cot.md",
                "action": planning / f"vila_{name}_json_action.md",
                "action_cot": planning / f"vila_{name}_json_action_cot.md",
            }
        )
