"""The texts of questions, from the files in `prompts`: six tasks and two forms of reply."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from evals.actioneqa.entries import Entry

_FOLDER = Path(__file__).parent / "prompts"
_NAMES = {"ego": "a camera at the wrist, which looks along the gripper and moves with it"}


def text_of(entry: Entry, views: Sequence[str]) -> str:
    """The question without its options."""
    frame = "" if entry.configuration.level == "high" else f"{_read('frame')}\n"
    vector = f"{_read('vector')}\n" if entry.configuration.level == "low" else ""
    template = _read("forward" if entry.forward else "inverse")
    shown = template.replace("{views}", _views(views)).replace("{frame}\n", f"{frame}{vector}\n" if frame else "")
    return shown.replace("{action}", entry.action)


def labels_of(entry: Entry) -> tuple[str, ...]:
    """The label before each picture."""
    if entry.forward:
        return ("Picture 1, before the action:", *(f"Picture {number}:" for number in range(2, 6)))
    return ("Picture 1, before the action:", "Picture 2, after the action:")


def replies() -> tuple[str, str]:
    """The forms of a reply: at once, and after reasoning."""
    return _read("reply_direct"), _read("reply_cot")


def _views(views: Sequence[str]) -> str:
    if len(views) == 1:
        return f" The pictures are from {_NAMES[views[0]]}." if views[0] in _NAMES else ""
    listed = "; ".join(f"{number}. {_NAMES.get(name, 'a camera outside')}" for number, name in enumerate(views, 1))
    return (
        f" Each picture shows one moment in {len(views)} views side by side, from left to right, in the same order in "
        f"every picture: {listed}."
    )


@cache
def _read(name: str) -> str:
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
