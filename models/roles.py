"""Several models, each with a role: one that writes, one that judges, one that revises.

roles:?generate=SPEC&judge=SPEC&revise=SPEC     the first word of a request's place is the role

`spec_of({"generate": "openai:gpt-4o", ...})` makes such a spec, with separators escaped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from urllib.parse import quote, unquote

from models.base import Model, Options, Reply, Request, Witness, Witnessing
from models.registry import load_model

USAGE = "roles:?ROLE=SPEC&ROLE=SPEC   several models, each for its own part of a pipeline"
TRUTH = "truth"
"""Roles whose requests are answered from the truth where it is known, never by a model."""


def spec_of(specs: Mapping[str, str]) -> str:
    """The spec of some models by their roles."""
    return "roles:?" + "&".join(f"{role}={quote(spec, safe=':/@.,_-')}" for role, spec in specs.items())


def parts(options: Options) -> Iterable[str]:
    """The specs of the models."""
    return [unquote(spec) for spec in options.values()]


def load(rest: str, options: Options) -> Roles:
    """The models; two roles with the same spec share one."""
    if rest or not options:
        raise ValueError(f"roles needs a model for each role: {USAGE.partition(' ')[0]}")
    specs = {role: unquote(spec) for role, spec in options.items()}
    loaded = {spec: load_model(spec) for spec in dict.fromkeys(specs.values())}
    return Roles({role: loaded[spec] for role, spec in specs.items()})


class Roles:
    """Passes each request on to the model whose role it is."""

    def __init__(self, models: Mapping[str, Model], witness: Witness | None = None) -> None:
        self._models, self._witness = dict(models), witness
        self.identity = "roles " + "; ".join(f"{role} {model.identity}" for role, model in models.items())
        self.looks = any(model.looks for model in models.values())
        self.simulated = any(model.simulated for model in models.values())
        self.cacheable = all(model.cacheable for model in models.values())

    @property
    def parts(self) -> tuple[Model, ...]:
        """The models, each once."""
        return tuple({id(model): model for model in self._models.values()}.values())

    def for_episode(self, witness: Witness) -> Roles:
        """The same models in one episode."""
        bound = {
            role: model.for_episode(witness) if isinstance(model, Witnessing) else model
            for role, model in self._models.items()
        }
        return Roles(bound, witness)

    async def ask(self, request: Request) -> Reply:
        """The reply of the model whose role is the first word of the request's place."""
        role = request.place.partition(" ")[0]
        if role == TRUTH and self._witness is not None:
            return Reply(await self._witness.right(request, Knowing()))
        if role not in self._models:
            raise ValueError(f"no model has the role {role!r}; roles: {', '.join(self._models)}")
        return await self._models[role].ask(request)

    async def close(self) -> None:
        """Close the connections of all models."""
        for model in self.parts:
            closing = getattr(model, "close", None)
            if closing is not None:
                await closing()


class Knowing:
    """A mind that makes no mistakes."""

    def sees(self, fact: str, true: bool) -> bool:
        """The truth."""
        return true

    def blunders(self) -> bool:
        """Never."""
        return False

    def pick(self, count: int) -> int:
        """The first."""
        return 0
