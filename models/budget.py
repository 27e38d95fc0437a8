"""Hard caps on the cost and tokens of a run. Each request reserves its maximum first, so a cap is never exceeded."""

from __future__ import annotations

from dataclasses import dataclass

from models.base import CapReached, Usage
from models.prices import Price


@dataclass
class Budget:
    """The caps and the amounts spent so far, in dollars and tokens."""

    max_cost: float | None = None
    max_tokens: int | None = None
    cost: float = 0.0
    tokens: int = 0
    _reserved_cost: float = 0.0
    _reserved_tokens: int = 0

    def reserve(self, prompt: int, completion: int, price: Price | None) -> Usage:
        """Reserve the most that a request may cost; `CapReached` if it does not fit."""
        worst = Usage(prompt, completion)
        cost = price.of(worst) if price else 0.0
        if self.max_cost is not None and self.cost + self._reserved_cost + cost > self.max_cost:
            raise CapReached(f"the next question could exceed --max-cost {self.max_cost:g}: ${self.cost:.4f} are spent")
        total = prompt + completion
        if self.max_tokens is not None and self.tokens + self._reserved_tokens + total > self.max_tokens:
            raise CapReached(f"the next question could exceed --max-tokens {self.max_tokens}: {self.tokens} are used")
        self._reserved_cost += cost
        self._reserved_tokens += total
        return Usage(prompt, completion, cost)

    def settle(self, reserved: Usage, used: Usage | None) -> None:
        """Release the reservation and count what was used; nothing if there was no reply."""
        self._reserved_cost -= reserved.cost
        self._reserved_tokens -= reserved.prompt_tokens + reserved.completion_tokens
        if used is not None:
            self.cost += used.cost
            self.tokens += used.prompt_tokens + used.completion_tokens
