"""Agents that know which states are legal: right with an oracle, and unmoved by single lies."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from agents.registry import all_agents
from envs.blocksworld.problems import SPLITS, BlocksProblem, atoms_of, files, load
from envs.blocksworld.world import SlipperyHand
from models.base import Request
from models.registry import load_model
from planners.formula import Atom
from planners.outcome import Planner
from tests.conftest import ROOT
from tests.playing import liar, play
from tools.events import Acted, Asked, CalledOff, Phase, Planned

NEW = ("ground_repair", "ground_lazy", "ground_belief")
Pair = tuple[Planner, Planner]


def problem(split: str = "simple", number: int = 0) -> BlocksProblem:
    return load(files(split)[number], split)


def count(records: list[object], kind: type) -> int:
    return sum(isinstance(getattr(record, "event", None), kind) for record in records)


@pytest.mark.parametrize("agent", NEW)
def test_reasoning_first_changes_nothing_for_an_oracle(agent: str, planners: Pair) -> None:
    result, _ = play(f"{agent}_cot", load_model("oracle"), problem(), planners)
    assert result.success, result


@pytest.mark.parametrize("agent", NEW)
@pytest.mark.parametrize("split", [*(pytest.param(split, marks=pytest.mark.slow) for split in SPLITS[:-1]), SPLITS[-1]])
def test_an_oracle_solves_the_first_problem(agent: str, split: str, planners: Pair) -> None:
    result, _ = play(agent, load_model("oracle"), problem(split), planners)
    assert result.success, result


@pytest.mark.slow
@pytest.mark.parametrize("agent", NEW)
def test_an_oracle_solves_all_75_problems(agent: str, planners: Pair) -> None:
    every = [problem(split, number) for split in SPLITS for number in range(len(files(split)))]
    results = [play(agent, load_model("oracle"), one, planners)[0] for one in every]
    assert all(result.success for result in results)


@pytest.mark.parametrize("agent", NEW)
def test_one_steady_lie_about_the_start_is_seen_through(agent: str, planners: Pair) -> None:
    """The lie that makes `ground` fail: a block is said to be free that is not."""
    one = problem()
    buried = next(stack[0] for stack in one.start if len(stack) > 1)

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        return True if atom == Atom("clear", (buried,)) else true

    result, records = play(agent, liar(lie), one, planners)
    assert result.success, result
    assert all(record.event.outcome == "executed" for record in records if isinstance(record.event, Acted))
    assert count(list(records), CalledOff) == 0


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["ground_lazy", "ground_belief"])
def test_it_asks_a_quarter_less_than_ground_asks(agent: str, planners: Pair) -> None:
    for split in SPLITS:
        asked = {
            name: count(list(play(name, load_model("oracle"), problem(split), planners)[1]), Asked)
            for name in ("ground", agent)
        }
        assert asked[agent] * 4 <= asked["ground"] * 3, (split, asked)


@pytest.mark.parametrize("agent", NEW)
def test_an_action_that_was_refused_is_not_tried_again(agent: str, planners: Pair) -> None:
    """With every answer a no, only the world can say where the blocks are."""
    _, records = play(agent, liar(lambda atom, true, request: False), problem(), planners)
    acted = [record.event for record in records if isinstance(record.event, Acted)]
    refused: set[str] = set()
    for event in acted:
        assert event.action not in refused
        refused = refused | {event.action} if event.outcome == "not legal" else set()
    assert acted


def test_nothing_is_asked_twice_of_one_picture(planners: Pair) -> None:
    """What the world refuses changes nothing to be seen: the answers are kept."""
    _, records = play("ground_repair", load_model("sim:phi-4-multimodal"), problem("medium"), planners)
    asked: set[str] = set()
    refused = 0
    for record in records:
        event = record.event
        if isinstance(event, Acted):
            refused += event.outcome == "not legal"
            asked = set() if event.outcome == "executed" else asked
        elif isinstance(event, Asked) and event.phase is Phase.ENUMERATION:
            assert event.about not in asked
            asked.add(event.about)
    assert refused


def test_answers_count_by_how_often_they_are_known_to_be_wrong(tmp_path: Path, planners: Pair) -> None:
    """Who is always wrong about `on` tells as much as who is always right, to one who knows."""
    file = tmp_path / "knowing.py"
    file.write_text(
        "from agents.repair import Repairer\n"
        "from memory.rates import Rates, Wrong\n"
        "build = Repairer(rates=Rates(known={'on': Wrong(0.99, 0.99)})).graph\n"
    )
    one = problem("medium")

    def lie(atom: Atom, true: bool, request: Request) -> bool:
        return not true if atom.predicate == "on" else true

    def first_belief(agent: str) -> set[str]:
        _, records = play(agent, liar(lie), one, planners)
        told = next(record.event.belief for record in records if isinstance(record.event, Planned))
        return {text for text in told if text.startswith("on ")}

    true = {str(atom) for atom in atoms_of(one.start, one.columns) if atom.predicate == "on"}
    assert first_belief(f"{file}:build") == true != first_belief("ground_repair")


def test_lazy_asks_nothing_that_never_matters(planners: Pair) -> None:
    _, records = play("ground_lazy", load_model("oracle"), problem("hard"), planners)
    asked = [record.event.about for record in records if isinstance(record.event, Asked)]
    assert not any(atom.startswith(("leftof", "rightof")) for atom in asked)


@pytest.mark.parametrize("agent", NEW)
def test_slips_are_noticed(agent: str, planners: Pair) -> None:
    results = [
        play(agent, load_model("oracle"), problem("medium", number), planners, chance=SlipperyHand(0.2, number))[0]
        for number in range(2)
    ]
    assert all(result.success for result in results), results


@pytest.mark.parametrize("agent", NEW)
def test_every_planned_state_is_legal(agent: str, planners: Pair) -> None:
    _, records = play(agent, load_model("sim:gpt-4.1"), problem("medium"), planners)
    plans = [record.event for record in records if isinstance(record.event, Planned)]
    blocks = problem("medium").objects.of_type("block")
    for planned in plans:
        placed = sorted(Atom.parse(text).args[0] for text in planned.belief if text.startswith("incolumn"))
        assert placed == sorted(blocks)


@pytest.mark.parametrize("agent", [*NEW, "hybrid"])
def test_the_diagram_of_the_page_is_the_graph(agent: str) -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    (shown,) = re.findall(rf"^```mermaid {agent}\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
    assert all_agents()[agent].build().get_graph().draw_mermaid().strip() == shown.strip()
