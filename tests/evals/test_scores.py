"""Scores from results made by hand: each figure by a count that can be checked on paper."""

from __future__ import annotations

import math
from typing import Any

import pytest

from evals.run.episodes import Episode
from evals.run.judging import AGENT_ERROR, UNPLAYED, Judging, Measure, Score, Tally
from evals.run.results import EpisodeResult, result_of, score_episode, unplayed
from evals.run.scores import (
    Accuracy,
    formula,
    grouped,
    mean_with_sem,
    measured,
    overall,
    score_run,
    score_split,
    sem,
    total,
)
from evals.run.statistics import clustered, combined, wilson
from evals.run.trace import Record
from models.base import Kind
from tools.events import Acted, Asked, CalledOff, Ended, Reason


def result(id: str = "a", split: str = "easy", *, success: bool = True, **more: Any) -> EpisodeResult:
    facts: dict[str, Any] = {"value": float(success), "reason": "finished", "steps": 1, "asked": 2, "unreadable": 0}
    usage = {"prompt_tokens": 10, "completion_tokens": 1, "cost": 0.5}
    return EpisodeResult(**{"id": id, "split": split, "seed": 0, "success": success, **facts, **usage, **more})


def tally(right: int, total: int, **by: str) -> Tally:
    return Tally(by=by, right=right, total=total)


LOST, BROKEN = {"success": False, "failure": UNPLAYED}, {"success": False, "failure": AGENT_ERROR}


def test_what_says_nothing_about_the_model_is_not_scored() -> None:
    assert [result(**more).scored for more in ({}, {"failure": "wrong"}, LOST, BROKEN)] == [True, True, False, False]
    assert [result(**more).settled for more in ({}, {"failure": "wrong"}, LOST, BROKEN)] == [True, True, False, True]


def test_counts_are_read_by_name_and_by_group() -> None:
    found = result(measures={"steps": 3.0, "attempts/executed": 2.0, "attempts/not legal": 1.0, "attempts": 7.0})
    assert (found.count("steps"), found.count("nothing")) == (3, 0)
    assert found.counts("attempts") == {"executed": 2, "not legal": 1}
    assert result(tags={"problem": "p"}).problem == "p"
    assert result("a").problem == "a"


def test_a_split_counts_what_was_scored_and_names_the_rest() -> None:
    results = [
        result("a", steps=3, asked=4, measures={"replans": 2.0}, tallies=(tally(1, 2, kind="x"),)),
        result(
            "b", success=False, value=0.5, failure="wrong", measures={"replans": 1.0}, tallies=(tally(1, 1, kind="y"),)
        ),
        result("c", steps=100, asked=100, measures={"replans": 50.0}, tallies=(tally(0, 9, kind="x"),), **LOST),
        result("d", steps=100, asked=100, tallies=(tally(0, 9, kind="x"),), **BROKEN),
    ]
    judging = Judging(measures=(Measure("replans", "mean", of=("replans",)),))
    found = score_split("easy", results, judging)
    assert (found.n, found.infrastructure, found.agent_errors) == (2, 1, 1)
    assert (found.success, found.value, found.steps, found.asked) == (0.5, 0.75, 4, 6)
    assert found.sem == pytest.approx(math.sqrt(0.25 / 2))
    assert found.counts == {"replans": 3.0}
    assert found.measures == {"replans": 1.5}
    assert (found.accuracy.right, found.accuracy.total) == (2, 3)
    assert {kind: one.total for kind, one in found.by["kind"].items()} == {"x": 2, "y": 1}
    assert found.failure_classes == {"agent_error": 1, "infrastructure": 1, "wrong": 1}
    assert (found.prompt_tokens, found.completion_tokens, found.cost) == (40, 4, 2.0), "all that was spent"
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (wilson(1, 2).low, wilson(1, 2).high)


def test_a_single_episode_has_no_error_and_none_has_nothing() -> None:
    assert score_split("easy", [result()]).sem is None
    assert score_split("easy", [result("a"), result("b")]).sem == 0.0
    empty = score_split("easy", [])
    assert (empty.n, empty.success, empty.value, empty.sem, empty.interval) == (0, None, None, None, None)
    assert empty.accuracy.value is None


