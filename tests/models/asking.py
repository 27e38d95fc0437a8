"""What the tests of the providers ask, and how."""

from __future__ import annotations

import asyncio
import hashlib
import os

import pytest

from models.base import Kind, Message, Provider, Reply, Request

KEY = "sk-test-0123456789abcdef"


class Painted:
    """A picture that counts how often it is drawn."""

    def __init__(self, content: bytes = b"dots") -> None:
        self._png = b"\x89PNG\r\n\x1a\n" + content
        self.key = content.decode()
        self.drawn = 0

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self._png).hexdigest()

    def png(self) -> bytes:
        self.drawn += 1
        return self._png


def question(text: str = "Is it?", picture: Painted | None = None, *, cot: bool = False) -> Request:
    """A yes/no question as the ground agents ask it."""
    parts = ("A world.", picture or Painted(), text)
    return Request((Message("system", ("Look.",)), Message("user", parts)), Kind.YES_NO, cot=cot, max_tokens=16)


def plan() -> Request:
    """A request for a plan: the picture comes last."""
    return Request((Message("system", ("Plan.",)), Message("user", ("The goal.", Painted()))), Kind.PLAN)


def ask(provider: Provider, *requests: Request, at_once: bool = False) -> list[Reply]:
    """One attempt each, and the connections closed."""

    async def all_of_them() -> list[Reply]:
        try:
            if at_once:
                return list(await asyncio.gather(*map(provider.send, requests)))
            return [await provider.send(request) for request in requests]
        finally:
            await provider.close()

    return asyncio.run(all_of_them())


def without_ambient_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget what the environment of the tests says about providers."""
    for name in os.environ:
        if name.startswith(("OPENAI_", "ANTHROPIC_")) or name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
