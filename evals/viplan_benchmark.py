"""ViPlan as a benchmark: which problems, which worlds, how many steps."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from pydantic import Field

from agents.base import Agent
from envs.base import World
from envs.blocksworld import texts
from envs.blocksworld.problems import SPLITS, BlocksProblem, files, load
from envs.blocksworld.world import Blocksworld, Chance, SlipperyHand, renderer_version
from envs.pictures import PictureStore
from evals.episodes import Episode
from evals.settings import Settings, fingerprint
from memory import failures
from models.base import Model
from models.recorded.records import Episode as RecordedEpisode
from models.recorded.records import GrounderEpisode
from models.replay import Replay
from planners.outcome import Planner
from planners.pddl import PddlError
from planners.task import Step, Task
from tools.prompts import PromptSet
from tools.toolbox import Conduct

PLANNER_STEPS = {"simple": 10, "medium": 20, "hard": 30}
GROUNDER_STEPS = 20


class ViPlanSettings(Settings):
    """What a user may choose for ViPlan."""

    domain: Literal["blocksworld"] = "blocksworld"
    split: Literal["simple", "medium", "hard", "all"] = "all"
    fail_probability: float = Field(default=0.0, ge=0.0, le=1.0)
    problems: str | None = None
    viplan_root: str | None = None
    renderer: Literal["ray", "blender"] = "ray"
    rules: Conduct = Conduct.MENDED


class ViPlan:
    """The benchmark."""

    name = "viplan"
    settings = ViPlanSettings

    def splits(self, settings: ViPlanSettings) -> Sequence[str]:
        """The splits that a run plays, in order."""
        return SPLITS if settings.split == "all" else (settings.split,)

    def prompts(self, settings: ViPlanSettings) -> PromptSet:
        """Ours, or those of a checkout of the original."""
        if settings.viplan_root is None:
            return PromptSet.ours()
        root = Path(settings.viplan_root)
        if not root.is_dir():
            raise FileNotFoundError(f"--viplan-root: there is no folder {root}")
        return PromptSet.of_original(root, settings.domain)

    def conduct(self, settings: ViPlanSettings) -> Conduct:
        """The original's rules, or with its quirks mended."""
        return settings.rules

    def check(self, settings: ViPlanSettings, planner: Planner) -> None:
        """Our own problems are known to be good; a user's are read and solved before anyone is asked anything."""
        if settings.renderer == "blender" and find_spec("bpy") is None:
            raise ValueError("--renderer blender needs Blender: pip install -e '.[blender]'")
        problems = self.problems(settings)
        for problem in problems if problem_folder(settings) else ():
            world = Blocksworld(problem)
            outcome = planner.solve(Task(world.domain, world.objects, world.truth(), world.goal))
            if not outcome.solved:
                raise PddlError(f"problem {problem.id} has no plan: {outcome.status} {outcome.message}".rstrip())

    def problems(self, settings: ViPlanSettings) -> list[BlocksProblem]:
        """The problems that a run plays, in order."""
        folder = problem_folder(settings)
        return [load(path, split) for split in self.splits(settings) for path in files(split, folder)[: settings.limit]]

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Of the problem files, and of how the world looks and speaks."""
        folder = problem_folder(settings)
        problems = [
            path.read_bytes() for split in self.splits(settings) for path in files(split, folder)[: settings.limit]
        ]
        words = (Path(texts.__file__), Path(failures.__file__), Path(texts.__file__).with_name("domain.pddl"))
        return {
            "problems": fingerprint(*problems),
            "texts": fingerprint(*(path.read_bytes() for path in words)),
            "pictures": renderer_version(settings.renderer),
        }

    def episodes(self, settings: ViPlanSettings, agent: Agent, model: Model) -> list[Episode]:
        """One episode for each problem."""
        return [_episode(problem, settings, agent, model) for problem in self.problems(settings)]


def problem_folder(settings: ViPlanSettings) -> Path | None:
    """Where the problems are; None for our own."""
    if settings.problems:
        return Path(settings.problems)
    if settings.viplan_root:
        return Path(settings.viplan_root) / "data" / "planning" / "blocksworld" / "problems"
    return None


def _episode(problem: BlocksProblem, settings: ViPlanSettings, agent: Agent, model: Model) -> Episode:
    limit = settings.steps or (PLANNER_STEPS[problem.split] if agent.family == "planner" else GROUNDER_STEPS)
    seed = _seed(settings.seed, problem.id)

    def open_world(pictures: PictureStore) -> World:
        return Blocksworld(
            problem,
            seed=seed,
            chance=_chance(settings, seed, problem, model),
            official=settings.rules is Conduct.OFFICIAL,
            renderer=settings.renderer,
            pictures=pictures,
        )

    return Episode(problem.id, problem.name, problem.split, seed, limit, open_world)


def _seed(seed: int, problem: str) -> int:
    """A seed of its own for every problem, so that leaving one out does not change the others."""
    return int.from_bytes(hashlib.sha256(f"{seed} {problem}".encode()).digest()[:4])


def _chance(settings: ViPlanSettings, seed: int, problem: BlocksProblem, model: Model) -> Chance | None:
    if isinstance(model, Replay):
        return RecordedHand(model.episode(problem.name))
    return SlipperyHand(settings.fail_probability, seed) if settings.fail_probability else None


class RecordedHand:
    """Moves that go wrong where a recorded run's did."""

    def __init__(self, episode: RecordedEpisode) -> None:
        steps = episode.attempts if isinstance(episode, GrounderEpisode) else episode.steps
        # Only what reached the world and was legal there rolled the dice.
        self._left = [step.info for step in steps if step.info not in (None, "not legal")]

    def reseed(self, seed: int) -> None:
        """Leave the record: whatever the seed, nothing goes wrong any more."""
        self._left = []

    def __call__(self, move: Step, world: Blocksworld) -> Step | None:
        """The move as the record has it."""
        info = self._left.pop(0) if self._left else "success"
        if info == "no-op":
            return None
        return move if info in (None, "success") else Step.parse(info)
