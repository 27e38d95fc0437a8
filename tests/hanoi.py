"""The towers of Hanoi: a world whose actions depend on facts that never change, with pictures of a few bytes."""

from __future__ import annotations

from typing import ClassVar

from envs.base import Observation, Outcome, Stepped
from planners.formula import Atom, State, holds
from planners.pddl import read_domain, read_problem
from planners.static import static_part
from planners.task import Step
from tests.small_worlds import Sketch

DOMAIN = read_domain("""
(define (domain hanoi)
  (:requirements :strips :typing)
  (:types disc peg - place)
  (:predicates (on ?d - disc ?p - place) (clear ?p - place) (smaller ?d - disc ?p - place))
  (:action move
    :parameters (?d - disc ?from ?to - place)
    :precondition (and (on ?d ?from) (clear ?d) (clear ?to) (smaller ?d ?to))
    :effect (and (on ?d ?to) (clear ?from) (not (on ?d ?from)) (not (clear ?to)))))
""")
PROBLEM = """
(define (problem three-discs)
  (:domain hanoi)
  (:objects small middle large - disc left centre right - peg)
  (:init
    (on small middle) (on middle large) (on large left) (clear small) (clear centre) (clear right)
    (smaller small middle) (smaller small large) (smaller middle large)
    (smaller small left) (smaller middle left) (smaller large left)
    (smaller small centre) (smaller middle centre) (smaller large centre)
    (smaller small right) (smaller middle right) (smaller large right))
  (:goal (and (on small middle) (on middle large) (on large right) CLEAR)))
"""
CLEAR = "(clear small) (clear left) (clear centre)"


class Hanoi:
    """Three discs to be moved from the left peg to the right one.

    The goal may leave open which discs are `clear`, and the static facts need not be `stated`.
    """

    name = "hanoi"
    domain = laws = DOMAIN
    goal_text = "All discs are on the right peg, the larger ones below."
    description = "The picture shows three pegs with discs on them."
    action_help = "There is one action, `move`, with the parameters `disc`, `from` and `to`."
    signatures: ClassVar = {"move": ("disc", "from", "to")}
    prior: State | None = None
    candid = False

    def __init__(self, *, clear: bool = True, stated: bool = True, told: bool = False) -> None:
        problem = read_problem(DOMAIN, PROBLEM.replace("CLEAR", CLEAR if clear else ""))
        self.objects, self.goal, self._state = problem.objects, problem.goal, problem.init
        self.prior = problem.init if told else None
        self.static = static_part(DOMAIN, problem.init) if stated else None
        self._happened = "nothing yet"

    def question(self, atom: Atom) -> str:
        return f"Is it so that {atom}?"

    def observe(self) -> Observation:
        return Observation(Sketch(str(sorted(self._state))))

    def step(self, step: Step) -> Stepped:
        if step.action not in DOMAIN.actions:
            return self._answer(Outcome.UNKNOWN_ACTION)
        if DOMAIN.check(step, self.objects):
            return self._answer(Outcome.BAD_PARAMETERS)
        action = DOMAIN.ground(step, self.objects)
        if not action.applicable(self._state):
            return self._answer(Outcome.NOT_LEGAL)
        self._state = action.apply(self._state)
        return self._answer(Outcome.EXECUTED)

    def truth(self) -> State:
        return self._state

    def happened(self) -> str:
        return self._happened

    def _answer(self, outcome: Outcome) -> Stepped:
        self._happened = "success" if outcome is Outcome.EXECUTED else str(outcome)
        return Stepped(outcome, holds(self.goal, self._state, self.objects))
