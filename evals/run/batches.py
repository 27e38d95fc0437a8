"""Runs whose requests go out in batches (`--batch`): more episodes at once, and the batches of an earlier start."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace

from evals.run.runner import Setup
from evals.run.settings import Running
from models.base import Model
from models.batching import PRICE, BatchStore, Gathering, as_batched, takes_batches
from models.cache import AnswerCache
from models.prices import Price

QUESTIONS, WORLDS = 20_000, 400
"""The default number of concurrent episodes (`--concurrency`): each of their rounds is a batch.

An episode in a world holds a file open, a question does not.
"""
REQUESTS = 100_000


def batched(setup: Setup, running: Running, cache: AnswerCache | None, closing: ExitStack) -> Setup:
    """The setup with its model asked in batches; `ValueError` if it has none, or if batches are under way without."""
    if not running.batch:
        _check_none_under_way(cache)
        return setup
    if cache is None:
        raise ValueError("--batch needs the cache, to collect batches after the run was stopped: leave out --no-cache")
    gathering = Gathering(wait=running.batch_wait, least=running.batch_least)
    store = BatchStore(cache.path)
    closing.callback(store.close, lambda key: cache.get(key) is not None)
    model = as_batched(setup.model, store, gathering, plain=running.batch_plain)
    requests = running.requests if "requests" in running.model_fields_set else REQUESTS
    return replace(setup, model=model, requests=requests)


def episodes_at_once(running: Running, *, questions: bool) -> int:
    """How many episodes are played at once."""
    if not running.batch or "concurrency" in running.model_fields_set:
        return running.concurrency
    return QUESTIONS if questions else WORLDS


def batch_price(price: Price | None, model: Model, running: Running) -> Price | None:
    """The price of a model in this run."""
    if not running.batch:
        return price
    if not takes_batches(model):
        raise ValueError(f"--batch: {model.identity} has no batch API; models of openai: and anthropic: have one")
    return price and price.times(PRICE)


def _check_none_under_way(cache: AnswerCache | None) -> None:
    """`ValueError` if the run has batches that would be paid for twice."""
    if cache is None or not BatchStore.path_for(cache.path).exists():
        return
    store = BatchStore(cache.path)
    try:
        batches, requests = store.under_way()
        if batches:
            raise ValueError(
                f"{requests} requests of this run are in batches that were not collected: add --batch to collect them, "
                f"or remove {store.path} to ask again at the full price"
            )
    finally:
        store.close()
