"""Household in ViPlan, on a server: the original's on iGibson, or our own.

With a checkout of the original its problems are played, in the scenes that it lists; without one, ours.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from envs.base import World, WorldUnavailable
from envs.household.problems import load
from envs.household.remote import RemoteHousehold, RemoteTask, tasks_of_original
from envs.pictures import PictureStore
from envs.rest.client import Server
from envs.rest.wire import WireTasks
from evals.viplan.domains.base import Posed, splits_of
from evals.viplan.domains.household import HouseholdDomain
from evals.viplan.settings import ViPlanSettings
from models.replay import Replay
from tools.base import Conduct


class RemoteHouseholdDomain(HouseholdDomain):
    """A home on a server, which plays one episode at a time."""

    def files(self, settings: ViPlanSettings, split: str) -> Sequence[Path]:
        """The files of a split's problems."""
        if settings.viplan_root is None:
            return super().files(settings, split)
        folder = Path(settings.viplan_root) / "data" / "planning" / "igibson" / split
        return [*sorted(folder.glob("*.pddl")), folder / "metadata.json"]

    def posed(self, settings: ViPlanSettings, split: str) -> Sequence[Posed]:
        """The problems of a split, each in all its scenes."""
        server = Server(str(settings.env_url))
        official = settings.rules is Conduct.OFFICIAL

        def posed(task: RemoteTask) -> Posed:
            def open_world(seed: int, replay: Replay | None, store: PictureStore) -> World:
                return RemoteHousehold(task, server, rules_of_original=official, pictures=store)

            return Posed(task.id, task.id, split, open_world)

        return [posed(task) for task in self._tasks(settings, split)]

    def check(self, settings: ViPlanSettings) -> None:
        """Ask the server for its tasks before the first request to a model."""
        self.refuse_what_is_elsewhere(settings)
        if settings.fail_probability:
            raise ValueError("--fail-probability is for worlds of our own: a server has its own chance")
        if settings.problems:
            raise ValueError("--problems is for homes of our own: a server has its tasks; --viplan-root names theirs")
        if "@" in str(settings.env_url):
            raise ValueError("--env-url: leave user and password out of the address, which reports show")
        server = Server(str(settings.env_url), seconds=30)
        if settings.viplan_root is not None:
            for split in splits_of(settings):
                self._tasks(settings, split)
            return
        try:
            known = server.get("/tasks", WireTasks).tasks
        except WorldUnavailable as error:
            raise ValueError(
                f"--env-url: {error}. A server of the original also needs --viplan-root, for its problems"
            ) from None
        missing = [task for split in splits_of(settings) for task in self._tasks(settings, split)]
        missing = [task for task in missing if task.reset not in known]
        if missing:
            raise ValueError(f"--env-url: {server.url} does not have {missing[0].reset}; it may be of another version")

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of the world's texts; its pictures and rules are the server's."""
        spoken = super().fingerprints(settings)["texts"]
        return {"texts": spoken, "pictures": "of a server", "homes": "of a server"}

    def _tasks(self, settings: ViPlanSettings, split: str) -> Sequence[RemoteTask]:
        if settings.viplan_root is not None:
            return tasks_of_original(Path(settings.viplan_root), split)[: settings.limit]
        return [RemoteTask.ours(load(file, split)) for file in super().files(settings, split)]
