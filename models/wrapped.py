"""A model that passes requests on to another one; subclasses change what differs."""

from __future__ import annotations

from models.base import Model, Reply, Request


class Wrapped:
    """A model with another one's properties, under the same name or its own; not bound to episodes, never closed."""

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
