"""RLDS files as the data sets have them, with few small pictures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.evals.published_files import example, picture, record

COLOURS = ("red", "green", "blue", "yellow", "white", "black")


def pictures(count: int, side: int = 24) -> list[bytes]:
    return [picture(COLOURS[number % len(COLOURS)], "JPEG", side) for number in range(count)]


def bridge(states: Sequence[Sequence[float]], instruction: str = "put the pot on the stove", views: int = 2) -> bytes:
    """An episode of Bridge; angles are given in degrees."""
    count = len(states)
    flat = [value for state in states for value in (*state[:3], *map(math.radians, state[3:6]), state[6])]
    features: dict[str, Any] = {
        "steps/observation/state": flat,
        "steps/language_instruction": [instruction.encode()] * count,
    }
    for number in range(4):
        has = number < views
        features[f"steps/observation/image_{number}"] = pictures(count) if has else [b"\x00"] * count
        features[f"episode_metadata/has_image_{number}"] = [int(has)]
    return example(features)


def droid(states: Sequence[Sequence[float]], instructions: Sequence[str] = ("", "", "pick the cup")) -> bytes:
    """An episode of DROID; the opening is stored the other way round."""
    count = len(states)
    names = ("language_instruction", "language_instruction_2", "language_instruction_3")
    poses = [value for state in states for value in (*state[:3], *map(math.radians, state[3:6]))]
    return example(
        {
            "steps/observation/cartesian_position": poses,
            "steps/observation/gripper_position": [1.0 - state[6] for state in states],
            "steps/observation/exterior_image_1_left": pictures(count),
            "steps/observation/exterior_image_2_left": pictures(count),
            "steps/observation/wrist_image_left": pictures(count),
            **{f"steps/{name}": [text.encode()] * count for name, text in zip(names, instructions, strict=True)},
        }
    )


def rt1(count: int, instruction: str = "move the can near the apple") -> bytes:
    """An episode of RT-1, turned by 90 degrees about z."""
    half = math.sqrt(0.5)
    return example(
        {
            "steps/observation/image": pictures(count),
            "steps/observation/natural_language_instruction": [instruction.encode()] * count,
            "steps/observation/base_pose_tool_reached": [0.5, 0.1, 0.8, 0.0, 0.0, half, half] * count,
            "steps/observation/gripper_closed": [0.0] * count,
        }
    )


def write(path: Path, episodes: Sequence[bytes]) -> Path:
    path.write_bytes(b"".join(map(record, episodes)))
    return path


def damaged(data: bytes, episodes: Sequence[bytes], number: int) -> bytes:
    """The file with a wrong byte in the data of one record."""
    start = sum(len(record(one)) for one in episodes[:number])
    broken = bytearray(data)
    broken[start + 12 + len(episodes[number]) // 2] ^= 0xFF
    return bytes(broken)


Features = Mapping[str, Any]
