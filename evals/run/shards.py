"""Parts of a run for several processes or machines: `--shard 2/4` is every fourth episode, starting with the second.

`python -m evals.merge` puts the parts together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

T = TypeVar("T")
_FORM = re.compile(r"([1-9]\d{0,5})/([1-9]\d{0,5})")


@dataclass(frozen=True, slots=True)
class Shard:
    """Part `number` of `count` parts, counted from 1."""

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read `2/4`; `ValueError` if the text does not name a shard."""
        found = _FORM.fullmatch(text)
        if found is None or int(found[1]) > int(found[2]):
            raise ValueError(f"a shard is K/N with K from 1 to N, such as 2/4, not {text!r}")
        return cls(int(found[1]), int(found[2]))

    def of(self, things: Sequence[T]) -> list[T]:
        """Every N-th item, starting with the K-th."""
        return list(things[self.number - 1 :: self.count])

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"
