"""Reading the original's records: what each form in its files becomes, and that nothing but RecordError gets out."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evals.viplan.recorded.scores import run_cells, split_averages, standard_error
from models.recorded import (
    GrounderEpisode,
    Outcome,
    Phase,
    PlannedAction,
    RecordedRun,
    RecordError,
    Setting,
    contradiction,
    model_name,
    open_checkout,
    read_run,
)
from models.recorded.reading import grounder_episode, planner_episode, problem_name

GROUND = Setting("BW", "ground", False, 0.0, "simple", "some-model")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("action_results", "initial_state_enum", "replans", "remaining_actions", "plans", "actions", "goal_reached")
quick = settings(max_examples=40, deadline=None)


def asked(text: str, as_expected: bool, as_true: bool) -> list[Any]:
    return [text, 0.75, 0.25, None, as_expected, text.capitalize(), as_true]


def attempt(info: str | None, effects: dict[str, Any] | None, **preconditions: list[Any]) -> dict[str, Any]:
    results = {"clear r": asked("yes", True, True), **preconditions, "all_correct": True}
    return {
        "action": "moveblock(r, c2)",
        "preconditions_results": results,
        "effects_results": effects,
        "action_info": info,
    }


def test_problem_that_never_started() -> None:
    record = {
        "initial_state_enum": {"results": {"on r,b": ["perhaps", "yes"], "clear r": ["no", "no"]}},
        "all_correct": False,
        "action_results": None,
        "replans": None,
        "remaining_actions": None,
    }
    episode = grounder_episode("p", record)
    assert not episode.started
    assert not episode.solved
    assert (episode.attempts, episode.replans, episode.remaining) == ((), (), ())
    assert episode.initial is not None
    assert not episode.initial.valid
    invalid = episode.initial.answers["on r,b"]
    assert (invalid.value, invalid.truth, invalid.right) == (None, True, False)
    assert (invalid.predicate, invalid.arguments) == ("on", ("r", "b"))
    assert episode.initial.answers["clear r"].right


@pytest.mark.parametrize("record", [{}, None])
def test_problem_that_could_not_be_loaded(record: Any, tmp_path: Path) -> None:
    path = tmp_path / "results_1.json"
    path.write_text(json.dumps({"data/x/simple_problem_1.pddl": record}))
    (episode,) = read_run(path, GROUND).grounder_episodes()
    assert (episode.problem, episode.started, episode.solved) == ("simple_problem_1", False, False)


@pytest.mark.parametrize(
    ("info", "effects", "outcome"),
    [
        ("success", {}, Outcome.SUCCESS),
        ("executed but failed", {}, Outcome.FAILED),
        ("no-op", {}, Outcome.FAILED),
        ("moveblock(r, c1)", {}, Outcome.FAILED),
        ("moveblock(r, c1)", None, Outcome.NOT_LEGAL),
        ("not legal", None, Outcome.NOT_LEGAL),
        (None, None, Outcome.CALLED_OFF),
    ],
)
def test_outcome_of_an_attempt(info: str | None, effects: dict[str, Any] | None, outcome: Outcome) -> None:
    (read,) = grounder_episode("p", {"action_results": [attempt(info, effects)]}).attempts
    assert read.outcome is outcome


def test_answers_about_an_action_tell_truth_and_expectation() -> None:
    effects = {
        "on r,b": asked("no", False, True),
        "clear b": asked("yes", True, False),
        "clear g": asked("dunno", False, False),
        "all_correct": False,
        "updated_non_visible_preds": {"reachable x": {"before": True, "after": False}},
    }
    unseen = {"open d": [True, False, False], "all_correct": True}
    entry = attempt("success", effects) | {"non_visible_precond_results": unseen}
    (read,) = grounder_episode("p", {"action_results": [entry]}).attempts
    assert read.effects is not None
    assert [(answer.truth, answer.expected, answer.right) for answer in read.effects] == [
        (False, True, True),
        (False, True, False),
        (None, None, False),
    ]
    assert {answer.phase for answer in read.preconditions} == {Phase.PRECONDITION}
    assert {answer.phase for answer in read.effects} == {Phase.EFFECT}
    assert (read.preconditions[0].raw, read.preconditions[0].p_yes) == ("Yes", 0.75)
    assert (read.unseen, read.assumed) == ({"open d": False}, {"reachable x": False})


def test_replan_without_actions_found_no_plan_after_the_last_attempt() -> None:
    found = {"step": 1, "actions": ["moveblock(g, c1)"], "enum_results": {"clear g": ["yes", "yes"]}}
    record = {
        "action_results": [attempt(None, None), attempt("not legal", None)],
        "replans": [found, {"enum_results": {"clear g": ["no", "yes"]}}, {}],
    }
    episode = grounder_episode("p", record)
    assert [(replan.step, replan.plan) for replan in episode.replans] == [
        (1, ("moveblock(g, c1)",)),
        (2, None),
        (2, None),
    ]
    order = [(answer.phase, answer.text) for answer in episode.answers()]
    assert order == [
        (Phase.PRECONDITION, "yes"),
        (Phase.ENUMERATION, "yes"),
        (Phase.PRECONDITION, "yes"),
        (Phase.ENUMERATION, "no"),
    ]


def test_planner_steps_run_side_by_side_despite_doubled_entries() -> None:
    good = {"plan": [{"action": "moveblock", "parameters": {"block": "r", "column": "c1"}}], "explanation": "so"}
    record = {
        "plans": [good, {"plan": [{"action": "fly", "parameters": ["r"]}]}, {"plan": []}],
        "actions": [
            {"action": "moveblock(r, c1)", "success": True, "info": "success"},
            {"action": "None"},
            {"action": "unknown action", "success": False, "info": None},
            {"action": "unknown action", "success": False},
        ],
        "previous_actions": [{"outcome": "success"}, {"outcome": "action does not exist"}],
        "completed": False,
    }
    first, second, third = planner_episode("p", record).steps
    assert first.plan == (PlannedAction("moveblock", ("r", "c1")),)
    assert (first.success, first.info, first.fed_back, first.explanation) == (True, "success", "success", "so")
    assert (second.plan, second.action) == ((PlannedAction("fly", ("r",)),), "unknown action")
    assert second.fed_back == "action does not exist"
    assert (third.plan, third.success, third.fed_back) == ((), False, None)


def test_problem_names() -> None:
    assert problem_name("data/planning/blocksworld/problems/simple/simple_problem_20.pddl") == "simple_problem_20"
    assert problem_name("data/igibson/simple/sorting_books.pddl_Rs_int_0") == "sorting_books@Rs_int_0"


def test_model_names() -> None:
    assert model_name("Qwen2.5-VL-72B-Instruct") == "Qwen2.5-VL 72B"
    assert model_name("gpt-4.1-nano-2025-04-14") == model_name("gpt-4.1-nano") == "GPT-4.1 Nano"
    assert model_name("my-own") == "my-own"


def test_mislabelled_runs_are_told() -> None:
    def run(**metadata: object) -> RecordedRun:
        return RecordedRun(Path("x"), GROUND, (), metadata)

    assert contradiction(run(prompt_path="data/prompt.md", fail_probability=0.0)) is None
    assert "prompt_cot" in (contradiction(run(prompt_path="data/prompt_cot.md")) or "")
    assert "0.1" in (contradiction(run(fail_probability=0.1)) or "")


def test_standard_error_is_that_of_the_printed_share() -> None:
    assert standard_error(191 / 200, 200) == pytest.approx((0.95 * 0.05 / 200) ** 0.5)


def test_averages_need_every_split() -> None:
    cells = [
        cell
        for split in ("simple", "medium", "hard")
        for cell in run_cells(RecordedRun(Path("x"), Setting("BW", "plan", False, 0.0, split, "m"), (_solved(),), {}))
    ]
    assert [(cell.split, cell.value, cell.n) for cell in split_averages(cells)] == [("all", 1.0, 3)]
    assert not list(split_averages(cells[:2]))


def _solved() -> GrounderEpisode:
    return grounder_episode("p", {"goal_reached": True})


@quick
@given(JSON)
def test_any_plan_can_be_read(plan: Any) -> None:
    (step,) = planner_episode("p", {"plans": [{"plan": plan}]}).steps
    assert all(isinstance(action.name, str) for action in step.plan)


@quick
@given(method=st.sampled_from(["ground", "plan"]), record=st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON)
def test_any_json_is_read_or_refused(method: str, record: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.getbasetemp() / "results_any.json"
    path.write_text(json.dumps({"a.pddl": record}))
    with contextlib.suppress(RecordError):
        run = read_run(path, Setting("BW", method, False, 0.0, "simple", "m"))
        assert [episode.problem for episode in run.episodes] == ["a"]


@pytest.mark.slow
def test_real_answers_are_those_of_the_compact_records(shared: Path) -> None:
    """Another reading of the same runs, made independently, has every answer with the same truth and expectation."""
    folder = shared / "data" / "viplan"
    phases = {"init": Phase.ENUMERATION, "replan": Phase.ENUMERATION, "pre": Phase.PRECONDITION, "eff": Phase.EFFECT}
    theirs: Counter[tuple[object, ...]] = Counter()
    with gzip.open(folder / "recorded" / "answers.jsonl.gz", "rt") as lines:
        names = json.loads(next(lines))["fields"]
        for line in lines:
            if '"Qwen2.5-VL-72B-Instruct"' in line and '"medium"' in line:
                row = dict(zip(names, json.loads(line), strict=True))
                where = (row["domain"], row["cot"], float(row["fail"]), row["problem"], phases[row["phase"]])
                atom = f"{row['predicate']} {row['args']}"
                theirs[*where, atom, row["truth"], row["answer"], row["expected"]] += 1
    ours: Counter[tuple[object, ...]] = Counter()
    for file in open_checkout(folder / "original").files:
        if file.setting.split == "medium" and file.setting.method == "ground":
            ours.update(_as_compact(file.read()))
    assert ours == theirs


def _as_compact(run: RecordedRun) -> list[tuple[object, ...]]:
    setting = run.setting
    return [
        (
            setting.domain,
            "yes" if setting.cot else "no",
            setting.fail,
            episode.problem,
            answer.phase,
            answer.atom,
            answer.truth,
            answer.text[0],
            answer.expected,
        )
        for episode in run.grounder_episodes()
        for answer in episode.answers()
    ]


def test_real_plans_are_what_is_attempted_next(shared: Path) -> None:
    for run in open_checkout(shared / "data" / "viplan" / "original").runs():
        assert len(run.episodes) == 25
        for episode in run.grounder_episodes():
            for replan in episode.replans:
                if replan.plan and replan.step < len(episode.attempts):
                    assert replan.plan[0] == episode.attempts[replan.step].action
