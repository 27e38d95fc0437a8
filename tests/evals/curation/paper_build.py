"""A build of eight questions with scripted models: what each judging gives is in a table, as in the specification.

It is used as a file of models too: `paper_build.py:load`.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from pathlib import Path
from typing import Any

from PIL import Image

from models.base import Options, Request
from models.scripted import Scripted

SCORES = ((10,), (9,), (8, 9), (3, 10), (7, 8, 9), (5, 6, 8), (3, 3, 3), (0, 4, 9))
"""The scores of each question by round; it is accepted from 9 on."""
CALLS = {"generate": 8, "judge": 18, "revise": 10}
CHOICES = ("a red box", "a blue cup", "a green ball", "a grey hat")
HERE = f"{Path(__file__)}:load"
ROLES = ("--generator", HERE, "--judge", HERE, "--reviser", HERE)
OPTIONS = ("--per-image", "1", "--concurrency", "1")


def picture(number: int) -> bytes:
    """One of the pictures as PNG."""
    file = io.BytesIO()
    Image.new("RGB", (4, 4), (25 * number, 99, 50)).save(file, "PNG")
    return file.getvalue()


NUMBERS = {hashlib.sha256(picture(number)).hexdigest(): number for number in range(1, len(SCORES) + 1)}


def pictures(folder: Path) -> Path:
    """A folder with all of them."""
    folder.mkdir()
    for number in range(1, len(SCORES) + 1):
        (folder / f"s{number}.png").write_bytes(picture(number))
    return folder


def question(number: int, version: int) -> dict[str, Any]:
    """A version of a question about one of them."""
    return {
        "type": "Object Reasoning",
        "question": f"Which thing is hidden in scene {number}, version {version}?",
        "choices": list(CHOICES),
        "answer": "ABCD"[number % 4],
        "explanation": "It is partly seen.",
    }


def reply(text: str, sha256: str) -> str:
    """What the writer, the judge or the reviser says; verdicts come in the forms that models give them."""
    number = NUMBERS[sha256]
    versions = [int(version) for _, version in re.findall(r"scene (\d), version (\d)", text)]
    if text.startswith("Write"):
        return f"Here they are:\n```json\n{json.dumps([question(number, 1)])}\n```"
    if text.startswith("You check"):
        score = SCORES[number - 1][versions[-1] - 1]
        verdict = json.dumps({"score": score, "short_explanation": f"It is a {score}.", "detected_issue": ["weak"]})
        forms = (verdict, f"```json\n{verdict}\n```", f"I looked closely. {verdict} That is all.")
        return forms[number % len(forms)]
    return json.dumps(question(number, versions[-1] + 1))


class Kept(Scripted):
    """Its replies are kept, as those of models over a network are."""

    looks, cacheable = True, True


def load(rest: str, options: Options) -> Kept:
    """The model."""
    return Kept(lambda request: _replied(request))


def _replied(request: Request) -> str:
    return reply(request.text, request.pictures[0].sha256)


def served(body: dict[str, Any]) -> str:
    """The same over the API of OpenAI."""
    parts = [part for message in body["messages"] for part in _parts(message["content"])]
    text = "\n".join(part["text"] for part in parts if part["type"] == "text")
    url = next(part["image_url"]["url"] for part in parts if part["type"] == "image_url")
    return reply(text, hashlib.sha256(base64.b64decode(url.partition(",")[2])).hexdigest())


def _parts(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
