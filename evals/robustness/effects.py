"""What each disturbance did: paired tests against the undisturbed run, and what it comes to in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.compare.arms import Arm, arms_of
from evals.compare.own import read_part
from evals.compare.pairs import Pair, corrected, paired
from evals.pages.tables import Cell, Column, Table
from evals.robustness.playing import Played
from evals.robustness.variants import LOOKS, NAMES, WORDING
from evals.run.directory import RunDirectory

CLEAR = 0.05
"""The corrected p below which a difference counts as shown."""


@dataclass(frozen=True)
class Effect:
    """One disturbance. The difference is disturbed minus undisturbed; `gained` and `lost` count episodes."""

    name: str
    of: str
    pair: Pair | None
    impossible: str = ""

    @property
    def lost(self) -> int:
        """Episodes that only the undisturbed run solved."""
        return self.pair.table[True, False] if self.pair else 0

    @property
    def gained(self) -> int:
        """Episodes that only the disturbed run solved."""
        return self.pair.table[False, True] if self.pair else 0

    @property
    def shown(self) -> bool:
        """Whether the difference is more than chance after the correction."""
        return self.pair is not None and self.pair.holm < CLEAR

    def as_json(self) -> dict[str, Any]:
        """As one object."""
        pair = self.pair
        if pair is None:
            return {"disturbance": self.name, "of": self.of, "impossible": self.impossible}
        return {
            "disturbance": self.name,
            "of": self.of,
            "undisturbed": pair.left_success,
            "success": pair.right_success,
            "difference": pair.difference,
            "low": pair.interval.low,
            "high": pair.interval.high,
            "p": pair.test.exact,
            "holm": pair.holm,
            "lost": self.lost,
            "gained": self.gained,
            "episodes": sum(pair.table.values()),
            "not_scored": pair.lost,
            "detectable": pair.detectable,
        }


@dataclass(frozen=True)
class Robustness:
    """All disturbances of one agent with one model."""

    agent: str
    model: str
    simulated: bool
    effects: tuple[Effect, ...]

    def as_json(self) -> dict[str, Any]:
        """As one object."""
        return {
            "agent": self.agent,
            "model": self.model,
            "simulated": self.simulated,
            "effects": [effect.as_json() for effect in self.effects],
            "says": list(self.words()),
        }

    def as_table(self) -> Table:
        """As a table: one line for each disturbance."""
        columns = (
            "disturbance",
            "success",
            "difference",
            "95 %",
            "lost",
            "gained",
            "not scored",
            "p (Holm)",
            "could show",
        )
        aligned = tuple(Column(name, "left" if place == 0 else "right") for place, name in enumerate(columns))
        label = f"{'SIMULATED ' if self.simulated else ''}{self.agent}, {self.model}"
        title = f"{label}: success when what should not matter is changed"
        played = [effect.pair for effect in self.effects if effect.pair is not None]
        rows = [_row("undisturbed", f"{played[0].left_success:.2f}")] if played else []
        rows += [self._line(effect) for effect in self.effects]
        return Table(title, aligned, tuple(rows), tuple(self.words()))

    def _line(self, effect: Effect) -> tuple[Cell, ...]:
        pair = effect.pair
        if pair is None:
            return _row(effect.name, "not played")
        least = "nothing" if pair.detectable is None else f"{pair.detectable:.2f}"
        interval = f"{pair.interval.low:+.2f} … {pair.interval.high:+.2f}"
        counts = (str(effect.lost), str(effect.gained), str(pair.lost))
        return _row(
            effect.name,
            f"{pair.right_success:.2f}",
            f"{pair.difference:+.2f}",
            interval,
            *counts,
            f"{pair.holm:.3f}",
            least,
        )

    def words(self) -> Iterator[str]:
        """What it comes to."""
        for of in (WORDING, NAMES, LOOKS):
            yield from self._part(of)
        for reason in dict.fromkeys(effect.impossible for effect in self.effects if effect.impossible):
            names = ", ".join(effect.name for effect in self.effects if effect.impossible == reason)
            yield f"not played: {names}: {reason}"
        if self.simulated:
            yield (
                "the model is simulated: other words draw its errors anew, at the same rates; this shows how much luck "
                "a run of this size has, and nothing about the wording's effect on a real model"
            )

    def _part(self, of: str) -> Iterator[str]:
        """How much of the result one kind of disturbance makes."""
        effects = [effect for effect in self.effects if effect.of == of and effect.pair is not None]
        pairs = [effect.pair for effect in effects if effect.pair is not None]
        if not pairs:
            return
        rates = [pairs[0].left_success, *(pair.right_success for pair in pairs)]
        total = sum(sum(pair.table.values()) for pair in pairs)
        flipped = sum(effect.lost + effect.gained for effect in effects)
        shown = [effect.name for effect in effects if effect.shown]
        verdict = f"shown for {', '.join(shown)}" if shown else "no difference is shown"
        yield (
            f"{of}: success from {min(rates):.2f} to {max(rates):.2f}, a range of {max(rates) - min(rates):.2f}; "
            f"{flipped} of {total} episodes end otherwise ({flipped / max(1, total):.0%}); {verdict} (Holm < {CLEAR:g})"
        )


def effects_of(played: Played) -> Robustness:
    """The effects of all variants that were played."""
    base = _arm(played.undisturbed)
    pairs = {name: paired(base, _arm(run)) for name, run in played.runs.items()}
    names = [name for name, pair in pairs.items() if pair is not None]
    done = dict(zip(names, corrected([pair for pair in pairs.values() if pair is not None]), strict=True))
    unscored = {name: _why_unscored(run) for name, run in played.runs.items() if name not in done}
    effects = tuple(
        Effect(name, of, done.get(name), played.impossible.get(name, "") or unscored.get(name, ""))
        for name, of in played.of.items()
    )
    config = RunDirectory.open(played.undisturbed).config
    settings = config["settings"]
    return Robustness(settings["agent"], settings["model"], config.get("simulated") is True, effects)


def _why_unscored(run: Path) -> str:
    """Why no episode of a run was scored."""
    first = next((result.detail for result in RunDirectory.open(run).results() if not result.scored), "")
    return f"no episode could be scored: {first or 'nothing was played'}"


def _arm(run: Path) -> Arm:
    arms: Sequence[Arm] = arms_of([read_part(run)])
    return arms[0]


def _row(*texts: str) -> tuple[Cell, ...]:
    padded = [*texts, *[""] * (9 - len(texts))]
    return tuple(Cell(text) for text in padded)
