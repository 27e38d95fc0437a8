"""Read the original's task files.

A folder has `tasks.json`, a list of `{index, task_file}`, and the files it names; the first folder of a file's path is
its category. Without `tasks.json` every file of the five category folders is read, in alphabetical order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path, PurePosixPath
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from evals.embodiedeval.categories import FOLDERS
from evals.questions.readers.rows import BadData
from planners.files import Unreadable, read_json

Point = tuple[float, float, float]
"""x, y, z in metres; y points up."""


class OptionType(StrEnum):
    """What an option does."""

    ANSWER = "Answer"
    PICK_UP = "PickUp"
    PLACE_TO = "PlaceTo"
    SPECIAL = "SpecialAction"
    OPEN_DOOR = "OpenDoor"
    CLOSE_DOOR = "CloseDoor"
    OPEN_DRAWER = "OpenDrawer"
    CLOSE_DRAWER = "CloseDrawer"


class PredicateType(StrEnum):
    """The type of a condition of a task."""

    CHOOSE = "choose"
    AT = "at"
    NOT_AT = "not_at"
    NEAR = "near"
    NOT_NEAR = "not_near"
    AGENT_AT = "agent_at"
    AGENT_NEAR = "agent_near"
    AGENT_PASS = "agent_pass"
    CLOSER = "closer"
    FURTHER = "further"
    GRAB = "grab"
    GRAB_ONCE = "grab_once"
    SPECIAL_ACTION_SUCCESS = "special_action_success"


class _Part(BaseModel):
    # Files also hold translations and identifiers of the editor that made them; they have no effect.
    model_config = ConfigDict(frozen=True, extra="ignore")


class Reply(_Part):
    """The feedback of a special action if everything it needs is near."""

    required_objects: tuple[str, ...] = ()
    feedback: str = ""


def _listed(value: Any) -> Any:
    """The list in `{"list": [...]}`."""
    return value.get("list", ()) if isinstance(value, dict) else () if value is None else value


class Option(_Part):
    """An option of a task, beside those to move and turn."""

    type: OptionType = Field(alias="option_type")
    text: str = Field(alias="option_text")
    objects: tuple[str, ...] = ()
    distance: float = Field(default=1.0, alias="interaction_distance")
    replies: Annotated[tuple[Reply, ...], BeforeValidator(_listed)] = Field(default=(), alias="specialActionFeedbacks")


class Predicate(_Part):
    """A condition that has to hold. Fields that its type does not use have arbitrary values."""

    type: PredicateType = Field(alias="predicate_type")
    answer: str = Field(default="", alias="right_answer_content")
    action: str = Field(default="", alias="right_special_action")
    object: str = Field(default="", alias="predicate_object")
    place: str = Field(default="", alias="predicate_place")


class SpecialPoint(_Part):
    """A named place."""

    name: str
    position: Point
    type: str


class Human(_Part):
    """A person in the scene."""

    asset: str
    position: Point = Field(alias="human_position")
    rotation: Point = Field(alias="human_rotation")
    pose: str
    pointing_to: str = ""


class Task(_Part):
    """A task as its file has it. `rotation` is in degrees."""

    scene: str = Field(alias="scene_name")
    text: str = Field(alias="task_text")
    position: Point = Field(alias="agent_position")
    rotation: Point = Field(alias="agent_rotation")
    options: tuple[Option, ...]
    predicates: tuple[Predicate, ...] = Field(min_length=1)
    points: tuple[SpecialPoint, ...] = Field(alias="special_points")
    humans: Annotated[tuple[Human, ...], BeforeValidator(_listed)] = ()


@dataclass(frozen=True, slots=True)
class TaskFile:
    """A task with its number, its file and its category."""

    index: int
    file: str
    category: str
    task: Task


def read_task(path: Path) -> Task:
    """The task of one file; `BadData` names the file and the field that is wrong."""
    try:
        task = Task.model_validate(read_json(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise BadData(f"{path}: {place}: {first['msg']}") from None
    except Unreadable as error:
        raise BadData(f"{path} is no task file: {error}") from None
    _check(path, task)
    return task


def _check(path: Path, task: Task) -> None:
    """Check that every answer and special action in a condition is also an option: else it could never be chosen."""
    texts = {option.text for option in task.options}
    for predicate in task.predicates:
        wanted = {PredicateType.CHOOSE: predicate.answer, PredicateType.SPECIAL_ACTION_SUCCESS: predicate.action}
        text = wanted.get(predicate.type)
        if text is not None and text not in texts:
            raise BadData(f"{path}: {predicate.type} names {text!r}, which is no option of the task")


def read_tasks(folder: Path) -> list[TaskFile]:
    """All tasks of a folder, in the order of its index."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder")
    index = folder / "tasks.json"
    listed = _indexed(index) if index.is_file() else _found(folder)
    if not listed:
        raise BadData(f"{folder} has no tasks: expected tasks.json, or the folders {', '.join(FOLDERS)}")
    return [TaskFile(number, name, _category(folder, name), read_task(folder / name)) for number, name in listed]


def _indexed(path: Path) -> list[tuple[int, str]]:
    try:
        return [(int(row["index"]), str(row["task_file"])) for row in read_json(path)]
    except (ValueError, KeyError, TypeError) as error:
        raise BadData(f"{path} is no list of {{index, task_file}}: {error}") from None


def _found(folder: Path) -> list[tuple[int, str]]:
    names = sorted(f"{part}/{path.name}" for part in FOLDERS for path in (folder / part).glob("*.json"))
    return list(enumerate(names))


def _category(folder: Path, name: str) -> str:
    parts = PurePosixPath(name).parts
    if len(parts) < 2 or ".." in parts or name.startswith("/") or parts[0] not in FOLDERS:
        raise BadData(f"{folder}: {name!r} is not in one of the folders {', '.join(FOLDERS)}")
    return FOLDERS[parts[0]]


def summary(tasks: Sequence[TaskFile]) -> dict[str, dict[str, int]]:
    """The numbers that the paper counts, by category."""
    every = [entry.task for entry in tasks]
    return {
        "tasks": dict(Counter(entry.category for entry in tasks)),
        "scenes": {"all": len({task.scene for task in every})},
        "options": dict(Counter(str(option.type) for task in every for option in task.options)),
        "predicates": dict(Counter(str(predicate.type) for task in every for predicate in task.predicates)),
        "points": dict(Counter(point.type for task in every for point in task.points)),
        "people": dict(Counter(human.pose for task in every for human in task.humans)),
    }
