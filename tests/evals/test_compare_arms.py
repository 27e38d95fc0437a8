"""Runs become arms, arms are paired, and unlike ones are refused by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from evals.compare.arms import Part, Unusable
from evals.compare.figures import compare
from evals.compare.likeness import incomparable, notes
from evals.compare.matrices import rate_of, scores_of
from evals.compare.own import stratum_of
from evals.compare.pairs import corrected, paired
from evals.compare.reading import chosen, find_arm, read
from evals.run.directory import run_directories
from evals.run.episodes import Episode
from evals.run.results import unplayed
from evals.run.statistics import sign_flip, wilson
from tests.evals.arms import ALIKE, arms, part, played


def outcomes(text: str) -> dict[str, bool | None]:
    """`+-x.`: solved, failed, lost; a dot is left out."""
    signs = {"+": True, "-": False, "x": None}
    return {name: signs[sign] for name, sign in zip("abcdefgh", text, strict=False) if sign in signs}


def test_runs_that_differ_only_in_seed_split_or_domain_are_one_arm() -> None:
    runs = [
        part(outcomes("++"), seed=0),
        part(outcomes("+-"), seed=1),
        part([played("a", True, "hard")], split="hard"),
        part([replace(played("a", True), domain="household")], domain="household"),
        part(outcomes("--"), agent="ground_cot"),
    ]
    ground, reasoned = arms(*runs)
    assert len(ground.parts) == 4
    assert ground.seeds == {0, 1}
    assert ground.strata == (("blocksworld", "simple"), ("blocksworld", "hard"), ("household", "simple"))
    assert (ground.method, ground.cot, ground.label) == ("ground", False, "ground · sim:gpt-4.1")
    assert (reasoned.method, reasoned.cot, reasoned.label) == ("ground", True, "ground_cot · sim:gpt-4.1")


def test_the_same_run_twice_is_two_arms_told_apart_by_their_folders() -> None:
    one, two = arms(part(outcomes("++"), name="monday"), part(outcomes("--"), name="friday"))
    assert (one.label, two.label) == ("ground, monday · sim:gpt-4.1", "ground, friday · sim:gpt-4.1")


def test_folders_of_one_name_are_told_apart_by_where_they_lie() -> None:
    """Figures are kept by name: of two arms with the same one would be lost."""
    listed = arms(*(part(outcomes(text), name="ground", path=f"{text}/ground") for text in ("++", "--")))
    assert [arm.method for arm in listed] == ["ground, ++/ground", "ground, --/ground"]
    assert sorted(rate.value for rate in scores_of(listed).values()) == [0, 1]


def test_conditions_that_differ_are_in_the_name() -> None:
    usual, slippery = arms(part(outcomes("++"), fail_probability=0.0), part(outcomes("--"), fail_probability=0.1))
    assert usual.method == "ground"
    assert slippery.method == "ground, fail probability 0.1"
    assert [arm.method for arm in arms(part(outcomes("+"), fail_probability=0.1))] == ["ground"]


@pytest.mark.parametrize(
    ("left", "right", "only_left", "only_right", "lost", "unmatched"),
    [
        ("++--", "+-+-", 1, 1, 0, 0),
        ("++++", "----", 4, 0, 0, 0),
        ("x++-", "+x+-", 0, 0, 2, 0),
        ("xx", "++", 0, 0, 2, 0),
        ("++.-", "+-+-", 1, 0, 0, 1),
    ],
)
def test_pairs_are_counted(left: str, right: str, only_left: int, only_right: int, lost: int, unmatched: int) -> None:
    one, other = arms(part(outcomes(left)), part(outcomes(right), agent="plan"))
    pair = paired(one, other)
    if pair is None:
        assert {left, right} == {"xx", "++"}
        return
    assert (pair.table[True, False], pair.table[False, True]) == (only_left, only_right)
    assert (pair.lost, pair.unmatched) == (lost, unmatched)
    assert pair.test == sign_flip([1] * only_left + [-1] * only_right)
    assert pair.difference == pytest.approx((only_right - only_left) / len(pair.matches))
    assert pair.interval.low <= pair.difference <= pair.interval.high


def test_a_lost_episode_is_lost_for_both() -> None:
    """It takes its counterpart with it, so that both sides are measured on the same problems."""
    one, other = arms(part(outcomes("+x--")), part(outcomes("+++-"), agent="plan"))
    pair = paired(one, other)
    assert pair is not None
    assert [match.problem for match in pair.matches] == ["a", "c", "d"]
    assert pair.left_success == pytest.approx(1 / 3)
    assert pair.right_success == pytest.approx(2 / 3)


def test_the_difference_is_the_mean_over_splits() -> None:
    """As every success is: ten simple problems do not outweigh one hard one."""
    easy = [played(str(number), True) for number in range(10)]
    one, other = arms(
        part([*easy, played("h", False, "hard")]), part([*easy, played("h", True, "hard")], agent="ground_mem")
    )
    pair = paired(one, other)
    assert pair is not None
    assert pair.difference == pytest.approx(0.5)


def test_episodes_of_one_problem_are_no_independent_witnesses() -> None:
    """Ten seeds of one problem that all come out alike prove as little as one of them."""
    seeds = range(10)
    left = [part({"a": False}, seed=seed) for seed in seeds]
    right = [part({"a": True}, seed=seed, agent="plan") for seed in seeds]
    pair = paired(*arms(*left, *right))
    assert pair is not None
    assert pair.repeated
    assert pair.table[False, True] == 10
    assert pair.test.exact == 1.0


def test_seeds_are_paired_with_their_like() -> None:
    left = [part({"a": True, "b": True}, seed=0), part({"a": False, "b": False}, seed=1)]
    right = [part({"a": True, "b": False}, seed=1, agent="plan"), part({"a": True, "b": True}, seed=2, agent="plan")]
    pair = paired(*arms(*left, *right))
    assert pair is not None
    assert {match.problem: match.difference for match in pair.matches} == {"a": 1, "b": 0}


def test_without_a_common_seed_a_problem_is_still_the_same_problem() -> None:
    left = [part({"a": True}, seed=0), part({"a": False}, seed=1)]
    pair = paired(*arms(*left, part({"a": True}, seed=7, agent="plan")))
    assert pair is not None
    assert [match.difference for match in pair.matches] == [Fraction(1, 2)]


def test_p_values_are_corrected_over_all_pairs() -> None:
    listed = arms(part(outcomes("--------")), *(part(outcomes(text), agent=text) for text in ("++++++++", "+++++++-")))
    pairs = corrected([pair for arm in listed[1:] if (pair := paired(listed[0], arm))])
    assert [pair.test.exact for pair in pairs] == [pytest.approx(2 / 256), pytest.approx(2 / 128)]
    assert [pair.holm for pair in pairs] == [pytest.approx(4 / 256), pytest.approx(2 / 128)]
    assert [pair.bh for pair in pairs] == [pytest.approx(2 / 128), pytest.approx(2 / 128)]


def test_the_error_of_a_rate_is_the_papers_and_counts_problems_not_episodes() -> None:
    once = rate_of([played(str(number), number < 7) for number in range(25)])
    assert once is not None
    assert once.value == pytest.approx(7 / 25)
    assert once.sem == pytest.approx((7 / 25 * 18 / 25 / 25) ** 0.5)
    often = rate_of([played(str(number), number < 7, seed=seed) for number in range(25) for seed in range(4)])
    assert often is not None
    assert (often.value, often.sem, often.n) == (once.value, once.sem, once.n)
    assert once.interval == wilson(7, 25)
    assert often.interval is not None
    assert (often.interval.low, often.interval.high) == pytest.approx((once.interval.low, once.interval.high))
    assert rate_of([played("a", None)]) is None


def changed(**prints: object) -> Part:
    return part(outcomes("++"), agent="plan", prints={**ALIKE, **prints})


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (changed(scorer="2"), "unlike: scorer: 1 in ground, 2 in plan"),
        (changed(prompts={"yes_no": "z"}), "unlike: prompt yes_no: a in ground, z in plan"),
        (changed(texts="t2"), "unlike: wording of questions: t1 in ground, t2 in plan"),
        (changed(pictures="blender"), "unlike: pictures: ray 2 in ground, blender in plan"),
        (part(outcomes("+++"), agent="plan"), "unlike: problems of blocksworld simple: c not in ground"),
        (part({"a": True, "z": True}, agent="plan"), "z not in ground"),
    ],
)
def test_unlike_runs_are_refused_by_name_and_compared_by_force(other: Part, said: str) -> None:
    listed = arms(part(outcomes("++")), other)
    with pytest.raises(Unusable, match="--force") as refusal:
        compare(listed, baseline=listed[0])
    assert said in str(refusal.value)
    forced = compare(listed, baseline=listed[0], force=True)
    assert said.removeprefix("unlike: ") in forced.forced[0]
    assert {match.problem for match in forced.pairs[0].matches} <= {"a", "b"}


def test_a_run_of_both_domains_is_held_to_the_prompts_of_one() -> None:
    both = part(outcomes("++"), agent="plan", domain="all", prints={"prompts": {"yes_no": "z"}, "texts": "t1 + t2"})
    assert incomparable(arms(part(outcomes("++")), both)) == ["prompt yes_no: a in ground, z in plan"]


def test_a_problem_of_the_same_name_that_begins_otherwise_is_another_problem() -> None:
    def run(agent: str, start: str | None, fingerprint: str) -> Part:
        return part([played("a", True, start=lambda: start)], agent=agent, prints={**ALIKE, "problems": fingerprint})

    assert incomparable(arms(run("ground", "x", "p1"), run("plan", "x", "p2"))) == []
    assert incomparable(arms(run("ground", "x", "p1"), run("plan", None, "p2"))) == []
    (said,) = incomparable(arms(run("ground", "x", "p1"), run("plan", "y", "p2")))
    assert "a start or end differently in plan" in said


def test_what_does_not_matter_does_not_keep_runs_apart() -> None:
    blind = part(outcomes("++"), agent="plan", prints={**ALIKE, "pictures": "other"}, looks=False)
    unfinished = part(outcomes("+"), agent="action", missing=1)
    unknown = part(outcomes("++"), agent="ground_mem", prints={}, source="recorded")
    listed = arms(part(outcomes("++")), blind, unfinished, unknown)
    assert incomparable(listed) == []
    told = notes(listed)
    assert "PARTIAL: 1 episodes of action · sim:gpt-4.1 are not finished" in told
    assert any("not recorded: problems are matched by name" in note for note in told)


def test_lost_episodes_and_other_code_are_noted() -> None:
    one = part(outcomes("+x"), prints={**ALIKE, "agent": "1"})
    two = part(outcomes("++"), prints={**ALIKE, "agent": "2"}, planner="fd-opt")
    told = notes(arms(one, two))
    assert any(note.startswith("1 episodes of ground") and "not scored" in note for note in told)
    assert "the code of agent ground is not the same in all runs" in told


def test_a_choice_narrows_runs_and_episodes() -> None:
    runs = [part([played("a", True), played("b", True, "hard")]), part(outcomes("+"), agent="plan")]
    assert [one.name for one in chosen(runs, ["agent=gr*"])] == ["ground"]
    assert [[p.problem for p in one.played] for one in chosen(runs, ["split=hard"])] == [["b"]]
    refused: list[tuple[list[str], str]] = [
        (["agnet=plan"], "Did you mean 'agent'"),
        (["agent"], "--where is KEY=VALUE"),
        (["agent=nobody"], "nothing fits"),
    ]
    for where, said in refused:
        with pytest.raises(Unusable, match=said):
            chosen(runs, where)


def test_a_baseline_is_found_by_its_name_or_named_among_those_there_are() -> None:
    listed = arms(part(outcomes("+")), part(outcomes("+"), agent="ground_cot"), part(outcomes("+"), agent="plan"))
    assert find_arm("plan", listed) is listed[2]
    assert find_arm("ground · sim:gpt-4.1", listed) is listed[0]
    with pytest.raises(Unusable, match=r"may be any of: ground · sim:gpt-4\.1; ground_cot"):
        find_arm("ground", listed)
    with pytest.raises(Unusable, match="There are: ground"):
        find_arm("tools", listed)


@pytest.mark.parametrize("make", [lambda folder: folder / "nowhere", lambda folder: folder])
def test_a_folder_without_runs_is_said(make: Callable[[Path], Path], tmp_path: Path) -> None:
    with pytest.raises(Unusable, match=r"no such folder|neither a run"):
        read([make(tmp_path)])


def test_a_run_of_both_domains_is_two_domains(tmp_path: Path) -> None:
    result = unplayed(Episode("x", "household simple", tags={"domain": "household"}), "")
    assert stratum_of(result, {"benchmark": "viplan"}) == ("household", "simple")
    assert stratum_of(result.model_copy(update={"split": "hard"}), {}) == ("household", "hard")
    assert stratum_of(result.model_copy(update={"tags": {}}), {"benchmark": "own"}) == ("own", "household simple")
    for name in ("a", "a/reruns/b", "c/d"):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / "run.json").write_text("{}")
    assert run_directories(tmp_path) == [tmp_path / "a", tmp_path / "c" / "d"]
