"""The frozen tasks: read from `data/tasks.json`, one for each line, without building any scene.

for task in tasks():
    world = EmbodiedWorld(task)
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from envs.embodied.model import Act, Check, Option, Place, Predicate, Start, Task
from planners.names import unknown

FILE = Path(__file__).parent / "data" / "tasks.json"


@cache
def tasks() -> Sequence[Task]:
    """All tasks, in the order of the file."""
    return read(FILE)


def task(name: str) -> Task:
    """The task with this id."""
    found = {item.id: item for item in tasks()}
    if name not in found:
        raise unknown("task", name, found)
    return found[name]


def read(path: Path) -> tuple[Task, ...]:
    """The tasks of a file."""
    return tuple(from_json(row) for row in json.loads(path.read_text(encoding="utf-8")))


def write(path: Path, rows: Sequence[Task]) -> None:
    """Write tasks to a file: the same tasks give the same bytes."""
    lines = ",\n".join(json.dumps(to_json(row), ensure_ascii=False) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_suffix(f".{os.getpid()}.part")
    part.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    part.replace(path)


def to_json(item: Task) -> dict[str, Any]:
    """A task as a row without empty fields; plain answers are a list of texts."""
    options = [option for option in item.options if option.act is not Act.ANSWER]
    row: dict[str, Any] = {
        "id": item.id,
        "category": item.category,
        "kind": item.kind,
        "template": item.template,
        "wording": item.wording,
        "scene": item.scene,
        "text": item.text,
        "start": [item.start.point, item.start.heading],
        "steps": item.steps,
        "answers": list(item.answers),
        "options": [_slim(option, Option("", "")) for option in options],  # type: ignore[arg-type]
        "predicates": [_slim(predicate, Predicate("")) for predicate in item.predicates],  # type: ignore[arg-type]
        "places": [[place.name, list(place.position), place.support] for place in item.places],
        "evidence": list(item.evidence),
    }
    return {key: value for key, value in row.items() if value not in ([], "")}


def _slim(item: Any, empty: Any) -> dict[str, Any]:
    """The fields of a record that differ from those of an empty one."""
    values = {name: getattr(item, name) for name in item.__slots__}
    return {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
        if value != getattr(empty, name)
    }


def from_json(row: Mapping[str, Any]) -> Task:
    """A task from its row."""
    answers = tuple(Option(Act.ANSWER, text) for text in row.get("answers", ()))
    return Task(
        id=row.get("id", ""),
        category=row["category"],
        kind=row["kind"],
        template=row["template"],
        wording=row["wording"],
        scene=row["scene"],
        text=row["text"],
        start=Start(*row["start"]),
        options=(*(_option(option) for option in row.get("options", ())), *answers),
        predicates=tuple(
            Predicate(Check(predicate["check"]), **{key: value for key, value in predicate.items() if key != "check"})
            for predicate in row["predicates"]
        ),
        places=tuple(Place(name, (x, y, z), support) for name, (x, y, z), support in row.get("places", ())),
        evidence=tuple(row.get("evidence", ())),
        steps=row.get("steps", 0),
    )


def _option(row: Mapping[str, Any]) -> Option:
    values: dict[str, Any] = {key: tuple(value) if isinstance(value, list) else value for key, value in row.items()}
    return Option(act=Act(values.pop("act")), **values)
