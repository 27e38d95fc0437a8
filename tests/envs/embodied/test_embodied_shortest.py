"""The expert's search agrees with a planner: Fast Downward finds no shorter way in tasks of navigation."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from math import hypot
from pathlib import Path

import pytest

from envs.embodied.model import CATEGORIES, Check, Task
from envs.embodied.rules import AT, NEAR, Rules
from envs.embodied.scenes import scene, viewer
from envs.embodied.tasks import tasks
from planners import get_planner
from planners import task as planning
from planners.formula import And, Atom, Holds
from planners.pddl import read_domain

# One leaves the last view for good, so that all places have to be passed before.
DOMAIN = """(define (domain walks) (:requirements :strips :typing) (:types view spot)
  (:predicates (at ?v - view) (leads ?v ?w - view) (near ?v - view ?s - spot) (passed ?s - spot) (last ?v - view)
    (over))
  (:action go :parameters (?v ?w - view) :precondition (and (at ?v) (leads ?v ?w)) :effect (and (at ?w) (not (at ?v))))
  (:action note :parameters (?v - view ?s - spot) :precondition (and (at ?v) (near ?v ?s)) :effect (passed ?s))
  (:action end :parameters (?v - view) :precondition (and (at ?v) (last ?v)) :effect (and (over) (not (at ?v)))))"""
WALKS = [task for task in tasks() if CATEGORIES[task.category] == "navigation"]


def facts(task: Task, rules: Rules) -> Iterator[Atom]:
    """The graph of the scene, the views near the places to pass, and those in which the task may end."""
    graph, start = rules.scene.graph, rules.start()
    shut = rules.shut(start.moment)
    where = {name: place.position[:2] for name, place in rules.places.items()}
    final = [one for one in task.predicates if one.check in (Check.AGENT_AT, Check.AGENT_NEAR)]
    yield Atom("at", (f"v{task.start.point}_{task.start.heading}",))
    for number, point in enumerate(graph.points):
        away = {one: hypot(point.x - x, point.y - y) for one, (x, y) in where.items()}
        for heading in range(len(point.headings)):
            view = f"v{number}_{heading}"
            turned = [(number, graph.turned(number, heading, side)) for side in (1, -1)]
            for next_ in (graph.ahead(number, heading, shut), *turned):
                if next_ is not None and next_ != (number, heading):
                    yield Atom("leads", (view, f"v{next_[0]}_{next_[1]}"))
            for one in passing(task):
                if away[one] < AT:
                    yield Atom("near", (view, one))
            if all(away[one.place] < (AT if one.check is Check.AGENT_AT else NEAR) for one in final):
                yield Atom("last", (view,))


def passing(task: Task) -> list[str]:
    return [one.place for one in task.predicates if one.check is Check.AGENT_PASS]


@pytest.mark.parametrize("task", WALKS[4::15], ids=lambda task: task.id)
def test_a_planner_finds_no_shorter_way(task: Task, tmp_path: Path) -> None:
    (tmp_path / "walks.pddl").write_text(DOMAIN)
    domain = read_domain(tmp_path / "walks.pddl")
    init = frozenset(facts(task, Rules(task, scene(task.scene), viewer(task.scene))))
    views = {name for atom in init if atom.predicate == "leads" for name in atom.args}
    objects = domain.objects({**dict.fromkeys(sorted(views), "view"), **dict.fromkeys(passing(task), "spot")})
    goal = And((Holds("over", ()), *(Holds("passed", (one,)) for one in passing(task))))
    planner = get_planner("fd-opt")
    try:
        outcome = asyncio.run(planner.plan(planning.Task(domain, objects, init, goal), timeout=60.0))
    finally:
        planner.close()
    assert [step.action for step in outcome.plan].count("go") == task.steps
