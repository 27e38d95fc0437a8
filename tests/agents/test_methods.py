"""The eight methods: right with an oracle, and wrong in the right way when it lies in the right place."""

from __future__ import annotations

import pytest

from agents.registry import all_agents
from envs.blocksworld.problems import SPLITS, BlocksProblem, domain, files, goal_of, load
from envs.blocksworld.world import Blocksworld
from evals.judges.failures import Failure
from evals.viplan.domains.base import PLANNER_STEPS
from evals.viplan.domains.blocksworld import GROUNDER_STEPS
from models.base import ModelUnavailable, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, always, in_order
from planners.formula import And, Atom, Holds
from planners.outcome import Planner
from planners.task import Step
from tests.playing import liar, play
from tools.events import Acted, Asked, CalledOff, Planned, Replanned
from tools.toolbox import Conduct

EIGHT = tuple(f"{method}{cot}" for method in ("plan", "action", "ground", "ground_mem") for cot in ("", "_cot"))
Pair = tuple[Planner, Planner]


def problem(split: str = "simple", number: int = 0) -> BlocksProblem:
    return load(files(split)[number], split)


def steps_of(agent: str, split: str) -> int:
    return PLANNER_STEPS[split] if all_agents()[agent].family == "planner" else GROUNDER_STEPS


@pytest.mark.parametrize("agent", EIGHT)
@pytest.mark.parametrize("split", SPLITS)
def test_an_oracle_solves_the_first_problem(agent: str, split: str, planners: Pair) -> None:
    result, _ = play(agent, load_model("oracle"), problem(split), planners, steps=steps_of(agent, split))
    assert result.success, result


@pytest.mark.slow
@pytest.mark.parametrize("agent", EIGHT)
def test_an_oracle_solves_all_75_problems(agent: str, planners: Pair) -> None:
    failed = []
    for split in SPLITS:
        for path in files(split):
            loaded = load(path, split)
            result, _ = play(agent, load_model("oracle"), loaded, planners, steps=steps_of(agent, split))
            failed += [] if result.success else [result]
    assert not failed


GROUNDERS = [agent for agent in EIGHT if agent.startswith("ground")]
PLANNERS = [agent for agent in EIGHT if not agent.startswith("ground")]


def move(block: str, column: str) -> str:
    return f'{{"action": "moveblock", "parameters": {{"block": "{block}", "column": "{column}"}}}}'


def as_reply(agent: str, *moves: str) -> str:
    """The moves as the method wants them: a plan, or the first as an action."""
    return f'{{"plan": [{", ".join(moves)}]}}' if agent.startswith("plan") else f'{{"action": {moves[0]}}}'


@pytest.mark.parametrize("agent", EIGHT)
def test_a_reply_that_cannot_be_read_is_a_parsing_failure(agent: str, planners: Pair) -> None:
    result, _ = play(agent, Scripted(always("I would rather not say.")), problem(), planners)
    assert result.failure == Failure.PARSING


@pytest.mark.parametrize("agent", EIGHT)
def test_a_reply_that_was_cut_off_used_up_the_token_budget(agent: str, planners: Pair) -> None:
    result, _ = play(
        agent, Scripted(lambda request: Reply('{"explanation": "well', truncated=True)), problem(), planners
    )
    assert result.failure == Failure.TOKEN_BUDGET


@pytest.mark.parametrize("agent", EIGHT)
def test_a_model_that_is_away_is_not_the_models_fault(agent: str, planners: Pair) -> None:
    def away(request: Request) -> str:
        raise ModelUnavailable("the endpoint is down")

    result, _ = play(agent, Scripted(away), problem(), planners)
    assert result.failure == Failure.INFRASTRUCTURE
    assert not result.scored


@pytest.mark.parametrize("agent", GROUNDERS)
def test_a_lie_about_everything_leaves_no_plan(agent: str, planners: Pair) -> None:
    model = liar(lambda atom, true, request: False)
    result, _ = play(agent, model, problem(), planners)
    assert result.failure == Failure.NO_PLAN_WRONG_BELIEF


@pytest.mark.parametrize("agent", GROUNDERS)
def test_an_impossible_goal_leaves_no_plan_from_a_right_belief(agent: str, planners: Pair) -> None:
    easy = problem()
    first, second = easy.objects.of_type("block")[:2]
    upside_down = And((Holds("on", (first, second)), Holds("on", (second, first))))
    impossible = BlocksProblem("impossible", "simple", easy.objects, easy.columns, easy.start, upside_down)
    result, _ = play(agent, load_model("oracle"), impossible, planners)
    assert result.failure == Failure.NO_PLAN_RIGHT_BELIEF


@pytest.mark.parametrize("agent", GROUNDERS)
def test_denying_true_preconditions_is_calling_off_wrongly(agent: str, planners: Pair) -> None:
    def lie(atom: Atom, true: bool, request: Request) -> bool:
        return not true if request.place.startswith("precondition") and atom.predicate == "clear" else true

    result, records = play(agent, liar(lie), problem(), planners)
    assert result.failure == Failure.CALLED_OFF_WRONGLY
    assert result.steps == 20
    assert all(record.truth.legal for record in records if isinstance(record.event, CalledOff))