def test_a_split_knows_its_dimensions_and_its_groups() -> None:
    results = [
        result(measures={"attempts/a": 1.0, "attempts/b": 2.0, "attemptsx": 4.0}, tallies=(tally(1, 2, k="x", p="y"),))
    ]
    found = score_split("easy", results, Judging(dimensions={"p": "place"}))
    assert list(found.by) == ["p"]
    assert list(score_split("easy", results).by) == ["k", "p"]
    assert found.group("attempts") == {"a": 1.0, "b": 2.0}
    assert (found.total("attempts/*"), found.total("attempts/a", "attemptsx"), found.total("nothing")) == (
        3.0,
        5.0,
        0.0,
    )


def test_trials_that_share_something_make_wider_intervals() -> None:
    results = [
        result("a", tags={"picture": "one"}),
        result("b", tags={"picture": "one"}),
        result("c", success=False, tags={"picture": "two"}),
        result("d", success=False, tags={}),
    ]
    judging = Judging(cluster="picture")
    shared = score_split("easy", results, judging).interval
    expected = clustered([[1.0, 1.0], [0.0], [0.0]])
    assert shared is not None
    assert (shared.low, shared.high) == (expected.low, expected.high)
    alone = score_split("easy", results[1:], judging).interval
    assert alone is not None
    assert (alone.low, alone.high) == (wilson(1, 3).low, wilson(1, 3).high)


TALLIES = [tally(3, 4, phase="p", kind="x"), tally(0, 1, phase="p", kind="y"), tally(5, 5, phase="q", kind="y")]


@pytest.mark.parametrize(
    ("measure", "value"),
    [
        (Measure("m", "total", of=("a", "b")), 7.0),
        (Measure("m", "mean", of=("a",)), 2.5),
        (Measure("m", "share", of=("a",), over=("a", "b")), 5 / 7),
        (Measure("m", "share", of=("a",), over=("c",)), None),
        (Measure("m", "accuracy"), 0.8),
        (Measure("m", "accuracy", where={"phase": "p"}), 0.6),
        (Measure("m", "accuracy", where={"phase": "none"}), None),
        (Measure("m", "accuracy", macro="kind"), (3 / 4 + 5 / 6) / 2),
        (Measure("m", "accuracy", where={"phase": "p"}, macro="kind"), 3 / 8),
        (Measure("m", "accuracy", where={"phase": "none"}, macro="kind"), None),
    ],
)
def test_measures(measure: Measure, value: float | None) -> None:
    assert measured(measure, {"a": 5.0, "b": 2.0}, TALLIES, 2) == pytest.approx(value)


def test_nothing_to_divide_by_is_no_figure() -> None:
    assert measured(Measure("m", "mean", of=("a",)), {"a": 5.0}, (), 0) is None
    assert (
        measured(Measure("m", "accuracy", macro="kind"), {}, [tally(0, 0, kind="x"), tally(1, 2, kind="y")], 1) == 0.5
    )


def test_sums_and_groups() -> None:
    assert total({"a/x": 1.0, "a/y": 2.0, "ab": 4.0}, ("a/*",)) == 3.0
    assert total({"a*": 1.0, "a": 2.0}, ("a",)) == 2.0
    assert {name: len(found) for name, found in grouped([*TALLIES, tally(1, 1)], "kind").items()} == {"x": 1, "y": 2}
    assert Accuracy.of([]).value is None
    assert Accuracy.of([tally(1, 4), tally(2, 4)]).sem == pytest.approx(math.sqrt(3 / 8 * 5 / 8 / 8))
    assert sem(0.5, 4) == 0.25
    assert mean_with_sem([(1.0, 0.3), (0.0, 0.4)]) == (0.5, pytest.approx(0.25))


def test_one_number_over_splits() -> None:
    results = [
        result("a"),
        result("b", success=False),
        result("c", "hard", success=False),
        result("d", "hard", success=False),
    ]
    found = score_run(results, ["easy", "hard"], {"easy": 2, "hard": 3})
    assert (found.success, found.value, found.scored, found.expected, found.partial) == (0.25, 0.25, 4, 5, True)
    assert found.sem == pytest.approx(math.sqrt(0.25 / 2) / 2)
    assert found.overall == "mean of splits"
    assert (found.pooled.split, found.pooled.n, found.pooled.success) == ("all", 4, 0.25)
    assert {name: (split.n, split.success) for name, split in found.splits.items()} == {
        "easy": (2, 0.5),
        "hard": (2, 0.0),
    }
    both = combined([(0.5, wilson(1, 2)), (0.0, wilson(0, 2))])
    assert found.interval is not None
    assert (found.interval.low, found.interval.high) == (both.low, both.high)
    assert not score_run(results, ["easy", "hard"]).partial
    assert not score_run(results, ["easy", "hard"], {"easy": 2, "hard": 2}).partial


