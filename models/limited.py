"""A model with a limit on concurrent requests, which stops asking once answers can no longer be cached."""

from __future__ import annotations

import asyncio

from models.base import Kind, Model, Reply, Request, UnfitModel, asks_known_text
from models.cache import AnswerCache
from models.wrapped import Wrapped


class LimitedModel(Wrapped):
    """A model with a limit on concurrent requests, asked only for the `kinds` of reply that it supports.

    Nothing more is asked once answers can no longer be cached.
    """

    def __init__(
        self,
        model: Model,
        room: asyncio.Semaphore,
        kinds: frozenset[Kind] | None = None,
        cache: AnswerCache | None = None,
    ) -> None:
        super().__init__(model)
        self._room, self._kinds, self._cache = room, kinds, cache

    async def ask(self, request: Request) -> Reply:
        """The model's reply, when a slot is free; `UnfitModel` if it does not support that kind."""
        if self._kinds is not None and request.kind not in self._kinds and not asks_known_text(request):
            raise UnfitModel(
                f"{self._model.identity} answers {', '.join(sorted(self._kinds))} only, and the agent asks for "
                f"{request.kind}. Choose another model; with ASKS in the agent's file this is checked before the run"
            )
        async with self._room:
            if self._cache is not None:
                # A slot is freed by a reply; that reply is written before the next question is asked.
                await self._cache.settled()
                if self._cache.failure is not None:
                    raise self._cache.failure
            return await self._model.ask(request)
