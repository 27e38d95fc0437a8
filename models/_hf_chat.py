"""Renders messages with a model's chat template, in whatever message format the template accepts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from models.base import Message

_SYSTEM, _USER = "You measure.", "Is it plumb?"


class _TestPicture:
    """A placeholder picture to test a template with."""

    key = sha256 = "probe"

    def png(self) -> bytes:
        return b""


@dataclass(frozen=True)
class Chat:
    """A processor's chat template, and the message format that it accepts.

    `parts`: whether content is a list of texts and pictures, or one string with a token for each picture.
    `system`: whether there is a system role; if not, the system text is put before the first user message.
    """

    processor: Any
    parts: bool = True
    system: bool = True

    def prompt(self, messages: Sequence[Message]) -> str:
        """The messages as a prompt for the model to continue."""
        turns = [(message.role, list(message.parts)) for message in messages]
        if not self.system and len(turns) > 1 and turns[0][0] == "system":
            (_, before), (role, parts) = turns[:2]
            turns[:2] = [(role, [*before, *parts])]
        chat = [{"role": role, "content": self._content(parts)} for role, parts in turns]
        return str(self.processor.apply_chat_template(chat, add_generation_prompt=True, tokenize=False))

    def _content(self, parts: Sequence[Any]) -> Any:
        blocks: list[dict[str, str]] = []
        for part in parts:
            if not isinstance(part, str):
                blocks.append({"type": "image"})
            elif blocks and blocks[-1]["type"] == "text":
                # Templates put no separator between two texts.
                blocks[-1]["text"] += f"\n\n{part}"
            else:
                blocks.append({"type": "text", "text": part})
        if self.parts:
            return blocks
        return "\n".join(block.get("text", self.processor.image_token) for block in blocks)

    def works(self) -> bool:
        """Whether the rendered prompt has every text once, and the picture once."""
        try:
            rendered = self.prompt((Message("system", (_SYSTEM,)), Message("user", (_TestPicture(), _USER))))
        except Exception:  # a template may raise any exception
            return False
        token = getattr(self.processor, "image_token", None) or ""
        return rendered.count(_SYSTEM) == rendered.count(_USER) == 1 and token in rendered and "'type'" not in rendered


def find_chat(processor: Any) -> Chat:
    """A model's chat template and its message format; `ValueError` if none works."""
    if not getattr(processor, "chat_template", None):
        raise ValueError(
            "it has no chat template; pass one with template=FILE.jinja, or use an instruction-tuned model"
        )
    for parts in (True, False):
        for system in (True, False):
            chat = Chat(processor, parts, system)
            if chat.works():
                return chat
    raise ValueError("its chat template does not accept a picture and text; pass another with template=FILE.jinja")
