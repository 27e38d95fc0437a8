"""Blocksworld in ViPlan: our problems, a folder of problems, or those of a checkout of the original."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from envs.base import World
from envs.blocksworld import texts
from envs.blocksworld.problems import BlocksProblem, files, load
from envs.blocksworld.world import Blocksworld, Chance, SlipperyHand, renderer_version
from envs.pictures import PictureStore
from evals.run.settings import fingerprint
from evals.viplan.domains.base import PLANNER_STEPS, Posed, splits_of
from evals.viplan.domains.checking import solvable
from evals.viplan.generated import Wanted
from evals.viplan.generated import files as generated
from evals.viplan.settings import ViPlanSettings
from memory import failures
from models.recorded.records import Episode as RecordedEpisode
from models.recorded.records import GrounderEpisode
from models.replay import Replay
from planners.task import Step
from tools import wording
from tools.base import Conduct

GROUNDER_STEPS = 20


class BlocksworldDomain:
    """Coloured blocks, all in view."""

    name = "blocksworld"

    def files(self, settings: ViPlanSettings, split: str) -> Sequence[Path]:
        """The problem files of a split, in order."""
        wanted = Wanted.parse(settings.problems)
        found = generated(self.name, split, wanted) if wanted else files(split, problem_folder(settings))
        return found[: settings.limit]

    def posed(self, settings: ViPlanSettings, split: str) -> Sequence[Posed]:
        """The problems of a split, in order."""
        return [_posed(settings, load(file, split)) for file in self.files(settings, split)]

    def check(self, settings: ViPlanSettings) -> None:
        """Read and solve a user's problems before the first request; ours are known to be solvable."""
        if settings.renderer == "blender" and find_spec("bpy") is None:
            raise ValueError("--renderer blender needs Blender: pip install -e '.[blender]'")
        if problem_folder(settings) is None or Wanted.parse(settings.problems):
            return
        problems = (load(file, split) for split in splits_of(settings) for file in self.files(settings, split))
        solvable(settings.planner, ((problem.id, Blocksworld(problem)) for problem in problems))

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of the world's pictures and texts."""
        here = Path(texts.__file__)
        words = (here, Path(failures.__file__), Path(wording.__file__), here.with_name("domain.pddl"))
        return {
            "texts": fingerprint(*(path.read_bytes() for path in words)),
            "pictures": renderer_version(settings.renderer),
        }

    def steps(self, split: str, family: str) -> int:
        """The step limit; for planner methods it grows with difficulty."""
        return PLANNER_STEPS[split] if family == "planner" else GROUNDER_STEPS


def problem_folder(settings: ViPlanSettings) -> Path | None:
    """The folder of problems; None for our own."""
    if settings.problems:
        return Path(settings.problems)
    if settings.viplan_root:
        return Path(settings.viplan_root) / "data" / "planning" / "blocksworld" / "problems"
    return None


def _posed(settings: ViPlanSettings, problem: BlocksProblem) -> Posed:
    def open_world(seed: int, replay: Replay | None, pictures: PictureStore) -> World:
        return Blocksworld(
            problem,
            seed=seed,
            chance=_chance(settings, seed, problem, replay),
            official=settings.rules is Conduct.OFFICIAL,
            renderer=settings.renderer,
            pictures=pictures,
        )

    return Posed(problem.id, problem.name, problem.split, open_world)


def _chance(settings: ViPlanSettings, seed: int, problem: BlocksProblem, replay: Replay | None) -> Chance | None:
    if replay is not None:
        return RecordedHand(replay.episode(problem.name))
    return SlipperyHand(settings.fail_probability, seed) if settings.fail_probability else None


class RecordedHand:
    """Repeats the slips of a recorded run."""

    def __init__(self, episode: RecordedEpisode) -> None:
        steps = episode.attempts if isinstance(episode, GrounderEpisode) else episode.steps
        # Only legal actions that reached the world drew a random number.
        self._left = [step.info for step in steps if step.info not in (None, "not legal")]

    def __call__(self, move: Step, world: Blocksworld) -> Step | None:
        """The recorded move."""
        info = self._left.pop(0) if self._left else "success"
        if info == "no-op":
            return None
        return move if info in (None, "success") else Step.parse(info)
