"""Estimate the requests of a rerun, without asking the model."""

from __future__ import annotations

from evals.run.dry_run import REASONING_TOKENS, REPLY_TOKENS, RunCost
from models.base import Model, Reply, Request, Unanswerable, Usage, Witness
from models.conduct import Conducted, Terms
from models.prices import estimated_prompt
from models.sim import PublishedEyes, StandIn
from models.wrapped import Wrapped

NOT_ASKED = "nobody was asked"


class Estimating(Wrapped):
    """Counts the requests to a model. Its simulated answers are as often wrong as GPT-4.1's in the paper."""

    def __init__(self, model: Model, needs: RunCost, terms: Terms, answers: Model | None = None) -> None:
        super().__init__(model)
        self._needs, self._terms, self._answers = needs, terms, answers

    def for_episode(self, witness: Witness) -> Estimating:
        """The model bound to an episode."""
        answers = StandIn(PublishedEyes("gpt-4.1")).for_episode(witness)
        return Estimating(self._model, self._needs, self._terms, answers)

    async def ask(self, request: Request) -> Reply:
        """A simulated reply."""
        needs, family = self._needs, self.identity.partition(":")[0]
        prompt = estimated_prompt(request, family)
        completion = REPLY_TOKENS[request.kind] + (REASONING_TOKENS if request.cot else 0)
        needs.requests += 1
        needs.pictures += len(request.pictures)
        needs.prompt_tokens += prompt
        needs.completion_tokens += completion
        if isinstance(self._model, Conducted):
            price = self._terms.prices.find(self._model.family, self._model.provider.name)
            if price is not None:
                needs.cost = (needs.cost or 0.0) + price.of(Usage(prompt, completion))
        try:
            return await self._answers.ask(request) if self._answers else Reply(NOT_ASKED)
        except Unanswerable:
            return Reply(NOT_ASKED)
