"""Models of reruns, which answer from the record, the judge, or the original model."""

from __future__ import annotations

from evals.judges.changes import Answer
from evals.rerun.tape import Tape
from models.base import Model, ModelUnavailable, Reply, Request
from models.wrapped import Wrapped


class Unasked(Wrapped):
    """A model that must not be asked, because requests may cost money."""

    async def ask(self, request: Request) -> Reply:
        """Refuse the request."""
        raise ModelUnavailable(f"{self.identity} would have to be asked; --ask allows it, --max-cost limits it")


class Rerouted(Wrapped):
    """A model whose requests go to the record, the judge or the original model, depending on the change.

    With `fresh`, recorded replies are not used once the rerun may differ from its record.
    """

    def __init__(self, model: Model, tape: Tape, answer: Answer, *, fresh: bool, looks: bool) -> None:
        super().__init__(model)
        self.looks, self.cacheable = looks, False
        self._tape, self._answer, self._fresh = tape, answer, fresh

    async def ask(self, request: Request) -> Reply:
        """The reply of the model that is responsible for this request."""
        tape = self._tape
        kept = None if self._fresh and tape.free else tape.recall(request)
        if not tape.free and kept is not None:
            return kept
        return await self._answer(request, kept, self._model.ask)
