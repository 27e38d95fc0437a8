"""Converts the original's JSON to records.

A grounder problem of the original becomes a `GrounderEpisode`:

    initial_state_enum.results    {"on r,b": [answer, truth]}: the first enumeration (Blocksworld only)
    action_results                one entry per attempt; null if no action was tried
      preconditions_results       {atom: [answer, p_yes, p_no, explanation, as_expected, raw, as_true]}
      non_visible_precond_results {atom: [met, …]}: about objects out of view, not asked
      effects_results             as preconditions; null if the action was not sent or was refused;
                                  `updated_non_visible_preds` holds the effects on objects out of view
      action_info                 the world's message; null if the action was not sent
    replans                       enumerations after a failure; without `step` and `actions` if no plan was found
    remaining_actions             the rest of the last plan
    goal_reached                  missing if no action was tried

A planner problem becomes a `PlannerEpisode`: `plans`, `actions` and `previous_actions` have one entry per step each,
except that a malformed plan can leave an extra entry in `actions` and none in `previous_actions`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

from models.recorded.records import (
    Answer,
    Attempt,
    Enumeration,
    Episode,
    GrounderEpisode,
    Phase,
    PlannedAction,
    PlannerEpisode,
    PlannerStep,
    RecordedRun,
    Replan,
    Setting,
)
from planners.files import read_json


class RecordError(ValueError):
    """A file or folder that does not have the original's format. The message names it."""


def read_run(path: Path, setting: Setting) -> RecordedRun:
    """Read one file of results with all its problems."""
    content = _load(path)
    episodes = tuple(_episode(path, key, value, setting.method) for key, value in content.items() if ".pddl" in key)
    if not episodes:
        raise RecordError(f"{path}: no problem in it; a file of results has one entry per .pddl problem")
    metadata = content.get("metadata")
    return RecordedRun(path, setting, episodes, metadata if isinstance(metadata, dict) else {})


def read_file(path: Path) -> tuple[Episode, ...]:
    """The episodes of a file of results of either method. Planner problems are recognised by their plans."""
    problems = {key: value for key, value in _load(path).items() if ".pddl" in key}
    if not problems:
        raise RecordError(f"{path}: no problem in it; a file of results has one entry per .pddl problem")
    planner = any(isinstance(value, dict) and "plans" in value for value in problems.values())
    return tuple(_episode(path, key, value, "plan" if planner else "ground") for key, value in problems.items())


def problem_name(key: str) -> str:
    """The short name of a problem: `simple_problem_20`, or `sorting_books_simple@Ihlen_0_int_0` in Household."""
    stem, _, scene = key.replace("\\", "/").rpartition("/")[2].partition(".pddl")
    return f"{stem}@{scene.lstrip('_')}" if scene else stem


def _load(path: Path) -> dict[str, Any]:
    try:
        content = read_json(path)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None
    if not isinstance(content, dict):
        raise RecordError(f"{path}: holds a {type(content).__name__}, but results are one object of problems")
    return content


