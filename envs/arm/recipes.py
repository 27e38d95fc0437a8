"""Recipes of questions about arms: all data from which a question, its options and its pictures are made.

A recipe is one line of JSON. Four outcomes start from one moment; each is one combination of two binary factors, and
one of them, drawn at random after all four passed every gate, is the truth.
"""

from __future__ import annotations

import gzip
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeAlias, cast

from envs.arm.labels import low_label, mid_label
from envs.arm.states import Motion, State, motion_between
from planners.files import Unreadable, read_bytes

Source: TypeAlias = Literal["bridge", "droid", "rt1"]
Level: TypeAlias = Literal["high", "mid", "low"]
Direction: TypeAlias = Literal["sp", "ai"]

Configuration: TypeAlias = tuple[Source, Level, Direction]

CONFIGURATIONS: tuple[Configuration, ...] = (
    *(
        (source, level, way)
        for source in ("bridge", "droid")
        for level in ("high", "mid", "low")
        for way in ("sp", "ai")
    ),
    ("rt1", "high", "sp"),
    ("rt1", "high", "ai"),
)
"""All configurations: source, level and direction. RT-1 has the high level only, because the base of its arm moves."""
PUBLISHED: Mapping[Configuration, int] = dict(
    zip(CONFIGURATIONS, (983, 983, 438, 890, 438, 1000, 353, 353, 509, 489, 509, 740, 555, 555), strict=True)
)
"""The number of published questions of each configuration: 8,795 in all."""
LETTERS = "ABCD"
_CORE = Path(__file__).parent / "core.jsonl.gz"


@dataclass(frozen=True, slots=True)
class Factor:
    """One of the two differences between the options.

    Low level: `opposite` (one dimension has the other sign), `absent` (one dimension does not change), `exchanged` (two
    dimensions have each other's values). Mid level: `sign` (of one dimension). High level: `object`, `place`,
    `relation` or `verb`, with the two values in `about`.
    """

    kind: str
    about: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Moved:
    """A thing that has moved by the end of the action; with `opening`, a drawer or door that was opened or closed."""

    thing: str
    position: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)
    """A quaternion: w, x, y, z."""
    opening: float | None = None


@dataclass(frozen=True, slots=True)
class Moment:
    """The arm at one time: joints in radians, the state of the gripper, and the things that have moved."""

    joints: tuple[float, ...]
    state: State
    moved: tuple[Moved, ...] = ()
    held: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One option: its final moment, the values (0 or 1) of the two factors, and at high level the action in words."""

    after: Moment
    bits: tuple[int, int]
    words: str = ""


@dataclass(frozen=True, slots=True)
class Recipe:
    """One question."""

    id: str
    source: Source
    level: Level
    direction: Direction
    scene: int
    """The seed of the scene: things, light, cameras."""
    before: Moment
    factors: tuple[Factor, Factor]
    outcomes: tuple[Outcome, ...]
    """Four, in the order of the letters."""
    truth: int
    dimensions: tuple[int, ...] = ()
    """Numbers of the dimensions that the mid level names."""
    setting: str = ""
    """What the scene had to contain: "drawers", "towels"…; empty if nothing was required."""
    arm: str = ""
    """The file of the arm, where it is not the source's own."""
    version: int = 1

    @property
    def answer(self) -> str:
        """The right letter."""
        return LETTERS[self.truth]

    @property
    def configuration(self) -> str:
        """Source, level and direction in one word: "bridge-low-sp"."""
        return f"{self.source}-{self.level}-{self.direction}"

    def motion(self, outcome: int) -> Motion:
        """The motion that leads to an outcome."""
        return motion_between(self.before.state, self.outcomes[outcome].after.state)

    def text(self, outcome: int) -> str:
        """The action of an outcome as the question gives it: with amounts in state prediction, else without."""
        forward = self.direction == "sp"
        if self.level == "high":
            return self.outcomes[outcome].words
        if self.level == "mid":
            return mid_label(self.motion(outcome), self.dimensions, amounts=forward)
        return low_label(self.motion(outcome), 4 if forward else 3)


def to_json(recipe: Recipe) -> dict[str, Any]:
    """The recipe as JSON, without default values."""

    def moment(it: Moment) -> dict[str, Any]:
        made: dict[str, Any] = {"joints": list(it.joints), "state": list(it.state)}
        if it.moved:
            made["moved"] = [_moved_json(moved) for moved in it.moved]
        if it.held:
            made["held"] = it.held
        return made

    return {
        "id": recipe.id,
        "version": recipe.version,
        "scene": recipe.scene,
        "before": moment(recipe.before),
        "factors": [[factor.kind, *factor.about] for factor in recipe.factors],
        "outcomes": [
            {"after": moment(one.after), "bits": list(one.bits)} | ({"words": one.words} if one.words else {})
            for one in recipe.outcomes
        ],
        "truth": recipe.truth,
    } | {
        name: value
        for name, value in (("dimensions", [*recipe.dimensions]), ("setting", recipe.setting), ("arm", recipe.arm))
        if value
    }


def _moved_json(moved: Moved) -> list[Any]:
    if moved.opening is not None:
        return [moved.thing, moved.opening]
    return [moved.thing, list(moved.position), list(moved.turn)]


def from_json(line: Mapping[str, Any]) -> Recipe:
    """The recipe that `to_json` wrote."""

    def moment(it: Mapping[str, Any]) -> Moment:
        moved = tuple(_moved(entry) for entry in it.get("moved", ()))
        return Moment(tuple(it["joints"]), State(*it["state"]), moved, it.get("held", ""))

    source, level, direction, _ = line["id"].split("-")
    first, second = (Factor(kind, tuple(about)) for kind, *about in line["factors"])
    outcomes = tuple(
        Outcome(moment(one["after"]), (one["bits"][0], one["bits"][1]), one.get("words", ""))
        for one in line["outcomes"]
    )
    return Recipe(
        line["id"],
        cast(Source, source),
        cast(Level, level),
        cast(Direction, direction),
        line["scene"],
        moment(line["before"]),
        (first, second),
        outcomes,
        line["truth"],
        tuple(line.get("dimensions", ())),
        line.get("setting", ""),
        line.get("arm", ""),
        line["version"],
    )


def _moved(entry: Sequence[Any]) -> Moved:
    if len(entry) == 2:
        return Moved(entry[0], opening=entry[1])
    return Moved(entry[0], tuple(entry[1]), tuple(entry[2]))


def written(recipes: Iterable[Recipe]) -> bytes:
    """Recipes as the bytes of a compressed file; the same recipes always give the same bytes."""
    text = "".join(json.dumps(to_json(recipe), separators=(",", ":")) + "\n" for recipe in recipes)
    buffer = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=buffer, mtime=0) as file:
        file.write(text.encode())
    return buffer.getvalue()


def load(path: Path) -> tuple[Recipe, ...]:
    """The recipes of a file that `python -m envs.arm.generate` wrote."""
    try:
        text = gzip.decompress(read_bytes(path)).decode()
        return tuple(from_json(json.loads(line)) for line in text.splitlines())
    except (OSError, EOFError, ValueError, KeyError, TypeError, IndexError) as error:
        reason = f"{path} is no file of recipes ({type(error).__name__}): make one with python -m envs.arm.generate"
        raise Unreadable(reason) from None


@cache
def core() -> tuple[Recipe, ...]:
    """The frozen set: 60 questions of each configuration."""
    return load(_CORE)
