"""Actions and plans in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from models.parsing.answer import REFUSAL, Profile, Unreadable, excerpt, is_unsure, plain_text, without_reasoning
from models.parsing.lenient import Cut, values
from planners.steps import Step

Signatures = Mapping[str, tuple[str, ...]]

_CALL = re.compile(r"\s*([\w-]+)\s*\(([^()]*)\)\s*")
_PARAMETERS = ("parameters", "params", "arguments", "args")


@dataclass(frozen=True, slots=True)
class Proposal:
    """One action as a model wrote it. `step` is None if its parameters do not fit the action."""

    action: str
    parameters: object
    step: Step | None


def proposals(
    text: str, key: str, signatures: Signatures, *, profile: Profile = Profile.ROBUST
) -> tuple[Proposal, ...] | Unreadable:
    """The actions of a JSON reply: all of `{"plan": [...]}`, or the one of `{"action": ...}`.

    Official: the JSON is the text between the first and the last brace. Robust: if that is not JSON, the last complete
    object with the key, in any quotes, or a list of actions; of an object that was cut off, the actions before the cut.
    """
    try:
        read = _official(text, key, signatures)
        if profile is Profile.OFFICIAL or not isinstance(read, Unreadable):
            return read
        return _robust(text, key, signatures, read)
    except RecursionError:
        return Unreadable(f"nested too deeply: {excerpt(text)}")


def _official(text: str, key: str, signatures: Signatures) -> tuple[Proposal, ...] | Unreadable:
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return Unreadable(f"no JSON object: {excerpt(text)}")
    try:
        content = json.loads(text[start : end + 1])
        if "\\ud" in text.lower():  # escapes may spell lone surrogates, which UTF-8 cannot encode
            content = json.loads(json.dumps(content, ensure_ascii=False).encode("utf-8", "replace"))
    except (ValueError, RecursionError) as error:
        return Unreadable(f"broken JSON ({error}): {excerpt(text)}")
    if not isinstance(content, dict) or key not in content:
        return Unreadable(f"the JSON has no {key!r}: {excerpt(text)}")
    return _all_of(_entries(content, key), signatures)


def _entries(content: Mapping[str, object], key: str) -> Sequence[object]:
    entries = content[key]
    if key == "action" and isinstance(entries, str):
        entries = content
    return entries if isinstance(entries, list) else [entries]


def _all_of(entries: Iterable[object], signatures: Signatures) -> tuple[Proposal, ...] | Unreadable:
    read = [_proposal(entry, signatures) for entry in entries]
    if not read:
        return Unreadable("the plan is empty")
    wrong = next((entry for entry in read if isinstance(entry, Unreadable)), None)
    return wrong or tuple(entry for entry in read if isinstance(entry, Proposal))


def _robust(text: str, key: str, signatures: Signatures, official: Unreadable) -> tuple[Proposal, ...] | Unreadable:
    """The last complete object with the key, else a bare list of actions, else the actions before a cut."""
    content = without_reasoning(text)
    found = values(content)
    whole = [value for value in found if isinstance(value, dict) and key in value]
    if whole:
        return _all_of(_tidied(_entries(whole[-1], key), signatures), signatures)
    lists = [value for value in found if isinstance(value, list) and value and all(map(_is_action, value))]
    if key == "plan" and lists:
        return _all_of(_tidied(lists[-1], signatures), signatures)
    cut = [value.whole for value in found if isinstance(value, Cut) and isinstance(value.whole, dict)]
    saved = [entries for entries in (_before_cut(value, key) for value in cut) if entries]
    if saved:
        return _all_of(_tidied(saved[-1], signatures), signatures)
    return REFUSAL if not found and is_unsure(plain_text(content)) else official


def _is_action(entry: object) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("action"), str)


def _before_cut(content: Mapping[str, object], key: str) -> Sequence[object]:
    """The complete actions of an object that was cut off."""
    entries = content.get(key)
    if isinstance(entries, Cut):
        inner = entries.whole
        return [entry for entry in inner if not isinstance(entry, Cut)] if isinstance(inner, list) else []
    if key == "action" and isinstance(entries, str):
        given = any(name in content and not isinstance(content[name], Cut) for name in _PARAMETERS)
        return [content] if given else []
    return [] if entries is None else _entries(content, key)


def _tidied(entries: Sequence[object], signatures: Signatures) -> list[object]:
    """The actions in the requested form, converted from equivalent ones."""
    return [_tidy(entry, signatures) for entry in entries]


def _tidy(entry: object, signatures: Signatures) -> object:
    if isinstance(entry, str):
        call = _CALL.fullmatch(entry)
        if call and call[1] in signatures:
            parameters = [argument.strip(" '\"") for argument in call[2].split(",") if argument.strip()]
            return {"action": call[1], "parameters": parameters}
    if isinstance(entry, dict) and "parameters" not in entry:
        other = next((name for name in _PARAMETERS if name in entry), None)
        if other:
            return {**entry, "parameters": entry[other]}
    return entry


def _proposal(entry: object, signatures: Signatures) -> Proposal | Unreadable:
    if not isinstance(entry, dict) or not isinstance(entry.get("action"), str):
        return Unreadable(f"not an action: {excerpt(str(entry))}")
    action = entry["action"].strip()
    parameters = entry.get("parameters", [])
    return Proposal(action, parameters, _ordered(action, parameters, signatures))


def _ordered(action: str, parameters: object, signatures: Signatures) -> Step | None:
    names = signatures.get(action)
    if names is None:
        return None
    given: list[object]
    if isinstance(parameters, dict):
        if set(parameters) != set(names):
            return None
        given = [parameters[name] for name in names]
    elif isinstance(parameters, list):
        given = parameters
    else:
        return None
    if len(given) != len(names) or not all(isinstance(value, str) for value in given):
        return None
    return Step(action, tuple(str(value).strip().lower() for value in given))
