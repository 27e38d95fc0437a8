"""Household in ViPlan: our problems, or a folder of problems like them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from envs.base import World
from envs.household import glossary, pictures, problems, texts
from envs.household.problems import HouseholdProblem
from envs.household.world import Household
from envs.pictures import PictureStore
from evals.run.settings import fingerprint
from evals.viplan.domains.base import PLANNER_STEPS, Posed, splits_of
from evals.viplan.domains.checking import solvable
from evals.viplan.generated import Wanted
from evals.viplan.generated import files as generated
from evals.viplan.settings import ViPlanSettings
from memory import failures
from models.replay import Replay
from planners.pddl import PddlError
from tools import wording
from tools.base import Conduct


class HouseholdDomain:
    """A robot in a partially visible home."""

    name = "household"

    def files(self, settings: ViPlanSettings, split: str) -> Sequence[Path]:
        """The problem files of a split, in order."""
        wanted = Wanted.parse(settings.problems)
        found = generated(self.name, split, wanted) if wanted else problems.files(split, _folder(settings))
        return found[: settings.limit]

    def posed(self, settings: ViPlanSettings, split: str) -> Sequence[Posed]:
        """The problems of a split, in order."""
        return [_posed(settings, problems.load(file, split)) for file in self.files(settings, split)]

    def check(self, settings: ViPlanSettings) -> None:
        """Refuse settings of the other domain; build and solve a user's problems before the first request."""
        self.refuse_what_is_elsewhere(settings)
        if _folder(settings) is None or Wanted.parse(settings.problems):
            return
        listed = (problems.load(file, split) for split in splits_of(settings) for file in self.files(settings, split))
        solvable(settings.planner, ((problem.id, _built(problem)) for problem in listed))

    def refuse_what_is_elsewhere(self, settings: ViPlanSettings) -> None:
        """Raise `ValueError` for settings that only the other domain has."""
        if settings.renderer != "ray":
            raise ValueError(f"--renderer {settings.renderer} draws blocksworld only; household has ray")
        if settings.model == "pixels":
            raise ValueError("--model pixels reads pictures of blocksworld only")
        if settings.model.startswith("replay:"):
            raise ValueError(f"--model {settings.model}: records are of the original's homes, which are not ours")

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of the world's texts, pictures, homes, facts and actions."""
        here = Path(texts.__file__).parent
        spoken = (texts.__file__, glossary.__file__, failures.__file__, wording.__file__)
        words = (*map(Path, spoken), here / "domain.pddl")
        return {
            "texts": fingerprint(*(path.read_bytes() for path in words)),
            "pictures": f"ray {pictures.VERSION}",
            "axioms": fingerprint((here / "axioms.pddl").read_bytes()),
            "homes": fingerprint(*(path.read_bytes() for path in sorted(here.rglob("*.py")))),
        }

    def steps(self, split: str, family: str) -> int:
        """The step limit, which grows with difficulty."""
        return PLANNER_STEPS[split]


def _built(problem: HouseholdProblem) -> Household:
    try:
        return Household(problem)
    except ValueError as error:
        raise PddlError(f"problem {problem.id}: {error}") from None


def _posed(settings: ViPlanSettings, problem: HouseholdProblem) -> Posed:
    def open_world(seed: int, replay: Replay | None, store: PictureStore) -> World:
        kind = Household if settings.start == "told" else _to_search()
        return kind(
            problem,
            seed=seed,
            official=settings.rules is Conduct.OFFICIAL,
            fail_probability=settings.fail_probability,
            pictures=store,
        )

    return Posed(problem.id, problem.name, problem.split, open_world)


def _to_search() -> type[Household]:
    from envs.household.looking import HouseholdToSearch

    return HouseholdToSearch


def _folder(settings: ViPlanSettings) -> Path | None:
    """The folder of problems; None for our own. A checkout of the original has none for our homes."""
    return Path(settings.problems) if settings.problems else None
