"""Household behind a server: our own (`python -m envs.serve household`), or the original's on iGibson."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from envs.base import Observation, Stepped
from envs.household import official, texts
from envs.household.glossary import kind_words
from envs.household.problems import HouseholdProblem, domain
from envs.household.world import hints, laws, nowhere_near
from envs.pictures import PictureStore
from envs.rest.client import RemoteWorld, Server
from envs.rest.wire import Reset
from planners.files import read_json
from planners.formula import Atom, Formula, Objects, State, literals
from planners.pddl import PddlError, read_problem
from planners.task import Step

THEIRS = "igibson"
"""The domain's name in the original's files."""


@dataclass(frozen=True)
class RemoteTask:
    """A task of a server, with the objects and goal from its problem file."""

    id: str
    reset: Reset
    objects: Objects
    goal: Formula

    @classmethod
    def ours(cls, problem: HouseholdProblem) -> RemoteTask:
        """One of our problems, as our own server lists it."""
        return cls(problem.id, address(problem), problem.objects, problem.goal)


def address(problem: HouseholdProblem) -> Reset:
    """The address of a problem on our own server: task, floor plan and number."""
    task, _, number = problem.id.rpartition("_")
    return Reset(task=task, scene_id=problem.setting.layout, instance_id=int(number))


def tasks_of_original(root: Path, split: str) -> list[RemoteTask]:
    """The tasks of a split in a checkout of the original: each of its problems in each of its scenes."""
    folder = root / "data" / "planning" / "igibson" / split
    listed = folder / "metadata.json"
    if not listed.exists():
        raise FileNotFoundError(f"--viplan-root: there is no {listed}")
    try:
        entries = {
            str(file): (
                str(entry["activity_name"]),
                [(str(scene), int(n)) for scene, n in entry["scene_instance_pairs"]],
            )
            for file, entry in read_json(listed).items()
        }
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise PddlError(f"{listed}: cannot be used: {type(error).__name__}: {error}") from None
    return [
        RemoteTask(
            f"{Path(file).stem}_{scene}_{number}",
            Reset(task=task, scene_id=scene, instance_id=number),
            problem.objects,
            problem.goal,
        )
        for file, (task, pairs) in entries.items()
        for problem in (read_problem(replace(domain(), name=THEIRS), folder / Path(file).name),)
        for scene, number in pairs
    ]


class _Texts:
    """The parts of a task that its server does not provide."""

    name = "household"
    description = texts.DESCRIPTION
    action_help = texts.ACTION_HELP
    signatures = texts.SIGNATURES
    candid = True

    def __init__(self, task: RemoteTask) -> None:
        self.domain = domain()
        self.laws = laws()
        self.objects = task.objects
        self.goal = task.goal
        self.goal_text = texts.goal_text(tuple(literals(task.goal, task.objects)))

    def question(self, atom: Atom) -> str:
        return texts.question(atom)

    def hints(self, truth: State) -> tuple[str, ...]:
        return hints(truth)


class RemoteHousehold(RemoteWorld):
    """One task on a server, under our rules or under the original's."""

    def __init__(
        self, task: RemoteTask, server: Server, *, rules_of_original: bool = False, pictures: PictureStore | None = None
    ) -> None:
        super().__init__(_Texts(task), task.reset, server, pictures)
        self._official = rules_of_original
        self.glossary = {name: kind_words(name) for name in task.objects}

    def observe(self) -> Observation:
        """The server's picture, and the objects that it reports as visible."""
        seen = super().observe()
        seen = replace(seen, impossible=nowhere_near(self.objects, seen.visible or frozenset()))
        return official.looked(seen, self.truth()) if self._official else seen

    def step(self, step: Step) -> Stepped:
        """Have the server attempt an action."""
        before = self.truth()
        answer = super().step(step)
        return official.stepped(answer, step, self, before) if self._official else answer
