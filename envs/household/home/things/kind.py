"""A kind of thing, and the parameters of its maker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b
from random import Random
from typing import TypeAlias, TypeVar

from envs.household.home.model import Thing

T = TypeVar("T")


class Order:
    """The order of a thing. The same kind, name and seed always give the same thing."""

    def __init__(self, kind: str, name: str, seed: int, options: tuple[str, ...] = ()) -> None:
        self.kind, self.name, self.seed, self.options = kind, name, seed, options
        ending = name.rpartition("_")[2]
        self.number = int(ending) if ending.isdecimal() else 1
        self._own = _random(kind, name, seed)
        self._shared = _random(kind, seed)

    def between(self, low: float, high: float) -> float:
        """A random length of this thing, to the millimetre."""
        return round(self._own.uniform(low, high), 3)

    def pick(self, *variants: T) -> T:
        """One of the variants. Things of one kind with consecutive numbers never get the same one."""
        return variants[(self._shared.randrange(len(variants)) + self.number) % len(variants)]

    def grain(self) -> int:
        """A seed for a texture."""
        return self._own.randrange(997)


Maker: TypeAlias = Callable[[Order], Thing]


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of thing: its everyday noun, the function that makes it, and its options.

    Some kinds have several `types` with names of their own; the number in a thing's name selects one.
    People could mistake it for the kinds that it `resembles`.
    """

    name: str
    make: Maker
    options: tuple[str, ...] = ()
    movable: bool = False
    types: tuple[str, ...] = ()
    resembles: tuple[str, ...] = ()


def _random(*what: object) -> Random:
    digest = blake2b("/".join(map(str, what)).encode(), digest_size=8).digest()
    return Random(int.from_bytes(digest, "big"))