@pytest.mark.parametrize("agent", GROUNDERS)
def test_taking_a_buried_block_for_a_free_one_is_attempting_wrongly(agent: str, planners: Pair) -> None:
    stacked = load_with(start=(("r", "g"), (), ("b",), ()), goal=(("g",), ("r",), ("b",), ()))

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        return {"clear r": True, "on g,r": False}.get(str(atom), true)

    result, records = play(agent, liar(lie), stacked, planners)
    assert result.failure == Failure.ATTEMPTED_WRONGLY
    assert result.reason == "loop"
    assert [record.event.action for record in records if isinstance(record.event, Acted)] == ["moveblock(r, c2)"] * 2


@pytest.mark.parametrize("agent", GROUNDERS)
def test_not_seeing_that_a_move_failed_is_misjudging_an_effect(agent: str, planners: Pair) -> None:
    class Stuck:
        def __call__(self, made: Step, world: Blocksworld) -> Step | None:
            return None

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        hoped_for = {"incolumn r,c1": False, "incolumn r,c4": True}
        return hoped_for.get(str(atom), true) if request.place.startswith("effect") else true

    one_move = load_with(start=(("r",), ("g",), ("b",), ()), goal=((), ("g",), ("b",), ("r",)))
    result, _ = play(agent, liar(lie), one_move, planners, chance=Stuck())
    assert result.failure == Failure.EFFECT_MISJUDGED
    assert result.reason == "finished"


@pytest.mark.parametrize("agent", GROUNDERS)
def test_believing_the_goal_reached_is_misjudging_it(agent: str, planners: Pair) -> None:
    start, goal = (("r",), ("g",), ("b",), ()), ((), ("g",), ("b",), ("r",))
    wanted = load_with(start=goal, goal=goal)
    believed = Blocksworld(wanted).truth()
    result, _ = play(agent, liar(lambda atom, true, request: atom in believed), load_with(start, goal), planners)
    assert result.failure == Failure.GOAL_MISJUDGED
    assert result.steps == 0


@pytest.mark.parametrize("agent", PLANNERS)
def test_the_same_impossible_action_again_and_again_is_a_loop(agent: str, planners: Pair) -> None:
    world = load_with(start=(("r", "g"), (), ("b",), ()), goal=(("g",), ("r",), ("b",), ()))
    result, _ = play(agent, Scripted(always(as_reply(agent, move("r", "c2")))), world, planners, steps=10)
    assert result.failure == Failure.REPEATED_ACTION
    assert result.counts("attempts") == {"not legal": 10}


@pytest.mark.parametrize("agent", PLANNERS)
def test_two_impossible_actions_in_turn_are_an_oscillation(agent: str, planners: Pair) -> None:
    world = load_with(start=(("r", "g"), (), ("b",), ()), goal=(("g",), ("r",), ("b",), ()))
    both = [as_reply(agent, move("r", "c2")), as_reply(agent, move("r", "c3"))]
    result, _ = play(agent, Scripted(in_order(both * 5)), world, planners, steps=10)
    assert result.failure == Failure.OSCILLATION


@pytest.mark.parametrize("agent", PLANNERS)
def test_wandering_about_ends_at_the_step_limit(agent: str, planners: Pair) -> None:
    world = load_with(start=(("r", "g"), (), ("b",), ()), goal=(("g",), ("r",), ("b",), ()))
    there_and_back = [as_reply(agent, move("b", "c4")), as_reply(agent, move("b", "c3"))]
    result, _ = play(agent, Scripted(in_order(there_and_back * 5)), world, planners, steps=10)
    assert result.failure == Failure.STEP_LIMIT


@pytest.mark.parametrize("agent", PLANNERS)
def test_what_does_not_exist_costs_a_step_and_is_told(agent: str, planners: Pair) -> None:
    model = Scripted(
        in_order([as_reply(agent, '{"action": "fly", "parameters": {}}'), as_reply(agent, move("z", "c9"))] * 3)
    )
    result, _ = play(agent, model, problem(), planners, steps=4)
    assert result.counts("attempts") == {"action does not exist": 2, "parameters incorrectly specified": 2}
    assert "It was not possible: there is no action 'fly'; actions: moveblock." in model.asked[1].text
    assert "It was not possible: 'z' is not a block." in model.asked[2].text


@pytest.mark.parametrize("agent", PLANNERS)
def test_the_original_tells_codes_and_lists_no_objects(agent: str, planners: Pair) -> None:
    model = Scripted(always(as_reply(agent, '{"action": "fly", "parameters": {}}')))
    play(agent, model, problem(), planners, steps=2, conduct=Conduct.OFFICIAL)
    assert '"outcome": "action does not exist"' in model.asked[1].text
    assert "Objects" not in model.asked[1].text


@pytest.mark.parametrize("agent", PLANNERS)
def test_what_came_of_an_action_is_told_in_sentences(agent: str, planners: Pair) -> None:
    world = load_with(start=(("r", "g"), (), ("b",), ()), goal=(("g",), ("r",), ("b",), ()))
    model = Scripted(in_order([as_reply(agent, move("b", "c2")), as_reply(agent, move("r", "c4"))] * 2))
    play(agent, model, world, planners, steps=3)
    assert '"outcome": "It was carried out."' in model.asked[1].text
    assert '"outcome": "It was not possible: one of its conditions did not hold."' in model.asked[2].text


