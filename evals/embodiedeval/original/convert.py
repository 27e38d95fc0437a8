"""Our tasks and runs in the original's form.

The original's y points up and ours is z, so that `(x, y, z)` becomes `(x, z, y)`. Things, places and people are
numbered in one list, which conditions and the game's state refer to; the agent's own number is not in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from math import degrees, pi
from pathlib import Path
from typing import Any

from envs.embodied import tasks as embedded
from envs.embodied.model import CATEGORIES, Act, Check, Scene, Task
from envs.embodied.scenes import scene
from evals.embodiedeval.answers import quoted
from evals.embodiedeval.original.conditions import as_recorded
from evals.embodiedeval.original.results import OUT_OF_RANGE, Episode, Step
from evals.run.directory import RunDirectory
from tools.events import Acted, Asked, Ended, Reason

IDENTITY = "plumbline_task"
"""The key under which a task file of ours keeps its own name."""
IDLE = "idle"
HISTORY_ENDS = frozenset({Reason.UNREADABLE, Reason.TRUNCATED})


def numbered(task: Task, place: Scene) -> dict[str, int]:
    """The number of every thing, person and named place of a task."""
    return {name: number for number, name in enumerate((*place.placed, *(one.name for one in task.places)))}


def lines_of(task: Task, numbers: Mapping[str, int]) -> list[str]:
    """The conditions of a task as the game writes them, with numbers of things."""
    found = []
    for one in task.predicates:
        match one.check:
            case Check.CHOOSE | Check.SPECIAL:
                found.append(f"{one.check} {one.value}")
            case Check.AT:
                found.append(f"{one.check} {numbers[one.thing]} {numbers[one.place]}")
            case _:
                found.append(f"{one.check} {numbers[one.thing or one.place]}")
    return found


def instance(task: Task) -> dict[str, Any]:
    """A task as the original's task file has it; answers are bare texts there."""
    found = scene(task.scene)
    point = found.graph.points[task.start.point]
    turn = (90.0 - degrees(point.headings[task.start.heading].yaw)) % 360.0
    return {
        IDENTITY: task.id,
        "scene_name": task.scene,
        "scene_path": f"{task.scene}.glb",
        "scene_scale": [1.0, 1.0, 1.0],
        "scene_position": [0.0, 0.0, 0.0],
        "agent_position": up_is_y((point.x, point.y, 0.0)),
        "agent_rotation": [0.0, round(turn, 4), 0.0],
        "floor_objects": [],
        "removed_objects": [],
        "task_text": task.text,
        "options": [_option(option) for option in task.options],
        "predicates": [
            {
                "predicate_type": str(one.check),
                "right_answer_content": one.value if one.check is Check.CHOOSE else "",
                "right_special_action": one.value if one.check is Check.SPECIAL else "",
                "predicate_object": one.thing,
                "predicate_place": one.place,
            }
            for one in task.predicates
        ],
        "special_points": [
            *(
                {"name": f"NavigationPoint{number}", "position": up_is_y((one.x, one.y, 0.0)), "type": "navigation"}
                for number, one in enumerate(found.graph.points)
            ),
            *({"name": one.name, "position": up_is_y(one.position), "type": "special"} for one in task.places),
        ],
        "savePath": task.id,
    }


def _option(option: Any) -> dict[str, Any]:
    special = option.act is Act.SPECIAL
    replies = [{"required_objects": list(option.objects), "feedback": option.reply or "success"}] if special else []
    return {
        "option_type": str(option.act),
        "option_text": option.text,
        "objects": list(option.objects),
        "interaction_distance": option.distance,
        "specialActionFeedbacks": {"list": replies},
    }


def up_is_y(point: Sequence[float]) -> list[float]:
    """A point with y up."""
    x, y, z = (float(part) for part in point)
    return [x, z, y]


def write_tasks(folder: Path, tasks: Sequence[Task]) -> int:
    """Write tasks as the original's files to a new folder, with `tasks.json`; how many there are."""
    folder.mkdir(parents=True)
    index = []
    for number, task in enumerate(tasks):
        name = f"{task.category}/{task.id}.json"
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(instance(task), indent=1, ensure_ascii=False), encoding="utf-8")
        index.append({"index": number, "task_file": name})
    (folder / "tasks.json").write_text(json.dumps(index, indent=1), encoding="utf-8")
    return len(index)


def episodes_of(run: RunDirectory) -> Iterator[tuple[Episode, dict[str, Any]]]:
    """Each scored episode of a run on our own tasks in the original's form, with its task."""
    names = {task.id: number for number, task in enumerate(embedded.tasks())}
    for result in run.results():
        name = result.id.partition(".repeat")[0]
        if not result.scored or name not in names:
            continue
        task = embedded.task(name)
        yield _episode(names[name], task, [record.event for record in run.records(result.id)]), instance(task)


def _episode(index: int, task: Task, events: Sequence[Any]) -> Episode:
    """The steps of an episode, from its choices: they are made again in a world of its own."""
    from envs.embodied.world import EmbodiedWorld

    world = EmbodiedWorld(quoted(task))
    steps: list[Step] = []
    reply, heard = "", ""
    done, values = 0, (0,) * len(task.predicates)
    for event in events:
        if isinstance(event, Asked):
            reply = event.reply
        listed = (IDLE, *world.options())
        if isinstance(event, Acted):
            world.step(event.action)
            values = tuple(world.predicates())
            done = -1 if world.lost() else int(world.reached())
            place = listed.index(event.action) if event.action in listed else OUT_OF_RANGE
            steps.append(_step(len(steps), listed, place, event.action, reply, done, event.feedback, values))
            heard = event.feedback
        elif isinstance(event, Ended) and event.reason in HISTORY_ENDS:
            steps.append(_step(len(steps), listed, OUT_OF_RANGE, None, reply, done, heard, values))
    category = CATEGORIES[task.category]
    return Episode(index, f"{task.category}/{task.id}.json", category, len(task.predicates), tuple(steps))


def _step(
    number: int,
    options: Sequence[str],
    choice: int,
    action: str | None,
    reply: str,
    done: int,
    feedback: str,
    values: Sequence[int],
) -> Step:
    thought = reply.partition("Thought:")[2].partition("\nChoice:")[0].strip() if "\nChoice:" in reply else ""
    return Step(
        step=number,
        options=tuple(options),
        action_choice=choice,
        action=action,
        response=reply,
        thought=thought,
        done_after_action=done,
        feedback=feedback,
        predicates_done=as_recorded(values),
    )


def yaw_in_degrees(yaw: float) -> float:
    """A direction as the game has it: clockwise from z, seen from above."""
    return degrees((pi / 2 - yaw) % (2 * pi))
