"""Prices of tokens, from a table that users can override (`--prices FILE`)."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from models.base import Request, Usage
from models.turns import Turn
from planners.files import read_json

_DATED = re.compile(r"[-@](\d{8}|\d{4}-\d{2}-\d{2}|latest)$")

PICTURE_TOKENS = {"openai": 765, "anthropic": 310, "google": 258}
"""The approximate tokens of a 480x480 picture, by provider."""
OTHER_PICTURE_TOKENS = 300


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens."""

    prompt: float
    cached: float
    completion: float

    def of(self, usage: Usage) -> float:
        """The price of a reply."""
        fresh = usage.prompt_tokens - usage.cached_tokens
        return (
            fresh * self.prompt + usage.cached_tokens * self.cached + usage.completion_tokens * self.completion
        ) / 1e6

    def times(self, share: float) -> Price:
        """This share of the price, such as half of it in a batch."""
        return Price(self.prompt * share, self.cached * share, self.completion * share)


class Prices:
    """Prices by provider and model; a model name with a date has the price of the name without it."""

    def __init__(self, table: dict[str, dict[str, Price]]) -> None:
        self._table = table

    def find(self, provider: str, model: str) -> Price | None:
        """The price, if it is known."""
        known = self._table.get(provider, {})
        return known.get(model) or known.get(_DATED.sub("", model))


def read_prices(own: Path | None = None) -> Prices:
    """The default table, overridden by the user's; `ValueError` if that cannot be read."""
    table = _read(Path(__file__).parent / "prices.json")
    for provider, models in (_read(own) if own else {}).items():
        table.setdefault(provider, {}).update(models)
    return Prices(table)


def _read(path: Path) -> dict[str, dict[str, Price]]:
    try:
        content = read_json(path)
        return {
            provider: {name: Price(*map(_dollars, three)) for name, three in models.items()}
            for provider, models in content.items()
            if isinstance(models, dict)
        }
    except (ValueError, TypeError, AttributeError) as error:
        raise ValueError(
            f"{path}: cannot be read as prices ({error}); it should look like "
            '{"openai": {"my-model": [2.0, 0.5, 8.0]}}: dollars per million prompt, cached and completion tokens'
        ) from None


def _dollars(number: Any) -> float:
    dollars = float(number)
    if not 0 <= dollars < math.inf:
        raise ValueError(f"{number} is not a price")
    return dollars


def most_prompt(request: Request, provider: str) -> int:
    """An upper estimate of a request's tokens, reserved before it is sent."""
    pictures = len(request.pictures) * PICTURE_TOKENS.get(provider, OTHER_PICTURE_TOKENS)
    return _characters(request) // 2 + 2 * pictures + 64


def estimated_prompt(request: Request, provider: str) -> int:
    """An estimate of a request's tokens: a quarter of its characters, plus a fixed number for each picture."""
    pictures = len(request.pictures) * PICTURE_TOKENS.get(provider, OTHER_PICTURE_TOKENS)
    return _characters(request) // 4 + pictures


def _characters(request: Request) -> int:
    """The number of characters in the request, descriptions of tools included."""
    tools = request.tools if isinstance(request, Turn) else ()
    return len(request.text) + sum(map(len, tools))
