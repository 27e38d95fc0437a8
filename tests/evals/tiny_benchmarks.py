"""Two tiny benchmarks in a file of their own: three questions about a picture, and a corridor to walk along."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envs.base import Observation, OptionsView, Outcome, Question, Stepped
from evals.judges.options import JUDGING as OF_OPTIONS
from evals.judges.options import OptionsJudge
from evals.judges.question import JUDGING as OF_QUESTIONS
from evals.judges.question import QuestionJudge
from evals.run.benchmark import Defaults, Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.settings import Settings, fingerprint, option
from models.base import Kind
from tests.small_worlds import Sketch

COLOURS = ("red", "green", "blue")
ITEMS: dict[str, tuple[str, Kind, tuple[str, ...], Any]] = {
    "top": ("Which block is on top?", Kind.CHOICE, COLOURS, "red"),
    "bottom": ("Which block is at the bottom?", Kind.CHOICE, COLOURS, "blue"),
    "count": ("How many blocks are there?", Kind.NUMBER, (), 3),
}


class TinySettings(Settings):
    agent: str = option("answer", "an agent")
    model: str = option("oracle", "a model")


class Questions(Defaults):
    name = "tiny_questions"
    settings = TinySettings

    def judging(self, settings: TinySettings) -> Judging:
        return OF_QUESTIONS

    def fingerprints(self, settings: TinySettings) -> dict[str, str]:
        return {"questions": fingerprint(repr(ITEMS).encode())}

    def episodes(self, settings: TinySettings) -> Sequence[Episode]:
        return [Episode(name, "all", tags={"picture": name}) for name in [*ITEMS][: settings.limit]]

    def open(self, episode: Episode, settings: TinySettings, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        text, kind, options, answer = ITEMS[episode.problem.partition(".")[0]]
        question = Question(text, (Sketch(episode.problem, episode.problem.encode()),), options, kind)
        return question, QuestionJudge(question, answer, episode.tags)


class Corridor:
    """Three doors in a row; the last one is the goal."""

    name = "corridor"
    goal_text = "go through the last door"
    description = "You are in a corridor."
    far = 3

    def __init__(self) -> None:
        self.at = 0

    def options(self) -> Sequence[str]:
        return ("go back", "go on", "wait")

    def observe(self) -> Observation:
        return Observation(Sketch(f"door {self.at}"))

    def step(self, action: str) -> Stepped:
        if action not in self.options():
            return Stepped(Outcome.UNKNOWN_ACTION)
        self.at = max(0, self.at + {"go on": 1, "go back": -1}.get(action, 0))
        return Stepped(Outcome.EXECUTED, self.reached())

    def reached(self) -> bool:
        return self.at == self.far

    def state(self) -> Sequence[str]:
        return (f"door {self.at}",)

    def best(self) -> str | None:
        return "go on"

    def worth(self) -> float:
        return self.at / self.far


class Corridors(Defaults):
    name = "tiny_corridors"
    settings = TinySettings

    def judging(self, settings: TinySettings) -> Judging:
        return OF_OPTIONS

    def fingerprints(self, settings: TinySettings) -> dict[str, str]:
        return {}

    def episodes(self, settings: TinySettings) -> Sequence[Episode]:
        return [Episode(f"corridor_{number}", "all", step_limit=4) for number in range(settings.limit or 2)]

    def open(self, episode: Episode, settings: TinySettings, supplies: Supplies) -> tuple[OptionsView, OptionsJudge]:
        world = Corridor()
        return OptionsView(world), OptionsJudge(world, episode.tags)


QUESTIONS = Questions()
