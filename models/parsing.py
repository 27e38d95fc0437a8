"""Reading replies. A reader returns a value or says why there is none; it never raises."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from planners.task import Step


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply that could not be read, and why."""

    reason: str


_TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.DOTALL | re.IGNORECASE)
_EDGES = " \t\r\n.,;:!?\"'`*_()[]<>。！？、"


def yes_no(text: str, *, cot: bool = False) -> bool | Unreadable:
    """Whether a reply says yes or no.

    Without reasoning the reply itself must be the answer, give or take punctuation. With reasoning it is what
    stands between answer tags, or the reply itself when there are none.
    """
    answer = text
    if cot:
        tagged = _TAGGED.findall(text)
        answer = tagged[-1] if tagged else text
    word = answer.strip(_EDGES).lower()
    if word in ("yes", "no"):
        return word == "yes"
    if not word:
        return Unreadable("the reply is empty")
    return Unreadable(f"neither yes nor no: {_short(answer)}")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One action as a model wrote it; `step` is None where its parameters cannot be put in order."""

    action: str
    parameters: object
    step: Step | None


def proposals(text: str, key: str, signatures: Mapping[str, tuple[str, ...]]) -> tuple[Proposal, ...] | Unreadable:
    """The actions of a JSON reply: all of `{"plan": [...]}`, or the one of `{"action": ...}`.

    The JSON is what stands between the first and the last brace, as in the original.
    """
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return Unreadable(f"no JSON object: {_short(text)}")
    try:
        content = json.loads(text[start : end + 1])
        if "\\ud" in text.lower():  # escapes may spell halves of characters, which no file takes
            content = json.loads(json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return Unreadable(f"broken JSON ({error}): {_short(text)}")
    if not isinstance(content, dict) or key not in content:
        return Unreadable(f"the JSON has no {key!r}: {_short(text)}")
    entries = content[key]
    if key == "action" and isinstance(entries, str):
        entries = content
    entries = entries if isinstance(entries, list) else [entries]
    if not entries:
        return Unreadable("the plan is empty")
    read = [_proposal(entry, signatures) for entry in entries]
    wrong = next((entry for entry in read if isinstance(entry, Unreadable)), None)
    return wrong or tuple(entry for entry in read if isinstance(entry, Proposal))


def _proposal(entry: object, signatures: Mapping[str, tuple[str, ...]]) -> Proposal | Unreadable:
    if not isinstance(entry, dict) or not isinstance(entry.get("action"), str):
        return Unreadable(f"not an action: {_short(str(entry))}")
    action = entry["action"].strip()
    parameters = entry.get("parameters", [])
    return Proposal(action, parameters, _ordered(action, parameters, signatures))


def _ordered(action: str, parameters: object, signatures: Mapping[str, tuple[str, ...]]) -> Step | None:
    names = signatures.get(action)
    if names is None:
        return None
    values: list[object]
    if isinstance(parameters, dict):
        if set(parameters) != set(names):
            return None
        values = [parameters[name] for name in names]
    elif isinstance(parameters, list):
        values = parameters
    else:
        return None
    if len(values) != len(names) or not all(isinstance(value, str) for value in values):
        return None
    return Step(action, tuple(str(value).strip().lower() for value in values))


def _short(text: str, limit: int = 120) -> str:
    flat = " ".join(text.split())
    return repr(flat if len(flat) <= limit else flat[: limit - 1] + "…")
