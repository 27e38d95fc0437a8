from __future__ import annotations

import asyncio
from collections.abc import Callable
from statistics import NormalDist, fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envs.base import World
from evals.judges.symbolic import SymbolicJudge
from evals.viplan.twins.describing import describe
from models._twins import ALONE, PROBLEM, WORDING, Skill, Twin, skill, twin, twins
from models.base import Kind, Model, Request, Traits, Witnessing
from models.parsing import yes_no
from models.registry import load_model
from models.sim import names, published
from planners.outcome import Planner
from tests.small_worlds import Sketch, about, blocksworld, request

LEVEL = "hard"
HALF = Twin("plain", {"x": 0.0}, {"look": 0.5, ALONE: 0.5}, 1.0)


def answering(spec: str, planner: Planner, *, problem: str = "small", world: World | None = None) -> Model:
    loaded = load_model(spec)
    assert isinstance(loaded, Witnessing)
    tags = {"problem": problem, "level": LEVEL}
    return loaded.for_episode(SymbolicJudge(world or blocksworld(), tags, lambda: planner, describe))


def said(model: Model, *requests: Request) -> list[str]:
    async def replies() -> list[str]:
        return [(await model.ask(one)).text for one in requests]

    return asyncio.run(replies())


def traits(fact: int, look: str = "here") -> tuple[Traits, tuple[str, str, str]]:
    return Traits(("x",), {"look": look}), ("somebody", "problem", f"fact {fact}")


def wrong(model: Twin, fact: int, look: str, wording: str = "") -> bool:
    kinds, who = traits(fact, look)
    return model.errs(kinds, who, LEVEL, wording)


def agreement(one: Callable[[int], bool], other: Callable[[int], bool]) -> float:
    return fmean(one(place) == other(place) for place in range(3000))


def test_errors_come_as_often_as_the_coefficients_say() -> None:
    rare = Twin("plain", {"x": -2.0, f"x {LEVEL}": 0.5}, {ALONE: 0.6, "look": 0.4}, 0.5)
    errors = fmean(wrong(rare, place, f"look {place}") for place in range(20_000))
    assert errors == pytest.approx(1 / (1 + 2.718281828**1.5), abs=0.01)


def test_errors_of_one_picture_go_together_as_much_as_its_share_says() -> None:
    def at(fact: int) -> Callable[[int], bool]:
        return lambda place: wrong(HALF, fact, f"look {place}")

    # Two numbers with correlation 1/2 have the same sign two times in three.
    assert agreement(at(1), at(2)) == pytest.approx(2 / 3, abs=0.03)
    assert agreement(
        lambda place: wrong(HALF, 1, f"look {place}"), lambda place: wrong(HALF, 1, f"look {-place - 1}")
    ) == (pytest.approx(1 / 2, abs=0.03))


@pytest.mark.parametrize(("share", "same"), [(0.0, 1.0), (0.5, 2 / 3), (1.0, 0.5)])
def test_another_wording_changes_its_share_alone(share: float, same: float) -> None:
    model = Twin("plain", {"x": 0.0}, {ALONE: 1.0 - share, WORDING: share}, 1.0)
    one, other = (lambda place, text=text: wrong(model, place, "here", text) for text in ("Is it?", "Would it be?"))
    assert agreement(one, other) == pytest.approx(same, abs=0.03)


def test_chain_of_thought_shares_errors_as_far_as_they_are_common() -> None:
    forms = [Twin(form, {"x": 0.0}, {ALONE: 1.0}, 0.5) for form in ("plain", "cot")]
    plain, cot = (lambda place, model=model: wrong(model, place, "here") for model in forms)
    assert agreement(plain, cot) == pytest.approx(2 / 3, abs=0.03)


def test_a_problem_may_be_hard_as_a_whole() -> None:
    model = Twin("plain", {"x": 0.0}, {PROBLEM: 1.0}, 1.0)
    assert len({wrong(model, place, f"look {place}") for place in range(50)}) == 1


@given(st.floats(-30, 30))
def test_a_threshold_is_finite_and_grows_with_the_odds(odds: float) -> None:
    here = Twin("plain", {"x": odds}, {ALONE: 1.0}, 1.0).threshold(("x",), LEVEL)
    assert abs(here) < 5
    assert NormalDist().cdf(here) == pytest.approx(min(max(1 / (1 + 2.718281828459045**-odds), 1e-5), 1 - 1e-5))