def test_there_is_no_number_as_long_as_a_split_has_none() -> None:
    for results in ([], [result("a")], [result("a"), result("b", "hard", **LOST)]):
        found = score_run(results, ["easy", "hard"])
        assert (found.success, found.value, found.sem, found.interval) == (None, None, None, None)
    assert score_run([], []).success is None


def test_a_single_episode_in_a_split_leaves_no_error_over_all() -> None:
    found = score_run([result("a"), result("b"), result("c", "hard")], ["easy", "hard"])
    assert (found.success, found.sem) == (1.0, None)
    assert found.interval is not None


def test_means_of_means_over_tags() -> None:
    def one(id: str, split: str, kind: str, success: bool) -> EpisodeResult:
        return result(id, split, success=success, tags={"kind": kind})

    results = [one("a", "s", "x", True), one("b", "s", "x", True), one("c", "s", "y", False), one("d", "t", "x", False)]
    by_kind = overall(results, Judging(overall=("split", "kind")), "success")
    assert by_kind is not None
    assert by_kind[0] == pytest.approx(((1.0 + 0.0) / 2 + 0.0) / 2)
    flat = overall(results, Judging(overall=()), "success")
    assert flat is not None
    assert (flat[0], flat[1]) == (0.5, pytest.approx(0.25))
    assert overall([], Judging(), "success") is None
    alone = overall(results[:1], Judging(overall=()), "value")
    assert alone is not None
    assert alone[:2] == (1.0, None)


def test_the_formula_is_told() -> None:
    assert formula(()) == "mean of episodes"
    assert formula(("split",)) == "mean of splits"
    assert formula(("split", "kind")) == "mean of splits, each the mean of kinds"


class Judged:
    """A judge that finds every episode worth a half."""

    def score(self, records: Any) -> Score:
        return Score(0.5, True, None, {"steps": 1.0}, (tally(1, 1),))


def asked(**more: Any) -> Record:
    return Record(event=Asked(step=0, kind=Kind.TEXT, reply="", **more))


def test_a_result_is_what_its_trace_comes_to() -> None:
    records = [
        asked(prompt_tokens=3, completion_tokens=2, cost=0.1),
        asked(fault="empty", cost=0.2),
        Record(event=Acted(step=0, action="x", outcome="executed")),
        Record(event=CalledOff(step=1, action="x", unmet=())),
        Record(event=Ended(step=2, reason=Reason.FINISHED, detail="done")),
    ]
    episode = Episode("e", "easy", 7, tags={"problem": "p"})
    found = score_episode(episode, Judged(), records)  # type: ignore[arg-type]
    assert (found.id, found.split, found.seed, found.problem) == ("e", "easy", 7, "p")
    assert (found.reason, found.detail, found.success, found.value, found.failure) == (
        "finished",
        "done",
        True,
        0.5,
        None,
    )
    assert (found.steps, found.asked, found.unreadable) == (2, 2, 1)
    assert (found.prompt_tokens, found.completion_tokens, found.cost) == (3, 2, 0.3)


@pytest.mark.parametrize(
    ("reason", "failure"),
    [(Reason.FINISHED, None), (Reason.AGENT_ERROR, AGENT_ERROR), (Reason.CRASHED, UNPLAYED), (None, UNPLAYED)],
)
def test_what_was_cut_short_is_worth_nothing(reason: Reason | None, failure: str | None) -> None:
    records = [Record(event=Ended(step=0, reason=reason))] if reason else [asked()]
    found = score_episode(Episode("e", "easy"), Judged(), records)  # type: ignore[arg-type]
    assert (found.failure, found.success, found.value) == (failure, failure is None, 0.5 if failure is None else 0.0)
    assert found.measures == {"steps": 1.0}, "what was counted on the way is kept"
    assert found.reason == (reason or "crashed")


def test_what_could_not_be_played_says_why() -> None:
    found = unplayed(Episode("e", "easy"), "no world")
    assert (found.failure, found.detail, found.reason, found.steps, found.asked) == (
        UNPLAYED,
        "no world",
        "crashed",
        0,
        0,
    )
    assert result_of(Episode("e", "easy"), Score(1.0, True), ()).cost == 0.0
