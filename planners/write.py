"""Writes domains and tasks as PDDL."""

from __future__ import annotations

from collections import defaultdict

from planners.formula import TRUE, And, Exists, ForAll, Formula, Holds, Not, Or, Same, Variable
from planners.task import Action, Domain, Effect, Task


def problem_text(task: Task, *, init: bool = True) -> str:
    """The task as a PDDL problem, optionally without its facts. The same task always gives the same text.

    Objects are in the order of declaration and facts in alphabetical order, so that a planner that
    breaks ties by input order returns the same plan every time.
    """
    facts = sorted(task.init) if init else []
    lines = (f"({' '.join((atom.predicate, *atom.args))})" for atom in facts)
    return (
        f"(define (problem task) (:domain {task.domain.name})\n"
        f"(:objects {_objects(task)})\n"
        f"(:init {' '.join(lines)})\n"
        f"(:goal {formula_text(task.goal)}))\n"
    )


def domain_text(domain: Domain) -> str:
    """The domain as PDDL, made from its parts; reading it gives the same parts."""
    types = " ".join(f"{kind} - {parent}" for kind, parent in domain.parents.items())
    constants = " ".join(f"{name} - {kind}" for name, kind in domain.constants.items())
    predicates = "\n".join(f"  ({name} {_variables(terms)})" for name, terms in domain.predicates.items())
    return (
        f"(define (domain {domain.name})\n"
        "(:requirements :adl)\n"
        f"(:types {types})\n"
        f"(:constants {constants})\n"
        f"(:predicates\n{predicates})\n"
        f"{''.join(map(_action, domain.actions.values()))})\n"
    )


def _action(action: Action) -> str:
    scope = _names(action.parameters)
    effects = " ".join(_effect(effect, scope) for effect in action.effects)
    return (
        f"(:action {action.name}\n"
        f"  :parameters ({_variables(action.parameters)})\n"
        f"  :precondition {formula_text(action.precondition, scope)}\n"
        f"  :effect (and {effects}))\n"
    )


def _effect(effect: Effect, scope: frozenset[str]) -> str:
    inner = scope | _names(effect.variables)
    fact = formula_text(Holds(effect.predicate, effect.terms), inner)
    text = fact if effect.value else f"(not {fact})"
    if effect.condition != TRUE:
        text = f"(when {formula_text(effect.condition, inner)} {text})"
    return f"(forall ({_variables(effect.variables)}) {text})" if effect.variables else text


def formula_text(formula: Formula, scope: frozenset[str] = frozenset()) -> str:
    """The formula as PDDL; names in `scope` are variables and get their question mark."""
    match formula:
        case Holds(predicate, terms):
            return f"({' '.join((predicate, *(_term(term, scope) for term in terms)))})"
        case Same(left, right):
            return f"(= {_term(left, scope)} {_term(right, scope)})"
        case Not(body):
            return f"(not {formula_text(body, scope)})"
        case And(parts):
            return f"(and {' '.join(formula_text(part, scope) for part in parts)})"
        case Or(parts):
            return f"(or {' '.join(formula_text(part, scope) for part in parts)})"
        case ForAll(variables, body):
            return f"(forall ({_variables(variables)}) {formula_text(body, scope | _names(variables))})"
        case Exists(variables, body):
            return f"(exists ({_variables(variables)}) {formula_text(body, scope | _names(variables))})"


def _objects(task: Task) -> str:
    """Objects grouped by type, without constants, which the domain declares."""
    groups: dict[str, list[str]] = defaultdict(list)
    for name, kind in task.objects.items():
        if name not in task.domain.constants:
            groups[kind].append(name)
    return " ".join(f"{' '.join(names)} - {kind}" for kind, names in groups.items())


def _term(term: str, scope: frozenset[str]) -> str:
    return f"?{term}" if term in scope else term


def _variables(variables: tuple[Variable, ...]) -> str:
    return " ".join(f"?{variable.name} - {variable.type}" for variable in variables)


def _names(variables: tuple[Variable, ...]) -> frozenset[str]:
    return frozenset(variable.name for variable in variables)
