"""The message that begins a task in the original's game: the scene's file, the people in it, and the task itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from evals.questions.readers.rows import BadData
from planners.files import Unreadable, read_json

SOURCES = ("AI2THOR", "HSSD", "ObjaverseSynthetic", "Sketchfab")
PEOPLE = "Mixamo"
STRAY = ("mini_project_bedroom_on_sketchfab", "ejemplo", "richards_art_gallery_-_audio_tour")
"""Scenes whose tasks name their things by paths with a folder `Sketchfab_model` that the files do not have."""


def compose(path: Path, scenes: str) -> dict[str, Any]:
    """The scene of a task file; `scenes` is the folder of scenes as the game finds it."""
    try:
        instance = read_json(path)
        file = Path(str(instance["scene_path"]).replace("\\", "/")).name
        if Path(file).stem in STRAY:
            instance = _without_stray(instance)
        instance["scene_path"] = _found(scenes, file)
        _quote_answers(instance)
        people = [_person(human, scenes) for human in instance.get("humans") or ()]
        agent = {"position": instance["agent_position"], "rotation": instance["agent_rotation"]}
    except Unreadable as error:
        raise BadData(f"{path} is no task file: {error}") from None
    except (KeyError, TypeError, AttributeError) as error:
        raise BadData(f"{path} is no task file: {error!r}") from None
    room = _instance(instance["scene_path"], [0, 0, 0], [0, 0, 0], "kinematic")
    return {
        "agent": agent,
        "player": {"prefab": "null", "position": [0, -100, 0], "rotation": [0, 0, 0]},
        "task_instance": instance,
        "instances": [room, *people],
        "walls": [],
        "floors": [],
        "interaction_distance": 1,
    }


def _found(scenes: str, file: str) -> str:
    """The path of a scene's file, by its name. The folder may be on another machine, and is not looked into then."""
    folder = Path(scenes)
    places = [folder / source / file for source in SOURCES]
    found = next((place for place in places if place.is_file()), None)
    if found is None and folder.is_dir():
        raise FileNotFoundError(f"--scenes: {file} is in none of the folders {', '.join(SOURCES)} of {folder}")
    return str((found or folder / file).absolute())


def _quote_answers(instance: dict[str, Any]) -> None:
    """Answers are options in words: `answer "two"`. Files may have the bare text."""
    for option in instance["options"]:
        if option["option_type"] == "Answer":
            option["option_text"] = _quoted(option["option_text"])
    for predicate in instance["predicates"]:
        if predicate["predicate_type"] == "choose":
            predicate["right_answer_content"] = _quoted(predicate["right_answer_content"])


def _quoted(text: str) -> str:
    return text if text.startswith('answer "') else f'answer "{text}"'


def _without_stray(value: Any) -> Any:
    if isinstance(value, str):
        return value.replace("Sketchfab_model/", "/")
    if isinstance(value, list):
        return [_without_stray(one) for one in value]
    if isinstance(value, dict):
        return {name: _without_stray(one) for name, one in value.items()}
    return value


def _person(human: dict[str, Any], scenes: str) -> dict[str, Any]:
    """A person as an instance of the scene, with the materials that the list of people names."""
    folder = (Path(scenes) / PEOPLE).absolute()
    placed = _instance(f"{folder}/{human['asset']}.fbx", human["human_position"], human["human_rotation"], "human")
    listing = folder / "mixamo_assets.json"
    if not listing.is_file():
        return placed  # the folder is on the game's machine
    try:
        assets = {asset["asset_id"]: asset for asset in read_json(listing)["assets"]}
        meshes = assets[f"{human['asset']}.fbx"]["mesh_materials"]
        for material in (material for mesh in meshes for material in mesh["materials"]):
            for name in ("base_map", "normal_map"):
                material[name] = f"{folder}/Textures/{material[name].rpartition('/')[2]}"
    except (Unreadable, KeyError, TypeError) as error:
        raise BadData(f"{listing}: {error!r}") from None
    return {**placed, "mesh_materials": meshes}


def _instance(prefab: str, position: Any, rotation: Any, kind: str) -> dict[str, Any]:
    placed = {"position": position, "rotation": rotation, "scale": [1, 1, 1]}
    return {"prefab": prefab, **placed, "parent": 0, "type": kind}
