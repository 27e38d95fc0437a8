"""Ask models single questions of a set outside a run, perhaps under a control, and check their answers.

    with Asker(benchmark, settings) as asker:
        asker.right("kitchen_1", "openai:gpt-4.1-mini", "blind")

If a model cannot be reached, an error is raised: that is not counted as a wrong answer.
"""

from __future__ import annotations

import asyncio
from contextlib import ExitStack
from typing import Any, Self

from envs.pictures import PictureStore
from evals.questions.sets import QuestionSet
from evals.run.benchmark import Supplies
from evals.run.episodes import Episode
from evals.run.equipment import Equipment
from evals.run.prepare import list_episodes, make_setup, terms_of
from evals.run.results import score_episode
from evals.run.runner import Setup, kinds_of, model_for, play_episode
from evals.run.settings import Asking, Running, Settings
from evals.run.trace import Recorder
from models.base import RunMustStop
from models.limited import LimitedModel
from tools.events import INFRASTRUCTURE, Ended


class Asker:
    """Asks models questions of a set; each model is loaded once."""

    def __init__(self, benchmark: QuestionSet, settings: Settings, asking: Asking | None = None) -> None:
        self._benchmark, self._settings = benchmark, settings
        self._equipment = Equipment(terms_of(asking or Asking()))
        self._setups: dict[tuple[str, str | None], tuple[Setup, Settings, dict[str, Episode]]] = {}
        self._closing = ExitStack()
        self._loop = self._closing.enter_context(asyncio.Runner())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        try:
            self._loop.run(self._equipment.release_all())
        finally:
            self._equipment.close()
            self._closing.close()

    def right(self, question: str, model: str, control: str | None = None) -> bool:
        """Whether a model answers a question correctly; `ValueError` if it does not answer."""
        setup, settings, episodes = self._setup(model, control)
        return self._loop.run(self._asked(setup, settings, episodes[question]))

    def check(self, model: str, control: str | None = None) -> None:
        """Raise `ValueError` if the model cannot be asked under this control."""
        self._setup(model, control)

    def _setup(self, model: str, control: str | None) -> tuple[Setup, Settings, dict[str, Episode]]:
        key = (model, control)
        if key not in self._setups:
            settings = self._settings.model_copy(update={"model": model, "control": control})
            setup = make_setup(self._benchmark, settings, Running(), self._equipment)
            episodes = {episode.id: episode for episode in list_episodes(self._benchmark, settings, setup.agent)}
            self._setups[key] = setup, settings, episodes
        return self._setups[key]

    async def _asked(self, setup: Setup, settings: Any, episode: Episode) -> bool:
        store = PictureStore()
        task, judge = self._benchmark.open(episode, settings, Supplies(store))
        recorder = Recorder(None, judge)
        model = LimitedModel(model_for(setup, episode, judge), asyncio.Semaphore(1), kinds_of(setup))
        try:
            await play_episode(setup, episode, task, judge, model, recorder, draw=store.picture)
        except RunMustStop as error:
            raise ValueError(f"{settings.model} must stop: {error}") from error
        ended = next(record.event for record in reversed(recorder.records) if isinstance(record.event, Ended))
        if ended.reason in INFRASTRUCTURE:
            raise ValueError(f"{settings.model} gives no answer to {episode.id}: {ended.detail or ended.reason}")
        return score_episode(episode, judge, recorder.records).success
