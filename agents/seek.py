"""How `ground_belief` acts where it has to look: it finds things, and sees for itself what came of its attempts.

The world tells neither where things are nor whether an attempt worked (`envs.base.Search`). The agent believes a
probability for each place of each hidden thing (`memory.whereabouts`). It plans for that part of the goal whose things
were in view; when that part holds, it looks for the others where this is most worth its steps. After each attempt it
asks what is in view, then about the effects and what the plan needs next. When the goal is believed to hold it drives
once more to things whose facts are still in doubt, asks about them, and then claims to be done.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, go
from agents.ground import unreadable
from envs.base import Observation, Outcome, Search, search_of
from memory.whereabouts import FLOOR, GLANCE, Whereabouts
from planners.formula import Atom, Literal, conjunction, literals
from planners.task import Step, Task
from tools.events import Phase, Reason
from tools.toolbox import Toolbox

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

DRIVE, OPEN = "navigate-to", "open-container"
COVERED = 0.3
"""How often driving up to a thing helps to see it that was not seen where it may lie."""
CHECKS = 2
"""How often the agent drives to a thing just to see whether the goal holds."""
LOST = 2
"""After so many drives to a thing that did not bring it within reach, it counts as never seen."""


class SeekState(TypedDict, total=False):
    """What is believed, the last step with the effects it should have had, and how often drives were in vain."""

    where: Whereabouts
    plan: tuple[Step, ...]
    last: Step | None
    expected: tuple[Literal, ...]
    vain: Mapping[str, int]
    checked: Mapping[str, int]


@dataclass(frozen=True)
class Seeker:
    """The nodes for a world that has to be searched.

    `doubt` is the chance above which a fact is worth a question; `certainty` is how sure the agent wants to be of each
    fact of the goal before it claims to be done.
    """

    cot: bool = False
    doubt: float = 0.02
    certainty: float = 0.9

    async def perceive(self, state: SeekState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Ask what is in view, and about the effects of the last step."""
        tools = runtime.context
        search = search_of(tools.env)
        assert search is not None
        belief = state.get("where") or Whereabouts.blank(search, tools.env.domain, tools.env.objects)
        seen, last = await tools.look(), state.get("last")
        visible = seen.visible or frozenset()
        asked = [fact.atom for fact in state.get("expected", ()) if worth_asking(fact.atom, seen)]
        if last is not None and last.action == DRIVE:
            asked += [atom for atom in belief.places.get(last.args[0], {}) if worth_asking(atom, seen)]
        answers = await tools.query(dict.fromkeys(asked), phase=Phase.EFFECT, cot=self.cot)
        if unreadable(answers, tools):
            return go(END)
        belief = belief.with_answers({answer.atom: answer.yes for answer in answers})
        belief = belief.looked(visible, here(belief), looked_round(last, search))
        belief, vain = self.after_drive(belief, last, state.get("vain", {}))
        return go("intend", SeekState(where=belief, vain=vain))

    def after_drive(
        self, belief: Whereabouts, last: Step | None, vain: Mapping[str, int]
    ) -> tuple[Whereabouts, Mapping[str, int]]:
        """Count drives to hidden things in vain; after a few the thing was not seen after all."""
        if last is None or last.action != DRIVE or last.args[0] not in belief.places:
            return belief, vain
        name = last.args[0]
        if belief.likely(Atom("reachable", (name,))) > 0.5:
            return belief, {**vain, name: 0}
        count = vain.get(name, 0) + 1
        return (belief.lost(name), {**vain, name: 0}) if count >= LOST else (belief, {**vain, name: count})

    async def intend(self, state: SeekState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Plan, ask what the plan's next step needs, and decide on a step; claim to be done if nothing is left."""
        tools, belief = runtime.context, state["where"]
        seen = await tools.look()
        plan = await self.planned(belief, state.get("plan", ()), tools)
        if plan is None:
            tools.end(Reason.NO_PLAN, "there is no plan, wherever things may be")
            return go(END)
        doubted = [atom for atom in self.doubts(plan, belief, tools) if worth_asking(atom, seen)]
        doubted = [atom for atom in doubted if atom not in belief.answers]
        if doubted:
            answers = await tools.query(doubted, phase=Phase.FREE, cot=self.cot)
            if unreadable(answers, tools):
                return go(END)
            belief = belief.with_answers({answer.atom: answer.yes for answer in answers})
            return go("intend", SeekState(where=belief, plan=plan))
        doubtful = None if plan else self.to_check(belief, state.get("checked", {}), tools)
        if doubtful is not None:
            checked = {**state.get("checked", {}), doubtful: state.get("checked", {}).get(doubtful, 0) + 1}
            plan = (Step(DRIVE, (doubtful,)),)
            return go("attempt", SeekState(plan=plan, checked=checked))
        if not plan:
            chance = belief.chance(tools.env.goal)
            tools.end(Reason.FINISHED, f"the goal is believed to hold with probability {chance:.2f}")
            return go(END)
        if tools.spent:
            tools.end(Reason.STEP_LIMIT)
            return go(END)
        return go("attempt", SeekState(plan=plan))

    async def planned(self, belief: Whereabouts, old: tuple[Step, ...], tools: Toolbox) -> tuple[Step, ...] | None:
        """A plan for that part of the goal whose things were in view; then a step that looks for the others.

        None if there is no plan. An old one is kept as long as it works: another may undo its first steps.
        """
        env = tools.env
        wanted = tuple(literals(env.goal, env.objects))
        hidden = {name for fact in wanted for name in fact.atom.args if not belief.is_found(name)}
        part = conjunction(tuple(fact for fact in wanted if not hidden & {*fact.atom.args}))
        task = Task(env.domain, env.objects, belief.state, part)
        if task.solved(task.init):
            return (looking_for(sorted(hidden), belief),) if hidden else ()
        if old and task.fault(old) is None:
            return old
        outcome = await tools.solve(task)
        return outcome.plan if outcome.solved else None

    def to_check(self, belief: Whereabouts, checked: Mapping[str, int], tools: Toolbox) -> str | None:
        """A thing to drive to, because a fact of the goal about it is not certain enough; None if there is none."""
        if tools.spent:
            return None
        for atom, value in literals(tools.env.goal, tools.env.objects):
            chance = belief.likely(atom) if value else 1 - belief.likely(atom)
            name = atom.args[0]
            if chance < self.certainty and not belief.near(name) and checked.get(name, 0) < CHECKS:
                return name
        return None

    def doubts(self, plan: tuple[Step, ...], belief: Whereabouts, tools: Toolbox) -> list[Atom]:
        """The facts that the next step needs, or of the goal if nothing is left to do, as far as they are open."""
        env = tools.env
        wanted = env.domain.ground(plan[0], env.objects).preconditions() if plan else literals(env.goal, env.objects)
        drive = bool(plan) and plan[0].action == DRIVE
        facts = (fact.atom for fact in wanted if not drive or fact.atom.predicate == "reachable")
        return [atom for atom in dict.fromkeys(facts) if self.doubt < belief.likely(atom) < 1 - self.doubt or not plan]

    async def attempt(self, state: SeekState, runtime: Runtime[Toolbox]) -> Command[str]:
        """Attempt the next step of the plan, or look for the thing that it is about."""
        tools, belief = runtime.context, state["where"]
        step, *rest = state["plan"]
        action = tools.env.domain.ground(step, tools.env.objects)
        expected = tuple(fact for fact in action.effects(belief.state) if concerns(fact, step))
        outcome = tools.act(step).outcome
        legal = outcome not in (Outcome.NOT_LEGAL, Outcome.UNKNOWN_ACTION, Outcome.BAD_PARAMETERS)
        update = SeekState(where=belief.attempted(step, legal=legal), plan=tuple(rest), last=step, expected=expected)
        return go("perceive", update)


def worth_asking(atom: Atom, seen: Observation) -> bool:
    """Whether a fact can be seen now."""
    return seen.shows(atom) and atom.predicate not in (FLOOR, "elsewhere")


def concerns(fact: Literal, step: Step) -> bool:
    """Whether an effect is about the step itself: what it brings, and what it takes from its first argument."""
    return fact.value or (fact.atom.predicate in ("open", "holding") and fact.atom.args[:1] == step.args[:1])


def here(belief: Whereabouts) -> frozenset[Atom]:
    """The places that one looks at: on what is within reach, and in it if it is open."""

    def likely(predicate: str, name: str) -> bool:
        return belief.likely(Atom(predicate, (name,))) > 0.5

    return frozenset(
        place
        for held in belief.places.values()
        for place in held
        if place.predicate in ("ontop", "inside") and likely("reachable", place.args[1])
        if place.predicate == "ontop" or likely("open", place.args[1])
    )


def looked_round(last: Step | None, search: Search) -> str | None:
    """The part of the world that the last step looked round."""
    return next((name for name, step in search.lookouts.items() if step == last), None)


def looking_for(names: Sequence[str], belief: Whereabouts) -> Step:
    """The step of the search that is most worth its steps: how much of what is sought it may show, by what it costs."""
    options = {step: worth for step, worth in search_steps(names, belief) if worth > 0}
    return max(sorted(options), key=options.__getitem__)


def search_steps(names: Sequence[str], belief: Whereabouts) -> Iterator[tuple[Step, float]]:
    """Steps that may show one of the things, with their worth."""
    search = belief.search
    furniture = {place.args[1] for name in names for place in search.places[name]}
    for room, step in search.lookouts.items():
        tops = (belief.weight(names, "ontop", name) for name in furniture if search.rooms.get(name) == room)
        yield step, belief.weight(names, FLOOR, room) + GLANCE * sum(tops)
    for name in sorted(furniture):
        top, within = belief.weight(names, "ontop", name), belief.weight(names, "inside", name)
        if not belief.near(name):
            yield Step(DRIVE, (name,)), max(top + within, 0.0) if belief.opened(name) else max(top, (top + within) / 2)
        elif not belief.opened(name) and within:
            yield Step(OPEN, (name,)), within
        else:
            # It may lie there, hidden by something else: drive up to it.
            yield from ((Step(DRIVE, (one,)), COVERED * belief.weight([one], "inside", name)) for one in names)
