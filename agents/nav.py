"""`ground_nav`: find out by yes/no questions what each view shows, and plan over the views with a symbolic planner.

First the model says which options the task needs. In every new view it chooses what to do about the next one, or says
that the view does not help, as in `map`; and it is asked about each later one: does the view show what this is for? The
answers make a belief over views, which failures lower and confirmations raise. Fast Downward plans over the known
views: walk to where an option is most likely possible, use it, and so on in the order of the options. Where nothing
needed has been seen, the agent explores like `map`. A question is answered as soon as the model says that everything it
needs has been seen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, Needs, go
from agents.explore import ANSWER, BACK, ELSEWHERE, MOVES, moves_of
from memory.places import Places
from models.base import Kind
from planners.formula import And, Atom, Holds
from planners.task import Domain, Task
from tools.base import gathered
from tools.events import Reason
from tools.worlds import OptionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

GOAL, READY = "the goal", "all that the answer needs"
"""What the agent looks for where the task has no options of its own, or only answers."""
EVIDENCE = math.log(0.85 / 0.15)
"""The weight of a yes or no in log-odds: answers are assumed to be right 85 times in 100."""
FAILED = 2.5
"""How much a failed attempt lowers the belief that a view is good for an option."""


class NavState(TypedDict, total=False):
    """The map, the belief about each view and option, the needed options, and those of them that are done."""

    places: Places
    view: str
    came: str | None
    needed: tuple[str, ...]
    done: frozenset[str]
    belief: Mapping[tuple[str, str], float]
    option: str


@cache
def views_domain() -> Domain:
    """The domain of walking between known views and using options in them."""
    from planners.pddl import read_domain

    return read_domain(Path(__file__).parent / "nav.pddl")


@dataclass(frozen=True)
class Navigator:
    """Ask what the task needs, then look, ask, plan and act in turns."""

    async def need(self, state: NavState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Find out which options the task needs."""
        tools = runtime.context
        own = [option for option in tools.options() if option not in MOVES and not option.startswith("look ")]
        places = NavState(places=Places(BACK), done=frozenset(), belief={})
        if not own or all(option.startswith(ANSWER) for option in own):
            return go("look", NavState(**places, needed=(READY if own else GOAL,)))
        listed = "\n".join(f"{chr(ord('A') + place)}. {option}" for place, option in enumerate(own))
        seen = await tools.look()
        reading = await tools.ask(
            f"{tools.env.description}\n\nYour task: {tools.env.goal_text}\n\nWhich of these will you have to do? "
            f"List their letters in the order in which you will do them.\n\n{listed}",
            kind=Kind.CHOICES,
            pictures=seen.pictures,
            options=own,
            about="needed",
            phase="need",
        )
        chosen = reading.value if isinstance(reading.value, tuple) else ()
        needed = tuple(own[ord(letter) - ord("A")] for letter in chosen) or tuple(own)
        return go("look", NavState(**places, needed=needed))

    async def look(self, state: NavState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Put the present view on the map."""
        tools, places, move = runtime.context, state["places"], state.get("came")
        picture, view = await tools.view(), state.get("view")
        moves = moves_of(tools.options())
        if view is None or move is not None:
            view = places.arrive(picture, moves, None if view is None or move is None else (view, move))
        else:
            places.stay(view, picture, moves)
        return go("ask", NavState(view=view, came=None))

    async def ask(self, state: NavState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Ask whether the view shows what is needed later; each pair of view and option once.

        A yes is confirmed with earlier pictures beside the view: to walk back for something that is not there costs
        more than a question. Whether the view helps with what is needed now is asked when an option is chosen.
        """
        tools, view, left = runtime.context, state["view"], _left(state)
        belief = dict(state["belief"])
        open_ = [name for name in left if (view, name) not in belief and (name == READY or name != left[0])]
        weights = dict(zip(open_, await gathered(self._shows(tools, name) for name in open_), strict=True))
        seen = [name for name, weight in weights.items() if weight > 0 and name != READY]
        second = await gathered(self._shows(tools, name, again=True) for name in seen)
        for name, weight in zip(seen, second, strict=True):
            weights[name] += weight
        belief.update({(view, name): weight for name, weight in weights.items()})
        return go("plan", NavState(belief=belief))

    async def _shows(self, tools: OptionTools, name: str, *, again: bool = False) -> float:
        """The evidence, in log-odds, that the present view is good for something."""
        seen = await tools.look()
        wanted = {
            READY: "Taking all pictures together, have you seen everything that you need in order to answer?",
        }.get(name, f'Does the last picture show what you need in order to "{name}"?')
        pictures = (*tools.earlier(), *seen.pictures) if again or name == READY else seen.pictures
        reading = await tools.ask(
            f"Your task: {tools.env.goal_text}\n\n{wanted} Answer with yes or no.",
            kind=Kind.YES_NO,
            pictures=pictures,
            about=f"shows {name}",
            phase="view",
            max_tokens=16,
        )
        if reading.probability is not None:
            share = min(max(reading.probability, 0.02), 0.98)
            return math.log(share / (1 - share))
        return 0.0 if reading.value is None else EVIDENCE if reading.value else -EVIDENCE

    async def plan(self, state: NavState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Use what the view is good for, walk to where something needed has been seen, or explore."""
        tools, view, left = runtime.context, state["view"], _left(state)
        name = left[0] if left else state["needed"][-1]
        known = state["belief"].get((view, name))
        if known is None or known > 0:
            return await self._here(state, name, tools)
        way = await self._way(state, left or (name,), tools)
        if way is None:
            way = state["places"].explore(view)
        if way is not None:
            return go("act", NavState(option=way[0]))
        # There is nothing to explore, so an answer must have been wrong: ask about all other views again.
        way = state["places"].way(view, lambda other: other != view)
        if way is None:
            tools.end(Reason.NO_PLAN, "there is nowhere to go from here, and nothing here helps")
            return go(END)
        belief = {pair: weight for pair, weight in state["belief"].items() if pair[0] == view}
        return go("act", NavState(option=way[0], belief=belief))

    async def _here(self, state: NavState, name: str, tools: OptionTools) -> Command[str]:
        """Do what the present view is believed to allow."""
        if name == READY:
            answers = [option for option in tools.options() if option.startswith(ANSWER)]
            reading = await tools.choose(
                f"{tools.env.description}\n\nYour task: {tools.env.goal_text}\n\nYou have seen all that you need. "
                "Choose the answer. Reply with Choice: [number].",
                options=answers,
            )
            if reading.value is None:
                tools.end(Reason.TRUNCATED if reading.truncated else Reason.UNREADABLE, reading.fault)
                return go(END)
            return go("act", NavState(option=str(reading.value)))
        choice = await tools.choose(
            f"{tools.env.description}\n\nYour task: {tools.env.goal_text}\n\nWhat you want to do now is: {name}. "
            "Choose the option that does it, or that takes you nearer. Choose the last one if this view does not help. "
            "Reply with Choice: [number].",
            options=(*tools.options(), ELSEWHERE),
        )
        if choice.value is None:
            tools.end(Reason.TRUNCATED if choice.truncated else Reason.UNREADABLE, choice.fault)
            return go(END)
        if choice.value == ELSEWHERE:
            return go("plan", NavState(belief={**state["belief"], (state["view"], name): -FAILED}))
        if choice.value not in MOVES:
            return go("act", NavState(option=str(choice.value)))
        # The agent moves closer, so coming back to this view would not help.
        belief = {**state["belief"], (state["view"], name): -EVIDENCE}
        return go("act", NavState(option=str(choice.value), belief=belief))

    async def _way(self, state: NavState, left: tuple[str, ...], tools: OptionTools) -> tuple[str, ...] | None:
        """The moves to where the next option is possible, from a plan for all options whose place is known."""
        places, belief = state["places"], state["belief"]
        seen = []
        for name in left:
            if not any(weight > 0 for (_, other), weight in belief.items() if other == name):
                break
            seen.append(name)
        if not seen:
            return None
        outcome = await tools.solve(_task(places, belief, state["view"], tuple(seen)))
        if not outcome.solved:
            return None
        moves: list[str] = []
        views = _names(places)
        for step in outcome.plan:
            if step.action != "go":
                break
            start, end = (views[int(arg[1:])] for arg in step.args)
            moves.append(next(move for (one, move), other in places.edges.items() if (one, other) == (start, end)))
        return tuple(moves) or None

    async def act(self, state: NavState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Carry out the option. A failure lowers the belief in the view; after the first one the agent walks closer."""
        tools, option, view = runtime.context, state["option"], state["view"]
        stepped = tools.act(option)
        if tools.over or tools.spent:
            tools.end(Reason.FINISHED if tools.over else Reason.STEP_LIMIT, announced=tools.over)
            return go(END)
        if option in MOVES:
            return go("look", NavState(came=option))
        if stepped.outcome == "executed":
            # What did not help before may help now.
            kept = {pair: weight for pair, weight in state["belief"].items() if weight > 0}
            return go("look", NavState(done=state["done"] | {option}, belief=kept, came=None))
        belief = {**state["belief"], (view, option): state["belief"].get((view, option), 0.0) - FAILED}
        return go("look", NavState(belief=belief, came=None))

    def graph(self) -> Graph:
        """Run `need` once; then look, ask, plan and act until the world ends the task or the steps are used up."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(NavState, context_schema=OptionTools)
        graph.add_node("need", self.need, destinations=("look",))
        graph.add_node("look", self.look, destinations=("ask",))
        graph.add_node("ask", self.ask, destinations=("plan",))
        graph.add_node("plan", self.plan, destinations=("act", "plan", END))
        graph.add_node("act", self.act, destinations=("look", END))
        graph.add_edge(START, "need")
        return graph.compile()


def _left(state: NavState) -> tuple[str, ...]:
    """The needed options that are not done yet, in their order."""
    return tuple(name for name in dict.fromkeys(state["needed"]) if name not in state["done"])


def _names(places: Places) -> list[str]:
    """The views in the order in which they were first seen."""
    return list(places.moves)


def _task(places: Places, belief: Mapping[tuple[str, str], float], view: str, wanted: tuple[str, ...]) -> Task:
    """The PDDL task: use the wanted options in their order, each in a view that is believed to show it."""
    domain, views = views_domain(), _names(places)
    number = {name: f"v{place}" for place, name in enumerate(views)}
    options = {f"o{place}": name for place, name in enumerate(wanted)}
    init = {Atom("at", (number[view],)), Atom("turn_of", ("o0",))}
    init |= {Atom("leads", (number[start], number[end])) for (start, _), end in places.edges.items() if start != end}
    init |= {Atom("before", (f"o{place}", f"o{place + 1}")) for place in range(len(wanted) - 1)}
    for short, name in options.items():
        init |= {
            Atom("shows", (number[where], short))
            for (where, other), weight in belief.items()
            if other == name and weight > 0
        }
    objects = domain.objects({**dict.fromkeys(number.values(), "view"), **dict.fromkeys(options, "option")})

    goal = And(tuple(Holds("did", (short,)) for short in options))
    return Task(domain, objects, frozenset(init), goal)


AGENTS = (
    Agent(
        "ground_nav",
        "worlds of options: yes/no questions about each view, a belief over views, and plans in PDDL",
        Navigator().graph,
        "planner",
        needs=Needs.OPTIONS,
        asks=(Kind.YES_NO, Kind.CHOICES, Kind.CHOICE),
    ),
)
