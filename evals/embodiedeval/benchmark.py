"""EmbodiedEval: 328 tasks in our own scenes, or the original's tasks in its game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from envs.base import OptionsView
from envs.embodied import tasks as embedded
from envs.embodied.model import CATEGORIES, Act, Task
from envs.seeds import seed_of
from evals.embodiedeval.answers import ANSWERING, quoted
from evals.embodiedeval.categories import COUNTS, QA, STEPS
from evals.embodiedeval.judge import JUDGING, Tasked, TaskJudge
from evals.embodiedeval.settings import EMBEDDED, EmbodiedEvalSettings
from evals.run.benchmark import Defaults, Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.settings import fingerprint
from models.sim import check_published
from tools.base import Conduct

if TYPE_CHECKING:
    from evals.embodiedeval.original.game import Game
    from evals.embodiedeval.original.tasks import TaskFile


class TaskView(OptionsView):
    """A task as an agent meets it. In the last step of a question only its answers can be chosen.

    Under the official rules the first answer cannot be chosen then: the original numbers the answers from 0 in the last
    step, and its parser does not accept 0.
    """

    def __init__(self, world: Tasked, *, question: bool, steps: int, official: bool) -> None:
        super().__init__(world)
        self._taken, self._last = 0, steps - 1
        act = world.step

        def step(option: str) -> Any:
            self._taken += 1
            return act(option)

        def options() -> Sequence[str]:
            listed = world.options()
            if not question or self._taken != self._last:
                return listed
            answers = [option for option in listed if option.startswith(ANSWERING)]
            return answers[1:] if official else answers

        self.step, self.options = step, options


class EmbodiedEval(Defaults):
    """The benchmark."""

    name = "embodiedeval"
    settings = EmbodiedEvalSettings

    def judging(self, settings: EmbodiedEvalSettings) -> Judging:
        """Success, the share of conditions that hold, and path length."""
        return JUDGING

    def conduct(self, settings: EmbodiedEvalSettings) -> Conduct:
        """The original's rules with its quirks, or with the quirks fixed."""
        return settings.rules

    def check(self, settings: EmbodiedEvalSettings) -> None:
        """Check that the original's tasks and its game are only used together."""
        if settings.data != EMBEDDED and settings.game_port is None:
            raise ValueError(
                "--data: the original's tasks can only be played in its game: give --game-port, the port it connects to"
            )
        if settings.game_port is not None:
            if settings.data == EMBEDDED:
                raise ValueError("--game-port plays the original's tasks: give their folder with --data")
            from evals.embodiedeval.original.wire import messages

            messages()
        check_published(settings.model, ("embodiedeval",))

    def at_once(self, settings: EmbodiedEvalSettings) -> int | None:
        """The number of episodes at a time: one with a game, which has a single world."""
        return None if settings.game_port is None else 1

    def fingerprints(self, settings: EmbodiedEvalSettings) -> dict[str, str]:
        """Fingerprints of the tasks and of the code that makes scenes and decides what options do."""
        if settings.data != EMBEDDED:
            return {
                "problems": fingerprint(*(entry.task.model_dump_json().encode() for entry in _files(settings.data)))
            }
        from envs.embodied.world import VERSION

        return {"problems": fingerprint(embedded.FILE.read_bytes()), "world": VERSION}

    def splits(self, settings: EmbodiedEvalSettings) -> Sequence[str]:
        """The categories that have tasks, in the order of the paper."""
        found = {episode.split for episode in _all(settings)}
        return [name for name in COUNTS if name in found and settings.category in ("all", name)]

    def episodes(self, settings: EmbodiedEvalSettings) -> list[Episode]:
        """One episode for each task."""
        return [
            replace(episode, seed=seed_of(settings.seed, episode.id))
            for category in self.splits(settings)
            for episode in [one for one in _all(settings) if one.split == category][: settings.limit]
        ]

    def open(
        self, episode: Episode, settings: EmbodiedEvalSettings, supplies: Supplies
    ) -> tuple[OptionsView, TaskJudge]:
        """The task as the agent sees it, and the judge that knows the truth."""
        name = episode.id.partition(".repeat")[0]
        world, judge = (self._embedded if settings.data == EMBEDDED else self._game)(name, episode, settings, supplies)
        view = TaskView(
            world,
            question=episode.split in QA,
            steps=episode.step_limit,
            official=settings.rules is Conduct.OFFICIAL,
        )
        return view, judge

    def _embedded(
        self, name: str, episode: Episode, settings: EmbodiedEvalSettings, supplies: Supplies
    ) -> tuple[Tasked, TaskJudge]:
        from envs.embodied.world import EmbodiedWorld

        task = quoted(embedded.task(name))
        world = EmbodiedWorld(task, feedback=settings.feedback.value, pictures=supplies.pictures)
        return world, TaskJudge(world, episode.tags, task.steps, interactions(task), task.answer)

    def _game(
        self, name: str, episode: Episode, settings: EmbodiedEvalSettings, supplies: Supplies
    ) -> tuple[Tasked, TaskJudge]:
        from evals.embodiedeval.original.game import GameWorld
        from evals.embodiedeval.original.scene import compose

        entry = next(entry for entry in _files(settings.data) if _name(entry) == name)
        path = Path(settings.data) / entry.file
        world = GameWorld(_game(settings.game_port or 0), compose(path, settings.scenes), supplies.pictures)
        return world, TaskJudge(
            world, episode.tags, None, {one.text for one in entry.task.options if one.type != "Answer"}
        )


def interactions(task: Task) -> set[str]:
    """The options of a task other than its answers: those that act on objects or people."""
    return {option.text for option in task.options if option.act is not Act.ANSWER}


def _all(settings: EmbodiedEvalSettings) -> list[Episode]:
    return _embedded() if settings.data == EMBEDDED else [_of_file(entry) for entry in _files(settings.data)]


def _embedded() -> list[Episode]:
    return [
        Episode(
            task.id,
            CATEGORIES[task.category],
            step_limit=STEPS,
            tags={
                "problem": task.id,
                "level": CATEGORIES[task.category],
                "category": CATEGORIES[task.category],
                "kind": task.kind,
                "template": task.template,
                "scene": task.scene,
                "shortest": str(task.steps),
            },
        )
        for task in embedded.tasks()
    ]


def _of_file(entry: TaskFile) -> Episode:
    name, category = _name(entry), entry.category
    tags = {"problem": name, "level": category, "category": category, "scene": entry.task.scene}
    return Episode(name, category, step_limit=STEPS, tags=tags)


def _name(entry: TaskFile) -> str:
    return f"{entry.category}_{entry.index:03d}"


@lru_cache(maxsize=4)
def _files(folder: str) -> list[TaskFile]:
    from evals.embodiedeval.original.tasks import read_tasks

    return read_tasks(Path(folder))


@lru_cache(maxsize=1)
def _game(port: int) -> Game:
    from evals.embodiedeval.original.game import Game

    return Game(port)


BENCHMARK = EmbodiedEval()
