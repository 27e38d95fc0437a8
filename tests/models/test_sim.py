"""Simulated models: as often wrong as published, always wrong about the same things, and readable as planners."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envs.base import Observation
from models.base import Kind, Model, Reply, Request, Witnessing
from models.oracle import PerfectEyes
from models.parsing import proposals, yes_no
from models.registry import load_model
from models.sim import THE_WAY, PublishedEyes, Sight, StandIn, names, published
from planners import get_planner
from planners.cache import CachedPlanner
from planners.names import UnknownName
from planners.outcome import Planner
from planners.task import Step, Task
from tests.small_worlds import Sketch, about, arrangements, blocksworld, request, witness


@pytest.fixture(scope="module")
def optimal() -> Iterator[CachedPlanner]:
    planner = CachedPlanner(get_planner("fd-opt"))
    yield planner
    planner.close()


def model(spec: str, planner: Planner, split: str = "simple") -> Model:
    loaded = load_model(spec)
    assert isinstance(loaded, Witnessing)
    return loaded.for_episode(witness(blocksworld(), planner, split=split))


def ask(model: Model, *requests: Request) -> list[Reply]:
    async def replies() -> list[Reply]:
        return [await model.ask(request) for request in requests]

    return asyncio.run(replies())


def steps(text: str, kind: Kind) -> list[Step | None]:
    read = proposals(text, str(kind), blocksworld().signatures)
    assert isinstance(read, tuple), read
    return [proposal.step for proposal in read]


def questions(fact: str, number: int, *, cot: bool = False) -> list[Request]:
    return [about(fact, picture=Sketch(f"scene {place}"), cot=cot) for place in range(number)]


@pytest.mark.parametrize("kind", [Kind.YES_NO, Kind.PLAN, Kind.ACTION])
def test_the_same_request_gets_the_same_reply(planner: Planner, kind: Kind) -> None:
    asked = about("on g,r") if kind is Kind.YES_NO else request("What now?", kind=kind)
    one, other = model("sim:molmo-7b", planner), model("sim:molmo-7b", planner)
    assert ask(one, asked, asked) == ask(other, asked, asked) == ask(one, asked) * 2


@pytest.mark.parametrize("name", ["gpt-4.1", "molmo-7b"])
@pytest.mark.parametrize("cot", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize(("fact", "true"), [("on g,r", True), ("on b,r", False), ("clear r", False)])
def test_it_is_as_often_right_as_published(planner: Planner, name: str, cot: bool, fact: str, true: bool) -> None:
    replies = ask(model(f"sim:{name}", planner, "hard"), *questions(fact, 1000, cot=cot))
    right = sum(yes_no(reply.text, cot=cot) is true for reply in replies) / len(replies)
    stated = published()[name]["blocksworld", cot, "hard", fact.partition(" ")[0]]
    assert right == pytest.approx(stated, abs=0.045)


def test_another_seed_makes_other_mistakes(planner: Planner) -> None:
    asked = questions("on g,r", 200)
    said = [[reply.text for reply in ask(model(f"sim:molmo-7b?seed={seed}", planner), *asked)] for seed in (0, 1)]
    assert said[0] != said[1]


def test_a_note_throws_the_dice_anew(planner: Planner) -> None:
    plain = questions("on g,r", 200)
    noted = [
        request(f"Bear in mind what went wrong. {asked.text}", asked.pictures[0], kind=Kind.YES_NO, about=asked.about)
        for asked in plain
    ]
    molmo = model("sim:molmo-7b", planner)
    differ = sum(one.text != other.text for one, other in zip(ask(molmo, *plain), ask(molmo, *noted), strict=True))
    assert 0 < differ < 200


def test_without_published_reasoning_the_plain_rates_have_to_do(planner: Planner) -> None:
    rates = published()["gpt-5.2"]
    assert not any(cot for _, cot, _, _ in rates)
    replies = ask(model("sim:gpt-5.2", planner, "hard"), *questions("clear g", 1000, cot=True))
    wrong = sum(yes_no(reply.text, cot=True) is not True for reply in replies) / len(replies)
    assert wrong == pytest.approx(1 - rates["blocksworld", False, "hard", "clear"], abs=0.03)


@pytest.mark.parametrize("kind", [Kind.PLAN, Kind.ACTION])
@pytest.mark.parametrize("cot", [False, True])
@pytest.mark.parametrize("spec", ["oracle", "sim:molmo-7b", "sim:gpt-4.1?blunder=1"])
def test_what_it_plans_can_be_read(planner: Planner, spec: str, kind: Kind, cot: bool) -> None:
    for number in range(3):
        reply = ask(model(spec, planner), request(f"Step {number}.", Sketch(f"scene {number}"), kind=kind, cot=cot))[0]
        assert None not in steps(reply.text, kind)
        assert ("explanation" in json.loads(reply.text)) is cot


@settings(max_examples=8, deadline=None)
@given(st.data())
def test_perfect_eyes_and_no_blunders_give_a_shortest_plan(optimal: Planner, data: st.DataObject) -> None:
    start = data.draw(arrangements("rgb"))
    order = data.draw(st.permutations(list(start)))
    world = blocksworld(start, tuple(order))
    task = Task(world.domain, world.objects, world.truth(), world.goal)
    shortest = optimal.solve(task).plan
    reply = ask(StandIn(PerfectEyes()).for_episode(witness(world, optimal)), request(kind=Kind.PLAN))[0]
    proposed = steps(reply.text, Kind.PLAN)
    if shortest:
        assert len(proposed) == len(shortest)
        assert task.fault(tuple(step for step in proposed if step)) is None


def test_blunders_come_as_often_as_stated(planner: Planner) -> None:
    asked = [request(f"Step {number}.", kind=Kind.ACTION) for number in range(400)]
    cached = CachedPlanner(planner)
    world = blocksworld()
    careful = ask(StandIn(PerfectEyes()).for_episode(witness(world, cached)), *asked)
    clumsy = ask(StandIn(PerfectEyes(), blunder=0.3).for_episode(witness(world, cached)), *asked)
    others = sum(one.text != other.text for one, other in zip(careful, clumsy, strict=True)) / len(asked)
    # One blunder in twelve happens to be the right move.
    assert others == pytest.approx(0.3 * 11 / 12, abs=0.07)


def test_it_is_marked_as_simulated_and_needs_an_episode() -> None:
    sim = load_model("sim")
    assert sim.simulated
    with pytest.raises(RuntimeError, match="for_episode"):
        ask(sim, about("on r,b"))


def test_all_published_models_can_be_had() -> None:
    assert len(names()) > 20
    for name in names():
        assert load_model(f"sim:{name}").identity.startswith((f"sim:{name}, ", f"sim:{name} 0.9, "))


def test_sight_is_right_as_often_as_stated_and_knows_no_way() -> None:
    eyes = Sight(0.8)
    pictures = [request(picture=Sketch(f"view {number}")) for number in range(2000)]
    right = sum(
        eyes.sees("view cup", number % 2 == 0, one, None) == (number % 2 == 0) for number, one in enumerate(pictures)
    )  # type: ignore[arg-type]
    assert abs(right / 2000 - 0.8) < 0.03
    assert all(Sight(1.0).sees("view cup", True, one, None) for one in pictures[:50])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="perceives only what is in view"):
        eyes.sees(THE_WAY, True, pictures[0], None)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="accuracy is a probability"):
        load_model("sim:sight?accuracy=2")
    with pytest.raises(UnknownName, match=r"Did you mean 'accuracy'\?"):
        load_model("sim:sight?accurac=1")


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownName, match=r"Did you mean 'gpt-4\.1'\?"):
        load_model("sim:gpt4.1")
    with pytest.raises(UnknownName, match=r"Did you mean 'blunder'\?"):
        load_model("sim:gpt-4.1?blunders=0.1")


@pytest.mark.parametrize("blunder", ["1.5", "-0.1", "nan", "much"])
def test_a_blunder_rate_is_a_probability(blunder: str) -> None:
    with pytest.raises(ValueError, match="blunder"):
        load_model(f"sim:gpt-4.1?blunder={blunder}")


def test_a_seed_is_a_whole_number() -> None:
    with pytest.raises(ValueError, match="seed"):
        load_model("sim:gpt-4.1?seed=1.5")


def test_a_world_the_paper_has_no_rates_for_is_named(planner: Planner) -> None:
    with pytest.raises(ValueError, match=r"no accuracy of gpt-4\.1, seed 0 for on in blocksworld"):
        ask(model("sim", planner, "extreme"), about("on g,r"))


def test_as_a_planner_it_knows_what_is_out_of_view(planner: Planner) -> None:
    world = blocksworld()
    world.observe = lambda: Observation(Sketch(), frozenset())  # type: ignore[method-assign]
    model = StandIn(PublishedEyes("ayavision-8b"), blunder=0.0).for_episode(witness(world, planner))
    reply = asyncio.run(model.ask(request(kind=Kind.PLAN)))
    steps = [Step(entry["action"], tuple(entry["parameters"].values())) for entry in json.loads(reply.text)["plan"]]
    assert Task(world.domain, world.objects, world.truth(), world.goal).fault(tuple(steps)) is None


@pytest.mark.parametrize("fact", ["on g,r", "on b,r"])
def test_the_blind_model_guesses_about_facts(planner: Planner, fact: str) -> None:
    asked = questions(fact, 200)
    replies = [reply.text for reply in ask(model("blind", planner), *asked)]
    assert 0.35 < replies.count("Yes") / 200 < 0.65
    assert [reply.text for reply in ask(model("blind", planner), *asked)] == replies
    assert [reply.text for reply in ask(model("blind?seed=1", planner), *asked)] != replies
