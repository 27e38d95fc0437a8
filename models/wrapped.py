"""A model that passes on to another one what it is asked: whatever differs is for a subclass to say."""

from __future__ import annotations

from models.base import Model, Reply, Request


class Wrapped:
    """A model with the traits of another one, under its name or one of its own; not told of episodes, never closed."""

    def __init__(self, model: Model, identity: str | None = None) -> None:
        self.identity = model.identity if identity is None else identity
        self.looks = model.looks
        self.simulated = model.simulated
        self.cacheable = model.cacheable
        self.calls_tools: bool = getattr(model, "calls_tools", False)
        self._model = model

    async def ask(self, request: Request) -> Reply:
        """The other model's reply."""
        return await self._model.ask(request)
