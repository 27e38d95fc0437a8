"""One conduct for all endpoints: how many questions at once, how often to try again, when to wait, when to give up."""

from __future__ import annotations

from models.base import Provider, Reply, Request


class Conducted:
    """A provider as a model."""

    looks = True
    simulated = False
    cacheable = True

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self.identity = provider.identity

    async def ask(self, request: Request) -> Reply:
        """The reply, however many attempts it takes."""
        return await self.provider.send(request)
