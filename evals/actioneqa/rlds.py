"""Episodes of robots in RLDS files on disk: Bridge, DROID and RT-1, read without TensorFlow.

An RLDS file is a TFRecord file with one Example for each episode. The values of all steps of a feature are stored one
after the other under `steps/…`; pictures are encoded and read on demand. Angles are radians in the files and degrees
here; DROID's gripper is 1 when it is shut, ours when it is open.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from envs.arm.recording import Frame, Recording
from envs.arm.states import State
from evals.questions.readers.rows import BadData, Photo
from evals.questions.readers.sources import find
from evals.questions.readers.tfrecord import Span, Values, examples
from planners.names import unknown

Features = Mapping[str, Values]
PATTERNS = ("*.tfrecord*", "**/*.tfrecord*")
OBSERVED = "steps/observation/"


@dataclass(frozen=True, slots=True)
class Schema:
    """The features of a data set: cameras by our names, instructions, and the states of all steps."""

    source: str
    cameras: Mapping[str, str]
    instructions: Sequence[str]
    states: Callable[[Features, int], list[State]]
    known_by: str
    """A feature by which the schema is recognised: the others do not have it."""


def _numbers(features: Features, name: str, steps: int) -> list[tuple[float, ...]]:
    """The values of a feature, one tuple for each step."""
    values = features.get(name, ())
    numbers = [float(value) for value in values if not isinstance(value, Span)]
    if not numbers or len(numbers) % steps:
        raise BadData(f"{name} has {len(numbers)} numbers, which do not fit {steps} steps")
    if not all(map(math.isfinite, numbers)):
        raise BadData(f"{name} has a number that is not finite")
    width = len(numbers) // steps
    return [tuple(numbers[step * width : (step + 1) * width]) for step in range(steps)]


def _state(numbers: Sequence[float], opening: float) -> State:
    x, y, z, *turns = numbers[:6]
    roll, pitch, yaw = map(math.degrees, turns)
    return State(x, y, z, roll, pitch, yaw, min(max(opening, 0.0), 1.0))


def _bridge(features: Features, steps: int) -> list[State]:
    return [_state(one, one[6]) for one in _wide(features, f"{OBSERVED}state", steps, 7)]


def _droid(features: Features, steps: int) -> list[State]:
    poses = _wide(features, f"{OBSERVED}cartesian_position", steps, 6)
    shut = _wide(features, f"{OBSERVED}gripper_position", steps, 1)
    return [_state(pose, 1.0 - one[0]) for pose, one in zip(poses, shut, strict=True)]


def _rt1(features: Features, steps: int) -> list[State]:
    """From the pose of the tool: a position and a quaternion x, y, z, w."""
    poses = _wide(features, f"{OBSERVED}base_pose_tool_reached", steps, 7)
    shut = _wide(features, f"{OBSERVED}gripper_closed", steps, 1)
    return [_state((*pose[:3], *_euler(*pose[3:7])), 1.0 - one[0]) for pose, one in zip(poses, shut, strict=True)]


def _euler(x: float, y: float, z: float, w: float) -> tuple[float, float, float]:
    """Roll, pitch and yaw in radians, about the fixed axes x, y, z."""
    pitch = math.asin(max(-1.0, min(1.0, 2 * (w * y - z * x))))
    return (
        math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        pitch,
        math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    )


def _wide(features: Features, name: str, steps: int, width: int) -> list[tuple[float, ...]]:
    found = _numbers(features, name, steps)
    if len(found[0]) != width:
        raise BadData(f"{name} has {len(found[0])} numbers a step, not {width}")
    return found


SCHEMAS: Mapping[str, Schema] = {
    "bridge": Schema(
        "bridge",
        {f"exo_{number + 1}": f"{OBSERVED}image_{number}" for number in range(4)},
        ("steps/language_instruction",),
        _bridge,
        f"{OBSERVED}image_0",
    ),
    "droid": Schema(
        "droid",
        {
            "exo_1": f"{OBSERVED}exterior_image_1_left",
            "exo_2": f"{OBSERVED}exterior_image_2_left",
            "ego": f"{OBSERVED}wrist_image_left",
        },
        ("steps/language_instruction", "steps/language_instruction_2", "steps/language_instruction_3"),
        _droid,
        f"{OBSERVED}wrist_image_left",
    ),
    "rt1": Schema(
        "rt1",
        {"exo_1": f"{OBSERVED}image"},
        (f"{OBSERVED}natural_language_instruction",),
        _rt1,
        f"{OBSERVED}natural_language_instruction",
    ),
}


def recordings(
    where: str | Path, source: str | None = None, on_damage: Callable[[BadData], None] | None = None
) -> Iterator[Recording]:
    """The episodes in a file or a folder; the schema is recognised by its features unless a source is named.

    An episode that cannot be used raises `BadData` with its file and byte; with `on_damage` that is called instead,
    and the others are read.
    """
    if source is not None and source not in SCHEMAS:
        raise unknown("source of RLDS files", source, tuple(SCHEMAS))
    for path in find(where, PATTERNS):
        for start, features in examples(path, on_damage):
            at = f"{path}, the episode at byte {start}"
            try:
                yield _recording(features, _schema(features, source), f"{path.stem}-{start}", at)
            except BadData as error:
                damage = BadData(f"{at}: {error}")
                if on_damage is None:
                    raise damage from None
                on_damage(damage)


def _schema(features: Features, source: str | None) -> Schema:
    if source is not None:
        return SCHEMAS[source]
    for schema in SCHEMAS.values():
        if schema.known_by in features:
            return schema
    raise BadData(f"it has none of the known schemas ({', '.join(SCHEMAS)}); its features: {', '.join(features)}")


def _recording(features: Features, schema: Schema, name: str, at: str) -> Recording:
    cameras = {
        view: spans
        for view, feature in schema.cameras.items()
        if (spans := [one for one in features.get(feature, ()) if isinstance(one, Span)]) and _has(features, feature)
    }
    if not cameras:
        raise BadData(f"it has no pictures under {', '.join(schema.cameras.values())}")
    steps = len(next(iter(cameras.values())))
    wrong = next((view for view, spans in cameras.items() if len(spans) != steps), None)
    if wrong is not None:
        raise BadData(f"{schema.cameras[wrong]} has {len(cameras[wrong])} pictures, and the first camera has {steps}")
    states = schema.states(features, steps)
    views = tuple(cameras)
    frames = [Frame(state, views, _looking(cameras, step, at)) for step, state in enumerate(states)]
    return Recording(name, schema.source, _instruction(features, schema), frames)


def _has(features: Features, feature: str) -> bool:
    """Whether the metadata of a Bridge episode says that a camera has pictures; without metadata it has."""
    name = f"episode_metadata/has_{feature.rpartition('/')[2]}"
    return bool(features.get(name, (1,))[0])


def _looking(cameras: Mapping[str, Sequence[Span]], step: int, at: str) -> Callable[[str], bytes]:
    def picture(view: str) -> bytes:
        if view not in cameras:
            raise unknown("view", view, tuple(cameras))
        return Photo(f"{at}, step {step + 1}, {view}", cameras[view][step].read).png()

    return picture


def _instruction(features: Features, schema: Schema) -> str:
    """The first instruction that is not empty, of the first step."""
    for name in schema.instructions:
        first = next((one for one in features.get(name, ()) if isinstance(one, Span)), None)
        text = first.read().decode(errors="replace").strip() if first else ""
        if text:
            return text
    return ""
