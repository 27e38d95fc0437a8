"""What runs play with and may share: models and planners by name, each made once however many runs use it."""

from __future__ import annotations

from models.base import Model
from models.conduct import Conducted, Terms
from models.registry import load_model
from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner


class Equipment:
    """Models and planners. Given terms, models over a network follow them, and together they keep to its caps."""

    def __init__(self, terms: Terms | None = None) -> None:
        self.terms = terms
        self._models: dict[str, Model] = {}
        self._engines: dict[str, Planner] = {}
        self._planners: dict[str, CachedPlanner] = {}

    def model(self, spec: str) -> Model:
        """The model with this name, loaded at the first call; `ValueError` if there is none."""
        if spec not in self._models:
            model = load_model(spec)
            if self.terms is not None:
                agree(model, self.terms)
            self._models[spec] = model
        return self._models[spec]

    def planner(self, name: str) -> CachedPlanner:
        """The planner with this name, whose processes all runs share."""
        if name not in self._engines:
            self._engines[name] = get_planner(name)
        engine = self._engines[name]
        if getattr(engine, "optimal", False):
            # It keeps the rest of a shortest plan too, of which there may be several: another run's must not decide.
            return CachedPlanner(engine)
        return self._planners.setdefault(name, CachedPlanner(engine))

    async def release(self, spec: str) -> None:
        """Close a model that nobody needs any more, so that its memory and connections are free."""
        model = self._models.pop(spec, None)
        closing = getattr(model, "close", None)
        if closing is not None:
            await closing()

    async def release_all(self) -> None:
        """Close all models."""
        for spec in list(self._models):
            await self.release(spec)

    def close(self) -> None:
        """End the planners."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()
        self._planners.clear()


def agree(model: Model, terms: Terms) -> None:
    """Have a model over a network follow the terms; a cap in dollars needs a price."""
    if not isinstance(model, Conducted):
        return
    model.use_terms(terms)
    if terms.budget.max_cost is not None and not model.priced:
        raise ValueError(
            f"--max-cost: no price is known for {model.provider.name}; give one with --prices FILE, or use --max-tokens"
        )
