"""The original's result folders: read them, and write a run of ours in their form.

A run has `run_args.json`, `task_ids.json` and a folder `trajNNNN` for each episode, with `task.json`, `result.json` and
a file `SSSSa.json` for each step. `traj.json`, where there is one, lists all steps.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from evals.embodiedeval.categories import FOLDERS
from evals.questions.readers.rows import BadData
from planners.files import Unreadable, read_json

_EPISODE = re.compile(r"traj(\d{4,})")
_STEP = re.compile(r"(\d{4,})a\.json")
OUT_OF_RANGE = -2
"""The option that the original records where a reply names none of those possible."""


class Step(BaseModel):
    """A step as the original records it. `done_after_action` is 1, 0, or -1 for a wrong answer."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    step: int
    options: tuple[str, ...]
    action_choice: int
    action: str | None = None
    response: str = ""
    thought: str = ""
    done_after_action: int
    feedback: str = ""
    predicates_done: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Episode:
    """The steps of one task. `predicates` is the number of its conditions."""

    index: int
    task_id: str
    category: str
    predicates: int
    steps: tuple[Step, ...]

    @property
    def last(self) -> Step | None:
        """The last step, if any was taken."""
        return self.steps[-1] if self.steps else None


def read_run(folder: Path) -> list[Episode]:
    """All episodes of a result folder, in their order; `BadData` names what cannot be read."""
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder}: there is no such folder")
    found = {int(named[1]): path for path in folder.iterdir() if (named := _EPISODE.fullmatch(path.name))}
    if not found:
        raise BadData(f"{folder} is no result folder: it has no folder trajNNNN")
    return [_episode(index, path) for index, path in sorted(found.items())]


def _episode(index: int, folder: Path) -> Episode:
    task = _json(folder / "task.json")
    try:
        task_id = str(task["task_id"])
        predicates = len(task["scene"]["task_instance"]["predicates"])
        category = FOLDERS[PurePosixPath(task_id).parts[0]]
    except (KeyError, TypeError, IndexError):
        raise BadData(f"{folder / 'task.json'} has no task_id in a category folder, or no predicates") from None
    return Episode(index, task_id, category, predicates, tuple(_steps(folder)))


def _steps(folder: Path) -> list[Step]:
    listing = folder / "traj.json"
    if listing.is_file():
        return list(_parsed(listing, TypeAdapter(list[Step])))
    paths = sorted((path for path in folder.iterdir() if _STEP.fullmatch(path.name)), key=lambda path: path.name)
    return [_parsed(path, TypeAdapter(Step)) for path in paths]


def _parsed(path: Path, form: TypeAdapter[Any]) -> Any:
    try:
        return form.validate_python(_json(path))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise BadData(f"{path}: {'.'.join(map(str, first['loc'])) or 'the whole'}: {first['msg']}") from None


def _json(path: Path) -> Any:
    try:
        return read_json(path)
    except Unreadable as error:
        raise BadData(f"{path}: {error}") from None


def write_run(folder: Path, arguments: Mapping[str, Any], episodes: Iterable[tuple[Episode, Mapping[str, Any]]]) -> int:
    """Write episodes, each with its task in the original's form, to a new folder; how many there were."""
    folder.mkdir(parents=True)
    indices: list[int] = []
    for episode, instance in episodes:
        indices.append(episode.index)
        _write_episode(folder / f"traj{episode.index:04d}", episode, instance)
    _write(folder / "run_args.json", dict(arguments))
    _write(folder / "task_ids.json", indices)
    return len(indices)


def _write_episode(folder: Path, episode: Episode, instance: Mapping[str, Any]) -> None:
    folder.mkdir()
    text = str(instance.get("task_text", ""))
    _write(folder / "task.json", {"scene": {"task_instance": instance}, "task": text, "task_id": episode.task_id})
    _write(folder / "task_raw.json", instance)
    success = episode.last is not None and episode.last.done_after_action == 1
    _write(folder / "result.json", {"result": "success" if success else "failed", "steps_taken": len(episode.steps)})
    steps = [step.model_dump(mode="json") | {"info_after_action": {}} for step in episode.steps]
    _write(folder / "traj.json", steps)
    for number, step in enumerate(steps):
        _write(folder / f"{number:04d}a.json", step)


def _write(path: Path, content: Any) -> None:
    path.write_text(json.dumps(content, indent=4, ensure_ascii=False), encoding="utf-8")
