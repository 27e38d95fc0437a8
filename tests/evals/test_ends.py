"""How episodes end: the agent's claim apart from the truth, in results, tables, pages and comparisons."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from evals.compare.ends import ends_table
from evals.judges.ends import MEANING, End, end_of
from evals.judges.symbolic import JUDGING
from evals.report.figures import as_figures
from evals.report.page import run_page
from evals.report.table import print_table
from evals.run.judging import Judging
from evals.run.results import EpisodeResult
from evals.run.scores import score_run, score_split
from evals.run.trace import Record, Truth
from models.base import Kind
from tests.evals.arms import arms, part, played
from tests.evals.test_failures import acted, asked, proposed
from tools.events import AGENT_ERRORS, INFRASTRUCTURE, Asked, Ended, Observed, Reason


def ended(reason: Reason, *, goal: bool = False, claimed: bool | None = None) -> Record:
    return Record(event=Ended(step=0, reason=reason, claimed=claimed), truth=Truth(goal=goal))


def looked(*, goal: bool) -> Record:
    return Record(event=Observed(step=0, picture="p"), truth=Truth(goal=goal))


def done(*, goal: bool, claimed: bool | None = True) -> Record:
    return ended(Reason.FINISHED, goal=goal, claimed=claimed)


LIMIT = Reason.STEP_LIMIT
DECIDED = Record(event=Asked(step=0, kind=Kind.TOOLS, reply="{}"), truth=Truth())


@pytest.mark.parametrize(
    ("records", "end"),
    [
        ([done(goal=True)], End.VERIFIED),
        ([done(goal=False)], End.CLAIMED_WRONGLY),
        ([looked(goal=True), done(goal=False)], End.CLAIMED_WRONGLY),
        ([done(goal=True, claimed=False)], End.ANNOUNCED),
        ([ended(LIMIT, goal=True)], End.MISSED),
        ([ended(Reason.UNREADABLE, goal=True)], End.MISSED),
        ([looked(goal=True), ended(LIMIT)], End.DRIFTED_PAST),
        ([looked(goal=False), acted(), ended(LIMIT)], End.NOT_REACHED),
        ([ended(Reason.NO_PLAN)], End.NOT_REACHED),
    ],
    ids=lambda value: str(value) if isinstance(value, End) else "",
)
def test_claim_and_truth_decide(records: Sequence[Record], end: End) -> None:
    assert end_of(records) is end


@pytest.mark.parametrize("reason", sorted(INFRASTRUCTURE | AGENT_ERRORS))
def test_what_was_cut_short_has_no_end(reason: Reason) -> None:
    assert end_of([ended(reason, goal=True)]) is None
    assert end_of([]) is None
    assert end_of([looked(goal=True)]) is None


def test_in_older_traces_finished_is_a_claim_unless_the_world_will_have_said_so() -> None:
    assert end_of([asked(), done(goal=True, claimed=None)]) is End.VERIFIED
    assert end_of([asked(), done(goal=False, claimed=None)]) is End.CLAIMED_WRONGLY
    for chosen in (proposed(), DECIDED):
        assert end_of([chosen, done(goal=True, claimed=None)]) is End.ANNOUNCED
        assert end_of([chosen, done(goal=False, claimed=None)]) is End.CLAIMED_WRONGLY


def test_every_end_has_a_meaning() -> None:
    assert set(MEANING) == set(End)
    assert Judging.of({"judging": JUDGING.as_json()}).ends == JUDGING.ends


def result(number: int, end: str | None, split: str = "simple", failure: str | None = None) -> EpisodeResult:
    return EpisodeResult(
        id=f"{split}_{number}", split=split, seed=0, value=float(failure is None), success=failure is None,
        reason="finished", failure=failure, end=end, steps=1, asked=1, unreadable=0, prompt_tokens=0,
        completion_tokens=0, cost=0.0,
    )  # fmt: skip


RESULTS = [
    result(0, "verified"),
    result(1, "missed"),
    result(2, "claimed_wrongly", failure="goal_misjudged"),
    result(3, None, failure="infrastructure"),
    result(0, "verified", "hard"),
]


def test_ends_are_counted_in_the_order_of_the_judge() -> None:
    scores = score_run(RESULTS, ["simple", "hard"], judging=JUDGING)
    assert scores.splits["simple"].ends["verified"] == 1
    assert list(scores.pooled.ends) == list(JUDGING.ends)
    assert scores.pooled.ends == {**dict.fromkeys(JUDGING.ends, 0), "verified": 2, "missed": 1, "claimed_wrongly": 1}
    assert as_figures(scores, JUDGING)["pooled"]["ends"]["missed"] == 1


def test_results_without_ends_show_none() -> None:
    old = [one.model_copy(update={"end": None}) for one in RESULTS]
    assert score_split("simple", old, JUDGING).ends == {}
    scores = score_run(old, ["simple", "hard"], judging=JUDGING)
    page = run_page({"judging": JUDGING.as_json()}, old, scores, viewer=_viewer())
    assert "How episodes ended" not in page
    line = old[0].model_dump_json(exclude={"end"})
    assert EpisodeResult.model_validate_json(line) == old[0], "a line of an older run is read"


def _viewer() -> object:
    from evals.pages.viewer import Viewer

    return Viewer(Path("runs/one"))


def test_the_table_and_the_page_show_ends() -> None:
    scores = score_run(RESULTS, ["simple", "hard"], judging=JUDGING)
    out = io.StringIO()
    print_table(scores, {"judging": JUDGING.as_json()}, Console(file=out, width=150))
    assert "ends: verified 2, missed 1, claimed wrongly 1" in out.getvalue()
    page = run_page({"judging": JUDGING.as_json()}, RESULTS, scores, viewer=_viewer())
    assert "How episodes ended" in page
    assert MEANING[End.MISSED] in page
    assert MEANING[End.DRIFTED_PAST] not in page, "only what occurs is explained"


def test_a_comparison_shows_ends_of_each_arm() -> None:
    one = part([played("a", True, end="verified"), played("b", False, end="claimed_wrongly")], agent="ground")
    two = part([played("a", True, end="verified"), played("b", True, end="announced")], agent="plan")
    old = part([played("a", True), played("b", True)], agent="action")
    (table,) = ends_table(arms(replace(one, judging=JUDGING), replace(two, judging=JUDGING), old))
    assert table.head[2:] == ("episodes", "verified", "claimed wrongly", "announced")
    assert MEANING[End.ANNOUNCED] in table.notes[0]
    shown = [[cell.text for cell in row] for row in table.rows]
    assert [(row[0], *row[2:]) for row in shown] == [("ground", "2", "1", "1", "0"), ("plan", "2", "1", "0", "1")]
    assert list(ends_table(arms(old))) == []
