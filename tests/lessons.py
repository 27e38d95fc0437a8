"""Answers for the loopback server: what a request asks, and what another model said to it.

lessons = Lessons()
…play a run with lessons.taught(oracle)…
with Loopback(lessons) as server:
    …play the same run with openai:any@{server.url}…
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

from models.base import Model, Reply, Request

Body = dict[str, Any]


def texts_of(body: Body) -> list[str]:
    """All texts of a request, in order."""
    system = body.get("system", ())
    parts = [system] if isinstance(system, str) else list(system)
    for message in body["messages"]:
        parts += [message["content"]] if isinstance(message["content"], str) else message["content"] or ()
    texts = (part if isinstance(part, str) else part.get("text") for part in parts)
    return [text for text in texts if text is not None]


def question_of(body: Body) -> str:
    """The last text of a request."""
    return texts_of(body)[-1]


def pictures_of(body: Body) -> list[bytes]:
    """The bytes of the pictures of a request."""
    contents = (message["content"] for message in body["messages"])
    parts = [part for content in contents if isinstance(content, list) for part in content]
    urls = [part["image_url"]["url"].partition("base64,")[2] for part in parts if part["type"] == "image_url"]
    data = [part["source"]["data"] for part in parts if part["type"] == "image"]
    return [base64.b64decode(text) for text in urls + data]


class Lessons:
    """Answers learned from another model: what it said to the same words about the same picture.

    Play a run with `taught(oracle)`, then serve the same run with the lessons as the answer of the server.
    """

    def __init__(self) -> None:
        self.learned: dict[str, str] = {}

    def learn(self, request: Request, text: str) -> None:
        """Remember what was said to a request."""
        self.learned[self._key([request.text], [picture.sha256 for picture in request.pictures])] = text

    def __call__(self, body: Body) -> str:
        pictures = [hashlib.sha256(png).hexdigest() for png in pictures_of(body)]
        return self.learned[self._key(texts_of(body), pictures)]

    def taught(self, model: Model) -> Teacher:
        """The model, with these lessons listening."""
        return Teacher(model, self)

    @staticmethod
    def _key(texts: list[str], pictures: list[str]) -> str:
        return "\n".join([*texts, *pictures])


class Teacher:
    """A model whose replies are learned by heart."""

    def __init__(self, model: Model, lessons: Lessons) -> None:
        self.identity, self.looks = model.identity, model.looks
        self.simulated, self.cacheable = model.simulated, model.cacheable
        self._model, self._lessons = model, lessons

    def for_episode(self, witness: Any) -> Teacher:
        inner: Any = self._model
        return Teacher(inner.for_episode(witness) if hasattr(inner, "for_episode") else inner, self._lessons)

    async def ask(self, request: Request) -> Reply:
        reply = await self._model.ask(request)
        self._lessons.learn(request, reply.text)
        return reply
