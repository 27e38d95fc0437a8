"""Who answers when an episode is played again: the record, the truth, or the model."""

from __future__ import annotations

from collections.abc import Mapping

from evals.counterfactual.changes import Change, Faculty
from evals.counterfactual.tape import Tape
from models.base import Kind, Model, ModelUnavailable, Reply, Request
from models.parsing import Profile, Unreadable, proposals, yes_no
from models.turns import Turn
from models.wrapped import Wrapped


class Silent(Wrapped):
    """A model that is not to be asked, because nobody said that it may cost something."""

    async def ask(self, request: Request) -> Reply:
        """Nothing."""
        raise ModelUnavailable(f"{self.identity} would have to be asked; --ask allows it, --max-cost limits it")


class Rerouted(Wrapped):
    """A model whose requests go to the record, to the truth or to a model, as the change has it."""

    def __init__(
        self,
        tape: Tape,
        change: Change,
        model: Model,
        oracle: Model,
        *,
        signatures: Mapping[str, tuple[str, ...]],
        profile: Profile,
        looks: bool,
    ) -> None:
        super().__init__(model)
        self.looks, self.cacheable = looks, False
        self._tape, self._change, self._oracle = tape, change, oracle
        self._signatures, self._profile = signatures, profile

    async def ask(self, request: Request) -> Reply:
        """The reply of whoever is to answer this."""
        tape, perfect = self._tape, self._change.perfect
        kept = None if self._change.model and tape.free else tape.recall(request)
        if not tape.free and kept is not None:
            return kept
        wanted = {Kind.YES_NO: Faculty.PERCEPTION, Kind.PLAN: Faculty.DECIDING, Kind.ACTION: Faculty.DECIDING}
        faculty = None if isinstance(request, Turn) else wanted.get(request.kind)
        if faculty is None:
            return kept or await self._model.ask(request)
        if faculty in perfect:
            # That a reply could not be read is not that it was wrong. Who plans from the truth reads none.
            reads = Faculty.PARSING in perfect or (faculty is Faculty.DECIDING and Faculty.KNOWLEDGE in perfect)
            if kept is not None and not reads and self._unreadable(kept, request):
                return kept
            return await self._oracle.ask(request)
        reply = kept or await self._model.ask(request)
        if Faculty.PARSING in perfect and self._unreadable(reply, request):
            return await self._oracle.ask(request)
        return reply

    def _unreadable(self, reply: Reply, request: Request) -> bool:
        if request.kind is Kind.YES_NO:
            return isinstance(yes_no(reply.text, cot=request.cot, profile=self._profile), Unreadable)
        return isinstance(proposals(reply.text, request.kind, self._signatures, profile=self._profile), Unreadable)
