"""From the original's JSON to records.

A grounder problem of the original becomes a `GrounderEpisode`:

    initial_state_enum.results    {"on r,b": [answer, truth]}: the first enumeration (Blocksworld only)
    action_results                one attempt each; null if nothing was ever tried
      preconditions_results       {atom: [answer, p_yes, p_no, explanation, as_expected, raw, as_true]}
      non_visible_precond_results {atom: [met, …]}: on objects out of sight, not asked
      effects_results             as preconditions; null if the action was called off or refused;
                                  `updated_non_visible_preds` holds the effects on objects out of sight
      action_info                 the world's word; null if called off
    replans                       enumerations after a disappointment; without `step` and `actions` if no plan came
    remaining_actions             what was left of the last plan
    goal_reached                  missing if nothing was ever tried

A planner problem becomes a `PlannerEpisode`: `plans`, `actions` and `previous_actions` run side by side, one of each
per step, except that a step of a malformed plan can leave a stub in `actions` and nothing in `previous_actions`.
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
    """A file, or a folder of them, that is not what the original writes. The message names it."""


def read_run(path: Path, setting: Setting) -> RecordedRun:
    """One file of results with all its problems."""
    content = _load(path)
    episodes = tuple(_episode(path, key, value, setting.method) for key, value in content.items() if ".pddl" in key)
    if not episodes:
        raise RecordError(f"{path}: no problem in it; a file of results has one entry per .pddl problem")
    metadata = content.get("metadata")
    return RecordedRun(path, setting, episodes, metadata if isinstance(metadata, dict) else {})


def read_file(path: Path) -> tuple[Episode, ...]:
    """The episodes of a file of results, whatever its method: a planner problem is known by its plans."""
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
    # A step is written only beside a plan. Without one the episode ended there, so every attempt came before.
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
        # Only met ones are ever recorded, so expected and actual value are the same.
        unseen={atom: bool(value[1]) for atom, value in unseen.items() if isinstance(value, list)},
        assumed={atom: bool(change["after"]) for atom, change in assumed.items()},
    )


def _asked(results: Mapping[str, Any], phase: Phase) -> tuple[Answer, ...]:
    """The questions among the results: lists. Summaries such as `all_correct` sit beside them."""
    return tuple(_answer(atom, value, phase) for atom, value in results.items() if isinstance(value, list))


def _answer(atom: str, value: Sequence[Any], phase: Phase) -> Answer:
    text, p_yes, p_no, explanation, as_expected, raw, as_true = value
    said = {"yes": True, "no": False}.get(text)
    return Answer(
        phase=phase,
        atom=atom,
        text=str(text),
        truth=None if said is None else said is bool(as_true),
        expected=None if said is None else said is bool(as_expected),
        p_yes=_probability(p_yes),
        p_no=_probability(p_no),
        explanation=explanation,
        raw=raw,
    )


def _probability(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"{value!r} is no probability")
    return value


def planner_episode(problem: str, record: Mapping[str, Any]) -> PlannerEpisode:
    """One problem of a planner run. A problem that could not be loaded is an empty record."""
    replies = record.get("plans") or ()
    actions = _without_stubs(record.get("actions") or ())
    fed_back = record.get("previous_actions") or ()
    steps = tuple(_step(*parts) for parts in zip_longest(replies, actions, fed_back, fillvalue=None))
    return PlannerEpisode(problem, steps, bool(record.get("completed")))


def _without_stubs(actions: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """One entry a step. A malformed step was written twice: first without an outcome, then with one."""
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
    """What can be made out of a plan. Models write all sorts of things; an entry without a name is left out."""
    entries = plan if isinstance(plan, list) else ()
    named = [entry for entry in entries if isinstance(entry, dict) and "action" in entry]
    return tuple(PlannedAction(str(entry["action"]), _parameters(entry.get("parameters"))) for entry in named)


def _parameters(given: Any) -> tuple[str, ...]:
    if isinstance(given, dict):
        return tuple(str(value) for value in given.values())
    if isinstance(given, list):
        return tuple(str(value) for value in given)
    return () if given is None else (str(given),)
