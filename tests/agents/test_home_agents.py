"""Agents that know what is possible, in a home of which they see a part and whose actions fail now and then."""

from __future__ import annotations

from itertools import cycle, groupby

import pytest

from agents.base import Agent
from agents.belief import Believer
from agents.ground import ASKS
from agents.registry import find_agent
from envs.base import View
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult
from evals.run.runner import Setup
from evals.run.trace import Record
from models.base import Model
from models.registry import load_model
from planners.formula import Atom, holds
from planners.outcome import Planner
from planners.task import Step
from tests.playing import Proposing, liar, play_in, proposal
from tests.small_home import RECORDED, SmallHome
from tools.events import Acted, Asked, Planned
from tools.toolbox import Toolbox

NEW = ("ground_repair", "ground_lazy", "ground_belief")
PACED = [pytest.param(agent, marks=() if agent == "ground_belief" else pytest.mark.slow) for agent in NEW]
"""The quick tests take one agent of the family."""
Pair = tuple[Planner, Planner]


def play(agent: str | Agent, model: Model, home: SmallHome, planners: Pair) -> tuple[EpisodeResult, list[Record]]:
    setup = Setup(find_agent(agent) if isinstance(agent, str) else agent, model, planners[0])
    return play_in(home, setup, Episode("home", "hard", 0, 30, {"level": "hard"}), planners[1])


def homes(count: int, **options: object) -> list[SmallHome]:
    every = (SmallHome(seed=seed, **options) for seed in range(100))  # type: ignore[arg-type]
    unsolved = (home for home in every if not holds(home.goal, home.prior, home.objects))
    return [home for home, _ in zip(unsolved, range(count), strict=False)]


@pytest.mark.parametrize("agent", PACED)
def test_with_perfect_eyes_it_puts_everything_in_its_place(agent: str, planners: Pair) -> None:
    for home in homes(3):
        result, _ = play(agent, load_model("oracle"), home, planners)
        assert result.success, result


@pytest.mark.parametrize("agent", PACED)
def test_it_gets_over_failures_that_the_world_tells(agent: str, planners: Pair) -> None:
    solved = [play(agent, load_model("oracle"), home, planners)[0].success for home in homes(3, failing=RECORDED)]
    assert sum(solved) >= 2


@pytest.mark.slow
def test_poor_eyes_do_not_stop_them_where_they_stop_ground(planners: Pair) -> None:
    model = load_model("sim:gpt-4.1")
    solved = {name: sum(play(name, model, home, planners)[0].success for home in homes(3)) for name in ("ground", *NEW)}
    assert min(solved[agent] for agent in NEW) >= 2 > solved["ground"], solved


def test_belief_asks_nothing_about_what_answers_say_little_of(planners: Pair) -> None:
    _, records = play("ground_belief", load_model("oracle"), homes(1)[0], planners)
    asked = [record.event.about for record in records if isinstance(record.event, Asked)]
    assert asked
    assert not any(atom.startswith("nextto") for atom in asked)


def test_only_what_is_in_view_is_asked(planners: Pair) -> None:
    for agent in NEW:
        _, records = play(agent, load_model("oracle"), homes(1)[0], planners)
        seen: frozenset[str] = frozenset()
        for record in records:
            if record.event.type == "observed":
                seen = frozenset(record.event.visible or ())
            elif isinstance(record.event, Asked):
                assert seen.issuperset(Atom.parse(record.event.about).args)


def test_a_plan_that_still_works_is_kept(planners: Pair) -> None:
    _, records = play("ground_belief", load_model("oracle"), homes(1)[0], planners)
    planned, acted = (sum(isinstance(record.event, kind) for record in records) for kind in (Planned, Acted))
    assert 2 * planned <= acted


def test_lies_about_everything_are_outweighed_by_what_the_world_does(planners: Pair) -> None:
    home = homes(1)[0]
    result, _ = play("ground_belief", liar(lambda atom, true, request: not true), home, planners)
    assert result.success, result


class DeepHome(SmallHome):
    """What lies in something cannot be seen at once when it is first opened, nor reached: the domain promises more."""

    opening = ""

    def _do(self, step: Step) -> None:
        super()._do(step)
        first = step.action == "open-container" and not self.opening
        self.opening = step.args[0] if first else self.opening and "something"

    def _near(self) -> frozenset[str]:
        return super()._near() - {name for name, place in self.place.items() if place == ("inside", self.opening)}


MUTE = Proposing(lambda: "…")
"""Has nothing to propose: whoever has another way to go on goes that one."""


@pytest.mark.parametrize("agent", [*PACED, "hybrid"])
def test_what_is_out_of_view_is_not_tried_to_be_taken(agent: str, planners: Pair) -> None:
    for seed in (1, 4):
        home = DeepHome(seed=seed)
        assert any(how == "inside" for how, _ in home.place.values())
        result, _ = play(agent, MUTE, home, planners)
        assert result.success, result
        assert "not legal" not in result.counts("attempts"), result


@pytest.mark.parametrize("agent", [*PACED, "hybrid"])
def test_nothing_is_finished_as_long_as_the_goal_is_out_of_view(agent: str, planners: Pair) -> None:
    result, _ = play(agent, MUTE, DeepHome(("reachable apple_1",), seed=1), planners)
    assert result.success, result


def test_who_is_told_of_failures_trusts_what_was_done(planners: Pair) -> None:
    home = homes(1)[0]
    told = Believer().blank(Toolbox(env=View(home), model=load_model("oracle"), planner=planners[0]))
    home.candid = False
    untold = Believer().blank(Toolbox(env=View(home), model=load_model("oracle"), planner=planners[0]))
    assert 0 < told.slip < untold.slip


@pytest.mark.parametrize("patience", [2, 3])
def test_what_fails_again_and_again_is_not_as_it_is_believed(patience: int, planners: Pair) -> None:
    """No door ever opens here, and nothing else happens: it may be another thing that is in the way."""
    stubborn = Agent("stubborn", "has so much patience", Believer(patience=patience).graph, prompts=ASKS)
    _, records = play(stubborn, load_model("oracle"), homes(1, failing={"open-container": 1.0})[0], planners)
    acted = [record.event.action for record in records if isinstance(record.event, Acted)]
    runs = [len(list(same)) for action, same in groupby(acted) if action.startswith("open-container")]
    assert max(runs) == patience


def test_who_goes_in_circles_is_not_left_to_it(planners: Pair) -> None:
    ways = cycle(("table_1", "sink_1"))
    wanderer = Proposing(lambda: proposal("navigate-to", object=next(ways)))
    result, records = play("hybrid", wanderer, homes(1)[0], planners)
    assert result.success, result
    assert sum(isinstance(record.event, Asked) and record.event.proposes for record in records) <= 6
