"""Estimate the requests and cost of a sweep by agent and model, by playing it with simulated models."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from evals.pages.tables import Cell as Shown
from evals.pages.tables import Table
from evals.run.batches import batch_price
from evals.run.dry_run import RunCost, counted, price_of
from evals.run.equipment import Equipment
from evals.run.prepare import list_episodes, make_setup
from evals.run.settings import Settings
from evals.sweep.config import Plan
from evals.sweep.job import HEAVY, Episodes
from models.budget import Budget
from models.conduct import Conducted, Terms


def _nothing() -> RunCost:
    return RunCost(cost=0.0)


@dataclass(frozen=True)
class PreviewRow:
    """The estimates of one agent with one model, with all answers right and with some wrong."""

    agent: str
    model: str
    cells: int = 0
    episodes: int = 0
    right: RunCost = field(default_factory=_nothing)
    wrong: RunCost = field(default_factory=_nothing)

    def with_cell(self, episodes: int, right: RunCost, wrong: RunCost) -> PreviewRow:
        """Add the estimates of a cell."""
        sums = self.cells + 1, self.episodes + episodes, _sum(self.right, right), _sum(self.wrong, wrong)
        return PreviewRow(self.agent, self.model, *sums)

    def row(self) -> tuple[Shown, ...]:
        """Its row in a table, with ranges."""
        least, most = self.right, self.wrong
        tokens = [needs.prompt_tokens + needs.completion_tokens for needs in (least, most)]
        dollars = "not known" if most.cost is None else f"${least.cost or 0.0:,.2f}–{most.cost:,.2f}"
        return (
            Shown(self.agent),
            Shown(self.model),
            Shown.count(self.cells),
            Shown.count(self.episodes),
            Shown(f"{least.requests:,}–{most.requests:,}"),
            Shown(f"{tokens[0]:,}–{tokens[1]:,}"),
            Shown(dollars),
        )


@dataclass(frozen=True)
class Preview:
    """All estimates, and the caps."""

    lines: tuple[PreviewRow, ...]
    budget: Budget

    @property
    def total(self) -> PreviewRow:
        """The total over agents and models."""
        right, wrong = _nothing(), _nothing()
        for line in self.lines:
            right, wrong = _sum(right, line.right), _sum(wrong, line.wrong)
        counts = sum(line.cells for line in self.lines), sum(line.episodes for line in self.lines)
        return PreviewRow("all", "", *counts, right, wrong)

    def as_json(self) -> dict[str, Any]:
        """As JSON."""
        caps = {"max_cost": self.budget.max_cost, "max_tokens": self.budget.max_tokens}
        return {"lines": [asdict(line) for line in self.lines], "total": asdict(self.total), **caps}

    def as_table(self) -> Table:
        """As a table."""
        note = "From every answer right to wrong as often as GPT-4.1. Tokens are estimates; seeds are taken to need as "
        return Table.of(
            "What the sweep would need; nothing was asked",
            ("agent", "model", "cells", "episodes", "requests", "tokens", "cost"),
            [line.row() for line in (*self.lines, self.total)],
            notes=(f"{note}much as the first of them.",),
            name="preview",
            words=2,
            sections={len(self.lines)},
        )

    def warnings(self) -> Iterator[str]:
        """Warnings before the sweep is started."""
        most = self.total.wrong
        if most.cost is None:
            yield "the price of some models is not known; give it with prices = FILE in [run]"
        if self.budget.max_cost is not None and (most.cost or 0.0) > self.budget.max_cost:
            yield f"max_cost {self.budget.max_cost:g} may end the sweep before it is done"
        if self.budget.max_tokens is not None and most.prompt_tokens + most.completion_tokens > self.budget.max_tokens:
            yield f"max_tokens {self.budget.max_tokens} may end the sweep before it is done"


def preview(plan: Plan, equipment: Equipment, terms: Terms, notify: Callable[[str], None]) -> Preview:
    """Estimate every cell; cells that differ only in seed, or in models of one provider, are played once."""
    lines: dict[tuple[str, str], PreviewRow] = {}
    known: dict[str, tuple[RunCost, RunCost]] = {}
    episodes = Episodes(plan.benchmark)
    for cell in plan.cells:
        settings = cell.settings
        key = f"{settings.model.partition(':')[0]} {settings.model_dump_json(exclude={'model', 'seed'})}"
        if key not in known:
            notify(f"counting {cell.name}")
            known[key] = _counted(plan, settings, equipment)
        paid = None if settings.model.startswith(HEAVY) else equipment.model(settings.model)
        right, wrong = (
            needs.priced(batch_price(price_of(paid, terms), paid, plan.running))
            if isinstance(paid, Conducted)
            else _for_free(needs)
            for needs in known[key]
        )
        line = lines.get((settings.agent, settings.model), PreviewRow(settings.agent, settings.model))
        lines[settings.agent, settings.model] = line.with_cell(episodes(settings), right, wrong)
    return Preview(tuple(lines.values()), terms.budget)


def _counted(plan: Plan, settings: Settings, equipment: Equipment) -> tuple[RunCost, RunCost]:
    # Simulated models are used, so that a heavy model need not be loaded.
    chosen = settings.model_copy(update={"model": "oracle"}) if settings.model.startswith(HEAVY) else settings
    setup = make_setup(plan.benchmark, chosen, plan.running, equipment)
    return asyncio.run(counted(list_episodes(plan.benchmark, settings, setup.agent), setup, settings.model))


def _for_free(needs: RunCost) -> RunCost:
    return RunCost(needs.requests, needs.pictures, needs.prompt_tokens, needs.completion_tokens, 0.0)


def _sum(one: RunCost, other: RunCost) -> RunCost:
    """The sum; without a cost if one is unknown."""
    cost = None if one.cost is None or other.cost is None else one.cost + other.cost
    return RunCost(
        one.requests + other.requests,
        one.pictures + other.pictures,
        one.prompt_tokens + other.prompt_tokens,
        one.completion_tokens + other.completion_tokens,
        cost,
    )
