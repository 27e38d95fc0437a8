"""A small question set and a small world of options, for the tests of several rooms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar

from envs.base import Observation, OptionsView, Outcome, Stepped
from evals.judges.options import JUDGING, OptionsJudge
from evals.questions import Item, QuestionSet
from evals.run.benchmark import Benchmark, Defaults, Supplies
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.run.settings import Running, Settings, option
from models.base import Kind
from tests.small_worlds import Sketch

FRUIT = ("apple", "pear", "plum", "fig")


class Fruit(QuestionSet):
    """Which fruit is it, how many are there, is it ripe: twelve pictures, three questions each."""

    name = "fruit"
    dimensions: ClassVar[Mapping[str, str]] = {"asks": "what is asked"}

    def items(self, settings: Any) -> Sequence[Item]:
        found = []
        for number in range(12):
            picture, which, ripe = f"bowl {number}", FRUIT[number % 4], number % 3 == 0
            tags = {"asks": "kind"}
            found.append(
                Item(f"kind_{number}", "Which fruit is it?", which, FRUIT, (picture,), split="kind", tags=tags)
            )
            found.append(
                Item(
                    f"count_{number}",
                    "How many are there?",
                    float(number),
                    (),
                    (picture,),
                    Kind.NUMBER,
                    "count",
                    {"asks": "count"},
                )
            )
            found.append(
                Item(f"ripe_{number}", "Is it ripe?", ripe, (), (picture,), Kind.YES_NO, "ripe", {"asks": "ripe"})
            )
        return found

    def picture(self, name: str, settings: Any) -> bytes:
        return name.encode()


class Stairs:
    """Up the stairs, one step at a time; jumping is refused."""

    name = "stairs"
    description = "You stand on a staircase."
    goal_text = "Go to the top."

    def __init__(self, height: int) -> None:
        self.height, self.at = height, 0

    def observe(self) -> Observation:
        front, side = (Sketch(f"{view} {self.at}", f"{view} {self.at}".encode()) for view in ("front", "side"))
        return Observation(front, more=(side,), hints=(f"You are on step {self.at}.",))

    def options(self) -> list[str]:
        return ["go up", *(["go down"] if self.at else []), "jump"]

    def step(self, action: str) -> Stepped:
        if action not in ("go up", "go down"):
            return Stepped(Outcome.NOT_LEGAL, feedback="You cannot jump that high.")
        self.at += 1 if action == "go up" else -1
        return Stepped(Outcome.EXECUTED, self.reached(), feedback="Done.")

    def reached(self) -> bool:
        return self.at == self.height

    def state(self) -> list[str]:
        return [f"on step {self.at} of {self.height}"]

    def best(self) -> str:
        return "go up"

    def worth(self) -> float:
        return self.at / self.height


class StairsSettings(Settings):
    agent: str = option("choose", "an agent", metavar="NAME")
    model: str = option("oracle", "a model", metavar="SPEC")


class Staircases(Defaults):
    """Five staircases, each a step higher."""

    name = "stairs"
    settings = StairsSettings

    def judging(self, settings: Any) -> Judging:
        return JUDGING

    def fingerprints(self, settings: Any) -> dict[str, str]:
        return {"problems": "five"}

    def episodes(self, settings: Any) -> list[Episode]:
        return [Episode(f"stairs_{height}", "all", 0, 8) for height in range(1, 6)][: settings.limit]

    def open(self, episode: Episode, settings: Any, supplies: Supplies) -> tuple[OptionsView, OptionsJudge]:
        world = Stairs(int(episode.id.partition(".")[0].removeprefix("stairs_")))
        return OptionsView(world), OptionsJudge(world, episode.tags)


def played(benchmark: Benchmark[Any], out: Path, **options: Any) -> RunDirectory:
    """A run, played to its end."""
    words = options if "resume" in options else {"out": out, **options}
    prepared = prepare(benchmark, options_of(words, benchmark.settings, Running))
    with prepared.closing:
        run_until_done(play(prepared, lambda result: None))
    return prepared.run