def test_every_published_model_is_a_twin_whose_shares_sum_up() -> None:
    for name in set(names()) & set(published()):
        for world in {world for world, _, _, _ in published()[name]} & {"blocksworld", "household"}:
            for cot in (False, True):
                known = twin(name, world, cot=cot)
                assert known is not None
                assert sum(known.shares.values()) == pytest.approx(1.0, abs=0.003)
                assert min(known.shares.values()) >= 0
                assert 0 < known.common < 1
    assert len(twins()) > 40


def test_a_model_without_published_actions_takes_its_plans() -> None:
    plans = skill("gpt-4.1", "blocksworld", Kind.PLAN, cot=False)
    assert plans is not None
    assert plans.success == {"simple": 0.24, "medium": 0.04, "hard": 0.04}
    assert skill("gpt-4.1", "blocksworld", Kind.ACTION, cot=False) == plans
    own = skill("gemma-3-27b", "blocksworld", Kind.ACTION, cot=False)
    assert own != skill("gemma-3-27b", "blocksworld", Kind.PLAN, cot=False)
    assert skill("gpt-4.1", "nowhere", Kind.PLAN, cot=False) is None


def test_a_planner_succeeds_on_its_share_of_problems() -> None:
    able = Skill({"simple": 0.3}, 0.5)
    assert fmean(able.can("x", f"problem {number}", "simple") for number in range(5000)) == pytest.approx(0.3, abs=0.02)
    assert fmean(able.garbles("x", f"problem {number}") for number in range(5000)) == pytest.approx(0.5, abs=0.02)


def test_a_twin_repeats_itself_in_other_words_and_independent_errors_do_not(planner: Planner) -> None:
    facts = [f"on {upper},{lower}" for upper in "rgb" for lower in "rgb"] + ["clear r", "incolumn r,c1"]
    kept = {}
    for errors in ("shared", "independent"):
        model = answering(f"sim:ayavision-32b?errors={errors}", planner)
        pictures = [Sketch(f"view {number}") for number in range(12)]
        plain = said(model, *(about(fact, picture=pictures[0]) for fact in facts for _ in pictures))
        other = said(
            model,
            *(
                request(f"In picture {one.key}: {fact}?", one, kind=Kind.YES_NO, about=fact)
                for fact in facts
                for one in pictures
            ),
        )
        kept[errors] = fmean(one == two for one, two in zip(plain, other, strict=True))
    assert kept["shared"] > 0.85
    assert kept["independent"] < 0.8


def test_fresh_errors_are_independent_in_worlds_too(planner: Planner) -> None:
    asked = [about("on g,r", picture=Sketch(f"view {number}")) for number in range(60)]
    assert len(set(said(answering("sim:ayavision-32b?errors=fresh", planner), *asked))) == 2
    assert len(set(said(answering("sim:qwen2.5-vl-72b", planner), *asked))) == 1


def test_a_confusable_colour_is_taken_for_the_other(planner: Planner) -> None:
    world = blocksworld((("y",), ("o",), ("r",), ()), ((), ("y", "o", "r"), (), ()))
    yes = {
        block: fmean(
            yes_no(reply) is True
            for number in range(60)
            for reply in said(
                answering("sim:qwen2.5-vl-72b", planner, problem=f"p{number}", world=world),
                about(f"incolumn {block},c2"),
            )
        )
        for block in "yr"
    }
    assert yes["y"] > 0.5
    assert yes["r"] < 0.2


def test_a_failing_planner_tries_something_and_a_garbling_one_cannot_be_read(planner: Planner) -> None:
    asked = [request("What now?", Sketch(f"view {number}"), kind=Kind.PLAN) for number in range(30)]
    lost = set(said(answering("sim:qwen2.5-vl-7b", planner), *asked))
    assert len(lost) > 3
    assert all('"plan": [{"action": "moveblock"' in text for text in lost)
    assert said(answering("sim:molmo-7b", planner), *asked[:2]) == ["I cannot tell."] * 2


def test_recorded_models_that_were_unreadable_now_and_then_are(planner: Planner) -> None:
    asked = [about("clear r", picture=Sketch(f"view {number}"), cot=True) for number in range(300)]
    lost = fmean(reply == "I cannot tell." for reply in said(answering("sim:molmo-7b", planner), *asked))
    assert lost == pytest.approx(0.103, abs=0.06)
