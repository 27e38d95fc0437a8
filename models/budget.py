"""Hard caps on what a run may spend. What is about to be asked is reserved first, so that a cap is never passed."""

from __future__ import annotations

from dataclasses import dataclass

from models.base import CapReached, Usage
from models.prices import Price


@dataclass
class Budget:
    """The limits and what has been spent, in dollars and tokens."""

    max_cost: float | None = None
    max_tokens: int | None = None
    cost: float = 0.0
    tokens: int = 0
    _reserved_cost: float = 0.0
    _reserved_tokens: int = 0

    def reserve(self, prompt: int, completion: int, price: Price | None) -> Usage:
        """Set aside what a request may take at the most; `CapReached` if it does not fit any more."""
        worst = Usage(prompt, completion)
        cost = price.of(worst) if price else 0.0
        if self.max_cost is not None and self.cost + self._reserved_cost + cost > self.max_cost:
            raise CapReached(f"the next question could pass --max-cost {self.max_cost:g}: ${self.cost:.4f} are spent")
        total = prompt + completion
        if self.max_tokens is not None and self.tokens + self._reserved_tokens + total > self.max_tokens:
            raise CapReached(f"the next question could pass --max-tokens {self.max_tokens}: {self.tokens} are used")
        self._reserved_cost += cost
        self._reserved_tokens += total
        return Usage(prompt, completion, cost)

    def settle(self, reserved: Usage, used: Usage | None) -> None:
        """Give back what was set aside and count what was used; nothing if there was no reply."""
        self._reserved_cost -= reserved.cost
        self._reserved_tokens -= reserved.prompt_tokens + reserved.completion_tokens
        if used is not None:
            self.cost += used.cost
            self.tokens += used.prompt_tokens + used.completion_tokens
