"""A simulated model of stated quality for pipelines that make questions. Every number it leads to is simulated.

quality:?sound=0.5                     a writer half of whose questions are sound
quality:?hits=0.8&alarms=0.1           a judge who notices 80 % of faults, and finds one in 10 % of sound questions
quality:?fixes=0.6&solves=0.9&seed=1   a reviser, a solver, and another seed

A rate that is not given is perfect. The same request always gets the same reply.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

from models.base import Options, Reply, Request, Unanswerable, Witness

USAGE = "quality:?sound=P&hits=P&alarms=P&fixes=P   SIMULATED writer, judge or reviser of stated quality"
PERFECT: Mapping[str, float] = {"sound": 1.0, "hits": 1.0, "alarms": 0.0, "fixes": 1.0, "solves": 1.0}
"""Rates of a perfect model: sound questions, faults noticed, false alarms, faults fixed, right answers."""


def load(rest: str, options: Options) -> Quality:
    """The simulated model with these rates."""
    if rest:
        raise ValueError(f"quality takes rates only: {USAGE.partition(' ')[0]}")
    rates, seed = dict(PERFECT), "0"
    for name, text in options.items():
        if name == "seed":
            seed = text
            continue
        if name not in PERFECT:
            raise ValueError(f"quality has no rate {name!r}; rates: {', '.join(PERFECT)}, and seed")
        try:
            rates[name] = float(text)
        except ValueError:
            rates[name] = -1.0
        if not 0.0 <= rates[name] <= 1.0:
            raise ValueError(f"quality: {name} is a rate from 0 to 1, not {text!r}")
    return Quality(rates, seed)


class Quality:
    """The simulated model; it can reply only when bound to an episode's witness."""

    looks, simulated, cacheable = False, True, True

    def __init__(self, rates: Mapping[str, float], seed: str = "0", witness: Witness | None = None) -> None:
        self.rates, self.seed, self._witness = dict(rates), seed, witness
        stated = "&".join(f"{name}={rate:g}" for name, rate in rates.items() if rate != PERFECT[name])
        self.identity = f"quality:?{stated}&seed={seed}"

    def for_episode(self, witness: Witness) -> Quality:
        """The same model with the truth about the pictures, so that it can be wrong at its stated rates."""
        return Quality(self.rates, self.seed, witness)

    async def ask(self, request: Request) -> Reply:
        """The reply of a model of this quality."""
        if self._witness is None:
            raise Unanswerable("quality is simulated and can only reply about our own pictures")
        return Reply(await self._witness.right(request, Judgement(self.rates, self.seed, request)))


class Judgement:
    """The decisions of the simulated model in one request."""

    def __init__(self, rates: Mapping[str, float], seed: str, request: Request) -> None:
        self.rates, self._key = rates, f"{seed}|{request.place}|{request.about}"

    def sees(self, fact: str, true: bool) -> bool:
        """The truth, at the rate `solves`."""
        return true if self.chance(f"sees {fact}") < self.rates["solves"] else not true

    def blunders(self) -> bool:
        """Never: its mistakes are in its rates."""
        return False

    def pick(self, count: int) -> int:
        """A random number below `count`."""
        return int(self.chance("pick") * count)

    def chance(self, what: str) -> float:
        """A number from 0 to 1, the same for the same request."""
        digest = hashlib.sha256(f"{self._key}|{what}".encode()).digest()
        return int.from_bytes(digest[:8]) / 2**64
