"""Small files in the published forms, made by the tests."""

from __future__ import annotations

import io
import json
import os
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from evals.questions.readers.crc import crc32c, masked


def picture(colour: str, kind: str = "PNG", side: int = 24) -> bytes:
    from PIL import Image

    out = io.BytesIO()
    size = (side, side)
    image = Image.effect_noise(size, 60).convert("RGB") if colour == "noise" else Image.new("RGB", size, colour)
    image.save(out, kind)
    return out.getvalue()


RED, BLUE, NOISE = picture("red"), picture("blue", "JPEG"), picture("noise", "JPEG")

QUESTIONS = (
    (
        "Which is nearest?\nA.the cup\nB.the red box\nC.both\n",
        "B",
        "Multiple-choice",
        "choices_matching",
        {"label": "B"},
    ),
    ("Which are open?\nA.1\nB.2\nC.3", "A,C", "Multiple-choice", "choices_matching", {"label": "A,C"}),
    (
        "Sort the points by distance.",
        "C,D;D,C",
        "Sorting",
        "ordered_list_matching",
        {"order": [["C", "D"], ["D", "C"]]},
    ),
    (
        "What is each made of?\n1. cup\n2. box\nA.wood\nB.steel\nC.wool",
        "B,A",
        "Matching",
        "ordered_list_matching",
        {"order": ["B", "A"]},
    ),
    ("How many cups?", "4", "Counting", "number_matching", {"value_to_match": 4}),
    (
        "Judge each:\n1. The cup is red.\n2. The box is open.\n3. Both fit.",
        "[1,0,1]",
        "Composite-judgement",
        "bool_list_matching",
        {"bool_str": ["1", "0", "1"]},
    ),
    ("What colour is the arrow?", '["green"]', "Open", "key_items_matching", {"key_items": ["green"]}),
)


def plus_rows() -> list[dict[str, Any]]:
    """Seven questions as ERQA+ has them, the last with two pictures."""
    return [
        {
            "question_id": f"ERQAPlus_{number:03d}",
            "question": question,
            "images": [{"bytes": RED, "path": f"{number}.png"}, {"bytes": BLUE, "path": None}][: 1 + (number == 7)],
            "reference": reference,
            "question_type": type_,
            "task_category": "Perception",
            "task_sub_category": "Counting",
            "evaluator": evaluator,
            "evaluator_kwargs": json.dumps(kwargs),
        }
        for number, (question, reference, type_, evaluator, kwargs) in enumerate(QUESTIONS, 1)
    ]


def write_parquet(path: Path, rows: Sequence[Mapping[str, Any]], group: int = 3) -> Path:
    if not os.environ.get("CI"):
        pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install -e '.[data]'")
    import pyarrow as pa
    import pyarrow.parquet as pq

    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows)), path, row_group_size=group)
    return path


def varint(value: int) -> bytes:
    value &= (1 << 64) - 1
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def field(number: int, data: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(data)) + data


def feature(values: Sequence[bytes] | Sequence[int] | Sequence[float]) -> bytes:
    if all(isinstance(one, bytes) for one in values):
        return field(1, b"".join(field(1, one) for one in values if isinstance(one, bytes)))
    if any(isinstance(one, float) for one in values):
        return field(2, field(1, struct.pack(f"<{len(values)}f", *values)))
    return field(3, field(1, b"".join(varint(int(one)) for one in values)))


def example(features: Mapping[str, Any]) -> bytes:
    entries = (field(1, field(1, name.encode()) + field(2, feature(values))) for name, values in features.items())
    return field(1, b"".join(entries))


def record(data: bytes) -> bytes:
    head = struct.pack("<Q", len(data))
    return head + struct.pack("<I", masked(crc32c(head))) + data + struct.pack("<I", masked(crc32c(data)))


def erqa_example(question: str, pictures: Sequence[bytes], answer: str, places: Sequence[int] = (0,)) -> bytes:
    return example(
        {
            "question": [question.encode()],
            "image/encoded": list(pictures),
            "answer": [answer.encode()],
            "question_type": [b"Trajectory Reasoning"],
            "visual_indices": list(places),
        }
    )


CLOSING = " Please answer directly with only the letter of the correct option and nothing else."
ERQA = (
    erqa_example(f"Where does the gripper go? Choices: A. Up. B. Down. C. B. D. Left.{CLOSING}", [BLUE], "C"),
    erqa_example(f"From here to there? Choices: A. Yes. B. No.{CLOSING}", [RED, BLUE], "A", (5, 10)),
    erqa_example(f"Which point? Choices: A. A. B. B. C. C. D. D.{CLOSING}", [NOISE], "D", ()),
)


def write_tfrecord(path: Path, examples: Sequence[bytes] = ERQA) -> Path:
    path.write_bytes(b"".join(map(record, examples)))
    return path
