"""Filters: each step says why it drops a question, and a pipeline continues where it was stopped."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from evals.questions.filters import (
    Quotas,
    Step,
    TrivialCounts,
    WeakPanel,
    captions,
    members_of,
    programs_of,
    table_of,
    text_only,
    winnow,
)
from evals.questions.known import Known
from models.base import Kind
from tests.evals.leaky_sets import a_set, by, by_dice


def one(name: str, answer: object = "a", kind: Kind = Kind.CHOICE, **tags: str) -> Known:
    return Known(name, kind, "?", answer, ("a", "b"), scene=name, tags=tags)  # type: ignore[arg-type]


TEN = [one(f"q{number}", type="odd" if number % 2 else "even") for number in range(10)]


class Asking:
    """A model that is right about some questions, and remembers what it was asked."""

    def __init__(self, *right: str, stop_after: int = 1000) -> None:
        self.right = right
        self.asked: Counter[tuple[str, str]] = Counter()
        self.left = stop_after

    def __call__(self, question: Known, model: str) -> bool:
        if not self.left:
            raise KeyboardInterrupt
        self.left -= 1
        self.asked[question.id, model] += 1
        return question.id in self.right


def dropped(questions: list[Known], step: Step) -> dict[str, str]:
    (passed,) = winnow(questions, [step]).passed
    return {decision.id: decision.why for decision in passed.dropped}


def test_what_a_model_answers_without_looking_goes() -> None:
    assert dropped(TEN, text_only("openai:it", Asking("q3"))) == {"q3": "openai:it is right without the pictures"}
    assert dropped(TEN, captions("it", Asking("q4", "q5"))) == {
        "q4": "it is right from captions in place of the pictures",
        "q5": "it is right from captions in place of the pictures",
    }


def counts(*answers: float) -> list[Known]:
    return [one(f"c{place}", answer, Kind.NUMBER) for place, answer in enumerate(answers)]


@pytest.mark.parametrize(("share", "left"), [(0.0, 0), (0.2, 1), (0.34, 2), (0.5, 4), (1.0, 5)])
def test_trivial_counts_go_but_for_a_share(share: float, left: int) -> None:
    questions = [*counts(0, 1, 1, 0, 1, 4, 5, 6, 7), *TEN]
    gone = dropped(questions, TrivialCounts(share=share))
    assert len(gone) == 5 - left
    assert set(gone) <= {"c0", "c1", "c2", "c3", "c4"}
    assert all(why in ("the answer is 0", "the answer is 1") for why in gone.values())


def panel_of(*right: bool) -> WeakPanel:
    return WeakPanel({f"m{place}": lambda question, value=value: value for place, value in enumerate(right)})  # type: ignore[misc]


@pytest.mark.parametrize(
    ("right", "kept"),
    [
        ((True, True, True), False),
        ((True, True, False), False),
        ((True, False, False), True),
        ((False, False, True), True),
    ],
)
def test_two_of_a_panel_must_be_wrong(right: tuple[bool, ...], kept: bool) -> None:
    gone = dropped(TEN[:1], panel_of(*right))
    assert (gone == {}) is kept
    if right == (True, True, False):
        assert gone == {"q0": "right: m0, m1"}


def test_a_panel_that_is_too_small_is_refused() -> None:
    with pytest.raises(ValueError, match="2 of a panel of 1 cannot be wrong"):
        panel_of(True)


def test_programs_are_a_panel() -> None:
    easy, fair = a_set(by(lambda spot: spot.y + spot.area / 1e6), 40), a_set(by_dice, 40)
    assert len(dropped(fair, WeakPanel(programs_of(fair)))) == 0
    programs = {name: program for name, program in programs_of(easy).items() if name in ("lower_first", "first")}
    assert len(dropped(easy, WeakPanel(programs, wrong=1))) < len(dropped(easy, WeakPanel(programs)))


def test_models_are_a_panel_and_are_asked_until_enough_are_wrong() -> None:
    asking = Asking("q1")
    gone = dropped(TEN[:3], WeakPanel(members_of(["a", "b", "c"], asking)))
    assert list(gone) == ["q1"]
    assert asking.asked["q1", "c"] == 1
    assert asking.asked["q0", "c"] == 0


def test_quotas_leave_so_many_of_each() -> None:
    step = Quotas("type", {"odd": 2})
    left = winnow(TEN, [step]).kept
    assert Counter(question.tags["type"] for question in left) == {"even": 5, "odd": 2}
    assert dropped(TEN, step)[next(iter(dropped(TEN, step)))] == "2 of 5 questions are wanted of 'odd'"
    assert winnow(list(reversed(TEN)), [step]).kept == tuple(reversed(left))
    assert winnow(TEN, [replace(step, seed=1)]).kept != left


def steps(asking: Asking) -> list[Step]:
    return [
        text_only("blind", asking),
        TrivialCounts(),
        WeakPanel(members_of(["w1", "w2"], asking)),
        Quotas("type", {"odd": 1, "even": 3}),
    ]


def test_steps_follow_each_other_and_are_counted() -> None:
    filtered = winnow(TEN, steps(Asking("q2")))
    assert [(one.step, one.entered, len(one.dropped)) for one in filtered.passed] == [
        ("text only", 10, 1),
        ("trivial counts", 9, 0),
        ("weak panel", 9, 0),
        ("down-sampling", 9, 5),
    ]
    assert len(filtered.kept) == 4
    assert [cell.text for cell in table_of(filtered).rows[0]] == ["text only", "10", "1", "9"]


@pytest.mark.parametrize("stop", [0, 3, 10, 13, 27])
def test_a_pipeline_continues_where_it_was_stopped(stop: int, tmp_path: Path) -> None:
    log = tmp_path / "new" / "filters.jsonl"
    first = Asking("q2", stop_after=stop)
    with pytest.raises(KeyboardInterrupt):
        winnow(TEN, steps(first), log)
    with log.open("a") as file:
        file.write('{"step": 0, "na')  # what a kill leaves behind
    second = Asking("q2")
    filtered = winnow(TEN, steps(second), log)
    assert filtered == winnow(TEN, steps(Asking("q2")))
    # A question that was being put to a panel is put to it again.
    assert sum((first.asked + second.asked).values()) <= 28 + 1
    again = Asking()
    assert winnow(TEN, steps(again), log) == filtered
    assert not again.asked
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert {
        "step": 0,
        "name": "text only",
        "id": "q2",
        "kept": False,
        "why": "blind is right without the pictures",
    } in lines
    assert len(lines) == 1 + 10 + 9 + 9 + 9


def test_a_log_of_something_else_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "filters.jsonl"
    winnow(TEN, steps(Asking()), log)
    for questions, chosen in ((TEN[1:], steps(Asking())), (TEN, steps(Asking())[1:])):
        with pytest.raises(ValueError, match="is the log of other questions or other steps"):
            winnow(questions, chosen, log)


def test_a_damaged_log_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "filters.jsonl"
    winnow(TEN, steps(Asking()), log)
    lines = log.read_text().splitlines()
    log.write_text("\n".join([*lines[:4], '{"step": 1}', *lines[5:], ""]))
    with pytest.raises(ValueError, match=r"filters\.jsonl, line 5 is damaged"):
        winnow(TEN, steps(Asking()), log)


def test_two_questions_of_one_name_are_refused() -> None:
    with pytest.raises(ValueError, match="two questions have the same id"):
        winnow([TEN[0], TEN[0]], [])
