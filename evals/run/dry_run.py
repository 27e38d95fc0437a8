"""Estimate the requests, tokens and cost of a run by playing it with simulated models.

It is played twice: with a model that is always right, which needs the fewest questions, and with one that errs as often
as GPT-4.1 in the paper, which has to replan. Equal questions count once, because their answers are cached.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, replace
from typing import Any

from envs.pictures import PictureStore
from evals.run.batches import batch_price
from evals.run.benchmark import Benchmark
from evals.run.episodes import Episode
from evals.run.equipment import Equipment
from evals.run.options import chosen
from evals.run.power import Detectable
from evals.run.power import detectable as detectable_on
from evals.run.prepare import given_settings, list_episodes, make_setup, terms_of
from evals.run.runner import Setup, model_for, play_episode
from evals.run.settings import Running
from evals.run.trace import Recorder
from models.base import Kind, Model, Reply, Request, Unanswerable, Usage
from models.conduct import Conducted, Terms
from models.oracle import PerfectEyes
from models.prices import Price, estimated_prompt
from models.sim import KNOWING, PublishedEyes, StandIn
from models.wrapped import Wrapped

REPLY_TOKENS = {
    Kind.YES_NO: 2,
    Kind.CHOICE: 4,
    Kind.CHOICES: 6,
    Kind.ORDER: 12,
    Kind.MATCHING: 12,
    Kind.JUDGEMENTS: 12,
    Kind.NUMBER: 4,
    Kind.PLAN: 250,
    Kind.ACTION: 40,
    Kind.PROBLEM: 600,
    Kind.DOMAIN: 1000,
    Kind.TOOLS: 60,
    Kind.TEXT: 200,
}
"""Typical tokens of a reply without reasoning."""
REASONING_TOKENS = 250


@dataclass
class RunCost:
    """Requests, pictures, tokens and dollars."""

    requests: int = 0
    pictures: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = None

    def priced(self, price: Price | None) -> RunCost:
        """The same with its cost in dollars, if the price is known."""
        return replace(self, cost=price.of(Usage(self.prompt_tokens, self.completion_tokens)) if price else None)


@dataclass(frozen=True)
class DryRun:
    """The estimates of a run, with all answers right and with some wrong, and what a comparison of it could show."""

    model: str
    episodes: int
    all_right: RunCost
    some_wrong: RunCost
    detectable: Detectable

    def as_json(self) -> dict[str, Any]:
        """As one object."""
        return asdict(self)

    def as_text(self) -> str:
        """As lines for people."""
        lines = [f"{self.episodes} episodes with {self.model}; nothing was asked. Tokens are estimates."]
        for name, needs in (("every answer right", self.all_right), ("wrong as often as GPT-4.1", self.some_wrong)):
            cost = "price not known" if needs.cost is None else f"${needs.cost:.2f}"
            lines.append(
                f"  {name:26} {needs.requests:7,} requests, {needs.pictures:6,} pictures, "
                f"{needs.prompt_tokens:11,} + {needs.completion_tokens:9,} tokens, {cost}"
            )
        return "\n".join([*lines, f"  {self.detectable}"])


class Counting(Wrapped):
    """A model that counts its requests, equal ones once."""

    def __init__(self, model: Model, needs: RunCost, seen: set[str], family: str, pictures: set[str]) -> None:
        super().__init__(model)
        self.looks, self.simulated, self.cacheable = False, True, False
        self._needs, self._seen, self._family, self._pictures = needs, seen, family, pictures

    async def ask(self, request: Request) -> Reply:
        """The simulated reply."""
        key = request.fingerprint(self.identity, looks=False)
        if key not in self._seen:
            self._seen.add(key)
            self._needs.requests += 1
            self._needs.prompt_tokens += estimated_prompt(request, self._family)
            self._needs.completion_tokens += REPLY_TOKENS[request.kind] + (REASONING_TOKENS if request.cot else 0)
        self._pictures.update(picture.key for picture in request.pictures)
        try:
            return await self._model.ask(request)
        except Unanswerable:
            return Reply("Something.")  # any text will do: its length is estimated


def dry_run(benchmark: Benchmark[Any], arguments: Mapping[str, Any]) -> DryRun:
    """Play the run with simulated models and count."""
    running = Running(**chosen(Running, arguments))
    settings = benchmark.settings(**given_settings(benchmark, arguments))
    terms = terms_of(running)
    with closing(Equipment(terms)) as equipment:
        setup = make_setup(benchmark, settings, running, equipment)
        episodes = list_episodes(benchmark, settings, setup.agent, running.shard)
        right, wrong = asyncio.run(counted(episodes, setup, settings.model))
        price = batch_price(price_of(setup.model, terms), setup.model, running)
        apart = independent(episodes, benchmark.judging(settings).cluster)
        return DryRun(settings.model, len(episodes), right.priced(price), wrong.priced(price), detectable_on(apart))


def independent(episodes: Sequence[Episode], cluster: str) -> int:
    """How many episodes count as independent: those of one problem, or with one value of the tag, count once."""
    tagged = cluster != "problem"
    return len(
        {
            episode.tags[cluster] if tagged and cluster in episode.tags else (episode.split, episode.problem)
            for episode in episodes
        }
    )


def price_of(model: Model, terms: Terms) -> Price | None:
    """The price of a model over a network, if it is known."""
    if not isinstance(model, Conducted):
        return None
    return terms.prices.find(model.family, model.provider.name)


async def counted(episodes: Sequence[Episode], setup: Setup, spec: str) -> tuple[RunCost, RunCost]:
    """The estimates with all answers right and with some wrong, without cost."""
    family = spec.partition(":")[0]
    right, wrong = [
        await _count(episodes, replace(setup, model=StandIn(eyes, kinds=KNOWING)), family)
        for eyes in (PerfectEyes(), PublishedEyes("gpt-4.1"))
    ]
    return right, wrong


async def _count(episodes: Sequence[Episode], setup: Setup, family: str) -> RunCost:
    needs, seen = RunCost(), set[str]()
    pictures: set[str] = set()
    for episode in episodes:
        task, judge = setup.open(episode, PictureStore())
        recorder = Recorder(None, judge)
        model = Counting(model_for(setup, episode, judge), needs, seen, family, pictures)
        await play_episode(setup, episode, task, judge, model, recorder)
    needs.pictures = len(pictures)
    return needs
