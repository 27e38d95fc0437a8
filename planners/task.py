"""Domains, actions and tasks with the semantics of PDDL, and the validation of plans."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from planners.formula import TRUE, Atom, Binding, Formula, Literal, Objects, State, Variable, holds, literals
from planners.steps import Step as Step


@dataclass(frozen=True, slots=True)
class Effect:
    """An effect that makes an atom true or false, with a condition and quantified variables."""

    predicate: str
    terms: tuple[str, ...]
    value: bool
    condition: Formula = TRUE
    variables: tuple[Variable, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """An action schema."""

    name: str
    parameters: tuple[Variable, ...]
    precondition: Formula
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Domain:
    """A parsed PDDL domain.

    `text` is the PDDL source, the input of Fast Downward and part of cache keys. `axioms` is a formula that
    holds in every state of the world without following from the actions; None if there is none.
    """

    name: str
    text: str
    parents: Mapping[str, str]
    predicates: Mapping[str, tuple[Variable, ...]]
    actions: Mapping[str, Action]
    constants: Mapping[str, str] = field(default_factory=dict)
    axioms: Formula | None = None

    def objects(self, types: Mapping[str, str]) -> Objects:
        """The objects of a problem of this domain; the domain's constants come first."""
        return Objects({**self.constants, **types}, self.parents)

    def atoms(self, objects: Objects) -> Iterator[Atom]:
        """Every well-typed ground atom, reflexive ones included, predicate by predicate."""
        for predicate, variables in self.predicates.items():
            for binding in objects.bindings(variables):
                yield Atom(predicate, tuple(binding.values()))

    def check(self, step: Step, objects: Objects) -> str | None:
        """Why the step is invalid in this domain; None if it is valid."""
        action = self.actions.get(step.action)
        if action is None:
            return f"no action {step.action!r}; actions: {', '.join(self.actions)}"
        if len(step.args) != len(action.parameters):
            return f"{step.action} takes {len(action.parameters)} arguments, not {len(step.args)}"
        for arg, parameter in zip(step.args, action.parameters, strict=True):
            if not objects.is_a(arg, parameter.type):
                return f"{arg!r} is not a {parameter.type}"
        return None

    def ground(self, step: Step, objects: Objects) -> GroundAction:
        """The action with its parameters bound; `ValueError` if the step is invalid."""
        problem = self.check(step, objects)
        if problem:
            raise ValueError(problem)
        action = self.actions[step.action]
        binding = {p.name: arg for p, arg in zip(action.parameters, step.args, strict=True)}
        return GroundAction(step, action, binding, objects)


@dataclass(frozen=True, slots=True)
class GroundAction:
    """An action whose parameters are bound to objects."""

    step: Step
    schema: Action
    binding: Binding
    objects: Objects

    def applicable(self, state: State) -> bool:
        """Whether the precondition holds."""
        return holds(self.schema.precondition, state, self.objects, self.binding)

    def preconditions(self) -> tuple[Literal, ...]:
        """The distinct literals of the precondition that can be asked, in the order of the domain."""
        return tuple(dict.fromkeys(literals(self.schema.precondition, self.objects, self.binding)))

    def effects(self, state: State) -> tuple[Literal, ...]:
        """The literals that the action sets in `state`, each atom once; add wins over delete."""
        values: dict[Atom, bool] = {}
        for effect in self.schema.effects:
            for more in self.objects.bindings(effect.variables):
                bound = {**self.binding, **more}
                if holds(effect.condition, state, self.objects, bound):
                    atom = Atom(effect.predicate, tuple(bound.get(term, term) for term in effect.terms))
                    values[atom] = effect.value or values.get(atom, False)
        return tuple(Literal(atom, value) for atom, value in values.items())

    def apply(self, state: State) -> State:
        """The state after the action; the precondition is not checked."""
        return updated(state, self.effects(state))


def updated(state: State, facts: tuple[Literal, ...]) -> State:
    """The state, updated with the values of the facts."""
    false = {fact.atom for fact in facts if not fact.value}
    return (state - false) | {fact.atom for fact in facts if fact.value}


@dataclass(frozen=True)
class Task:
    """A planning task: reach the goal from the initial state."""

    domain: Domain
    objects: Objects
    init: State
    goal: Formula

    def solved(self, state: State) -> bool:
        """Whether the goal holds in the state."""
        return holds(self.goal, state, self.objects)

    def states(self, plan: tuple[Step, ...]) -> list[State]:
        """The states along the plan, first and last included; `ValueError` if it cannot be executed."""
        state, path = self.init, [self.init]
        for number, step in enumerate(plan, 1):
            action = self.domain.ground(step, self.objects)
            if not action.applicable(state):
                raise ValueError(f"step {number}, {step}: the precondition does not hold")
            state = action.apply(state)
            path.append(state)
        return path

    def fault(self, plan: tuple[Step, ...]) -> str | None:
        """Why the plan does not solve the task, or None if it does."""
        try:
            last = self.states(plan)[-1]
        except ValueError as error:
            return str(error)
        return None if self.solved(last) else "the goal does not hold at the end"
