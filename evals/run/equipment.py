"""Models and planners by name, each created once and shared between runs."""

from __future__ import annotations

from pathlib import Path

from models.base import Model
from models.conduct import Terms, agree
from models.registry import load_model, routed
from models.serve import Served
from planners import get_planner
from planners.cache import CachedPlanner
from planners.outcome import Planner


class Equipment:
    """Models and planners. With terms, all models over a network follow them and share their caps."""

    def __init__(self, terms: Terms | None = None) -> None:
        self.terms = terms
        self._models: dict[str, Model] = {}
        self._engines: dict[str, Planner] = {}
        self._planners: dict[str, CachedPlanner] = {}

    def model(self, spec: str) -> Model:
        """The model with this name, loaded on first use; `ValueError` if there is none."""
        if spec not in self._models:
            with routed(self.terms.route if self.terms else None):
                model = load_model(spec)
            if self.terms is not None:
                agree(model, self.terms)
            self._models[spec] = model
        return self._models[spec]

    def planner(self, name: str) -> CachedPlanner:
        """The planner with this name; all runs share its processes."""
        if name not in self._engines:
            self._engines[name] = get_planner(name)
        engine = self._engines[name]
        if getattr(engine, "optimal", False):
            # Its cache also keeps tails of shortest plans, of which there may be several: no cache is shared.
            return CachedPlanner(engine)
        return self._planners.setdefault(name, CachedPlanner(engine))

    async def release(self, spec: str) -> None:
        """Close a model, to free its memory and connections."""
        model = self._models.pop(spec, None)
        closing = getattr(model, "close", None)
        if closing is not None:
            await closing()

    async def release_all(self) -> None:
        """Close all models."""
        for spec in list(self._models):
            await self.release(spec)

    def close(self) -> None:
        """Close the planners."""
        for engine in self._engines.values():
            engine.close()
        self._engines.clear()
        self._planners.clear()


def log_to(model: Model, folder: Path) -> None:
    """Have the logs of servers that the model starts written to this folder, unless they have started."""
    for part in getattr(model, "parts", ()):
        log_to(part, folder)
    if isinstance(model, Served) and model.server.log is None:
        model.server.log = folder / "server.log"