@pytest.mark.parametrize("agent", EIGHT)
def test_objects_are_listed_by_their_names(agent: str, planners: Pair) -> None:
    model = Scripted(always("Yes"))
    play(agent, model, load_with(start=(("r",), ("g",)), goal=((), ("g", "r"))), planners, steps=2)
    assert model.asked
    for request in model.asked:
        for line in ("- g: the green block", "- r: the red block", "- c2: the column with the card c2"):
            assert line in request.text


def test_memory_reminds_of_a_called_off_action_until_one_succeeds(planners: Pair) -> None:
    denied: list[str] = []

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        if request.place == "precondition 0" and atom.predicate == "clear":
            denied.append(str(atom))
            return False
        return true

    result, records = play("ground_mem", liar(lie), problem(), planners)
    asked = [record.event for record in records if isinstance(record.event, Asked)]
    assert result.success
    assert denied
    assert {(event.step, event.phase) for event in asked if event.reminded} == {(1, "enumeration"), (1, "precondition")}


def test_without_memory_nobody_is_reminded(planners: Pair) -> None:
    model = liar(lambda atom, true, request: True if request.place.startswith("enumeration") else not true)
    _, records = play("ground", model, problem(), planners)
    assert not any(record.event.reminded for record in records if isinstance(record.event, Asked))


def test_every_called_off_action_leads_to_a_new_belief_and_plan(planners: Pair) -> None:
    def lie(atom: Atom, true: bool, request: Request) -> bool:
        return not true if request.place in ("precondition 0", "precondition 2") else true

    result, records = play("ground", liar(lie), problem(), planners)
    kinds = [type(record.event) for record in records if isinstance(record.event, CalledOff | Replanned | Planned)]
    assert kinds == [Planned, CalledOff, Replanned, Planned, CalledOff, Replanned, Planned]
    assert result.success


def test_the_official_loop_rule_fires_even_if_the_first_attempt_had_succeeded(planners: Pair) -> None:
    """A misjudged effect makes the agent repeat a move that worked; only the original gives up at that."""
    start, goal = (("r",), ("g",), ("b",), ()), ((), ("g",), ("b",), ("r",))

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        if request.place in ("effect 1", "enumeration 1", "precondition 1"):
            return {"incolumn r,c1": True, "incolumn r,c4": False}.get(str(atom), true)
        return true

    official, _ = play("ground", liar(lie), load_with(start, goal), planners, conduct=Conduct.OFFICIAL)
    mended, _ = play("ground", liar(lie), load_with(start, goal), planners, conduct=Conduct.MENDED)
    assert official.reason == "loop"
    assert mended.reason == "finished"


BURIED = (("r", "g"), (), ("b",), ()), (("g",), ("r",), ("b",), ())


@pytest.mark.parametrize(
    ("conduct", "reason", "attempts"),
    [(Conduct.OFFICIAL, "loop", 2), (Conduct.MENDED, "loop", 2), (Conduct.PATIENT, "step_limit", 20)],
)
def test_who_is_patient_tries_what_was_refused_until_the_steps_are_used_up(
    conduct: Conduct, reason: str, attempts: int, planners: Pair
) -> None:
    def lie(atom: Atom, true: bool, request: Request) -> bool:
        return {"clear r": True, "on g,r": False}.get(str(atom), true)

    result, records = play("ground", liar(lie), load_with(*BURIED), planners, conduct=conduct)
    acted = [record.event.outcome for record in records if isinstance(record.event, Acted)]
    assert (result.reason, acted) == (reason, ["not legal"] * attempts)


@pytest.mark.parametrize(("conduct", "attempts"), [(Conduct.OFFICIAL, 1), (Conduct.MENDED, 2)])
def test_an_action_that_was_called_off_counts_as_a_first_attempt_only_for_the_original(
    conduct: Conduct, attempts: int, planners: Pair
) -> None:
    def lie(atom: Atom, true: bool, request: Request) -> bool:
        if request.place == "precondition 0":
            return true
        return {"clear r": True, "on g,r": False}.get(str(atom), true)

    result, records = play("ground", liar(lie), load_with(*BURIED), planners, conduct=conduct)
    tried = [type(record.event) for record in records if isinstance(record.event, Acted | CalledOff)]
    assert result.reason == "loop"
    assert tried == [CalledOff, *[Acted] * attempts]


def load_with(start: tuple[tuple[str, ...], ...], goal: tuple[tuple[str, ...], ...]) -> BlocksProblem:
    """A problem from arrangements."""
    columns = tuple(f"c{number}" for number in range(1, len(start) + 1))
    blocks = sorted(block for stack in start for block in stack)
    types = {**dict.fromkeys(blocks, "block"), **dict.fromkeys(columns, "column")}
    return BlocksProblem("made", "simple", domain().objects(types), columns, start, goal_of(goal, columns))