def _episode(path: Path, key: str, value: Any, method: str) -> Episode:
    name, record = problem_name(key), value or {}
    try:
        return grounder_episode(name, record) if method == "ground" else planner_episode(name, record)
    except (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise RecordError(f"{path}: problem {key} is not in the form of a {method} run ({reason})") from error


def grounder_episode(problem: str, record: Mapping[str, Any]) -> GrounderEpisode:
    """One problem of a grounder run. A problem that could not be loaded is an empty record."""
    attempts = tuple(_attempt(entry) for entry in record.get("action_results") or ())
    initial = record.get("initial_state_enum")
    return GrounderEpisode(
        problem=problem,
        started=record.get("action_results") is not None,
        initial=enumeration(initial.get("results")) if initial else None,
        attempts=attempts,
        replans=tuple(_replan(entry, len(attempts)) for entry in record.get("replans") or ()),
        remaining=tuple(str(action) for action in record.get("remaining_actions") or ()),
        goal_reached=bool(record.get("goal_reached")),
    )


def enumeration(results: Mapping[str, Sequence[Any]] | None) -> Enumeration:
    """Answers with their truth, from pairs of words."""
    return Enumeration(
        {
            atom: Answer(Phase.ENUMERATION, atom, answer if isinstance(answer, str) else str(answer), truth == "yes")
            for atom, (answer, truth) in (results or {}).items()
        }
    )


def _replan(entry: Mapping[str, Any], attempts: int) -> Replan:
    # `step` is recorded only with a plan. Without a plan the episode ended here, after all attempts.
    step, plan = entry.get("step"), entry.get("actions")
    return Replan(
        step=attempts if step is None else int(step),
        enumeration=enumeration(entry.get("enum_results")),
        plan=None if plan is None else tuple(str(action) for action in plan),
    )


def _attempt(entry: Mapping[str, Any]) -> Attempt:
    effects = entry.get("effects_results")
    unseen = entry.get("non_visible_precond_results") or {}
    assumed = (effects or {}).get("updated_non_visible_preds") or {}
    info = entry.get("action_info")
    return Attempt(
        action=str(entry["action"]),
        preconditions=_asked(entry.get("preconditions_results") or {}, Phase.PRECONDITION),
        effects=None if effects is None else _asked(effects, Phase.EFFECT),
        info=None if info is None else str(info),
        # Only conditions that were met are recorded, so the expected and the actual value are equal.
        unseen={atom: bool(value[1]) for atom, value in unseen.items() if isinstance(value, list)},
        assumed={atom: bool(change["after"]) for atom, change in assumed.items()},
    )


def _asked(results: Mapping[str, Any], phase: Phase) -> tuple[Answer, ...]:
    """The questions in the results are lists; summaries such as `all_correct` are not."""
    return tuple(_answer(atom, value, phase) for atom, value in results.items() if isinstance(value, list))


def _answer(atom: str, value: Sequence[Any], phase: Phase) -> Answer:
    text, p_yes, p_no, explanation, as_expected, raw, as_true = value
    answer = {"yes": True, "no": False}.get(text)
    return Answer(
        phase=phase,
        atom=atom,
        text=str(text),
        truth=None if answer is None else answer is bool(as_true),
        expected=None if answer is None else answer is bool(as_expected),
        p_yes=_probability(p_yes),
        p_no=_probability(p_no),
        explanation=explanation,
        raw=raw,
    )


def _probability(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{value!r} is not a probability")
    return value


def planner_episode(problem: str, record: Mapping[str, Any]) -> PlannerEpisode:
    """One problem of a planner run. A problem that could not be loaded is an empty record."""
    replies = record.get("plans") or ()
    actions = _without_stubs(record.get("actions") or ())
    fed_back = record.get("previous_actions") or ()
    steps = tuple(_step(*parts) for parts in zip_longest(replies, actions, fed_back, fillvalue=None))
    return PlannerEpisode(problem, steps, bool(record.get("completed")))


def _without_stubs(actions: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One entry per step. A malformed step was recorded twice: first without an outcome, then with one."""
    return [action for action in actions if "success" in action]


def _step(reply: Any, action: Mapping[str, Any] | None, fed_back: Mapping[str, Any] | None) -> PlannerStep:
    reply = reply if isinstance(reply, dict) else {}
    action, fed_back = action or {}, fed_back or {}
    return PlannerStep(
        reply=reply,
        plan=_planned(reply.get("plan")),
        action=action.get("action"),
        success=bool(action.get("success")),
        info=action.get("info"),
        fed_back=fed_back.get("outcome"),
    )


def _planned(plan: Any) -> tuple[PlannedAction, ...]:
    """The actions that can be read from a plan. Entries without a name are left out."""
    entries = plan if isinstance(plan, list) else ()
    named = [entry for entry in entries if isinstance(entry, dict) and "action" in entry]
    return tuple(PlannedAction(str(entry["action"]), _parameters(entry.get("parameters"))) for entry in named)


def _parameters(given: Any) -> tuple[str, ...]:
    if isinstance(given, dict):
        return tuple(str(value) for value in given.values())
    if isinstance(given, list):
        return tuple(str(value) for value in given)
    return () if given is None else (str(given),)
