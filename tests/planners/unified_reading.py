"""Domains as unified-planning reads them, in our structures: what our own reader is held against."""

from __future__ import annotations

import warnings
from typing import Any

from planners.formula import TRUE, And, Exists, ForAll, Formula, Holds, Not, Or, Same, Variable
from planners.task import Action, Domain, Effect


def parse(text: str) -> Any:
    """The domain as a unified-planning problem without objects."""
    with warnings.catch_warnings():
        # Its reader calls pyparsing by names that pyparsing has deprecated.
        warnings.simplefilter("ignore", DeprecationWarning)
        from unified_planning.io import PDDLReader

        return PDDLReader().parse_problem_string(text)


def convert(problem: Any, text: str) -> Domain:
    """The domain as our structure."""
    constants = {item.name: item.type.name for item in problem.all_objects}
    return Domain(
        name=problem.name,
        text=text,
        parents=_parents(problem.user_types),
        predicates={fluent.name: _predicate(fluent) for fluent in problem.fluents},
        actions={action.name: Converter(constants).action(action) for action in problem.actions},
        constants=constants,
    )


def _parents(types: Any) -> dict[str, str]:
    # `object` is the root whether the domain names it or not.
    kinds = (kind for kind in types if kind.name != "object")
    return {kind.name: kind.father.name if kind.father else "object" for kind in kinds}


def _predicate(fluent: Any) -> tuple[Variable, ...]:
    if not fluent.type.is_bool_type():
        raise ValueError(f"{fluent.name} is a number; only predicates are supported")
    return tuple(Variable(parameter.name, parameter.type.name) for parameter in fluent.signature)


class Converter:
    """Converts expressions, keeping variables apart from constants that have the same name."""

    def __init__(self, constants: dict[str, str]) -> None:
        self._constants = constants

    def action(self, action: Any) -> Action:
        if not hasattr(action, "preconditions"):
            raise ValueError(f"{action.name} is a durative action; only instantaneous ones are supported")
        conditions = tuple(self.formula(condition) for condition in action.preconditions)
        return Action(
            action.name,
            tuple(self._variable(parameter) for parameter in action.parameters),
            conditions[0] if len(conditions) == 1 else And(conditions),
            tuple(self._effect(effect) for effect in action.effects),
        )

    def _effect(self, effect: Any) -> Effect:
        if not effect.value.is_bool_constant():
            raise ValueError(f"the effect {effect} is not about a predicate; numbers are not supported")
        target = self._holds(effect.fluent)
        condition = TRUE if effect.condition.is_true() else self.formula(effect.condition)
        variables = tuple(self._variable(variable) for variable in effect.forall)
        return Effect(target.predicate, target.terms, effect.value.is_true(), condition, variables)

    def formula(self, node: Any) -> Formula:
        parts = node.args
        if node.is_fluent_exp():
            return self._holds(node)
        if node.is_not():
            return Not(self.formula(parts[0]))
        if node.is_and():
            return And(tuple(map(self.formula, parts)))
        if node.is_or():
            return Or(tuple(map(self.formula, parts)))
        if node.is_implies():
            left = self.formula(parts[0])
            return Or((left.body if isinstance(left, Not) else Not(left), self.formula(parts[1])))
        if node.is_forall():
            return ForAll(tuple(map(self._variable, node.variables())), self.formula(parts[0]))
        if node.is_exists():
            return Exists(tuple(map(self._variable, node.variables())), self.formula(parts[0]))
        if node.is_equals():
            return Same(self._term(parts[0]), self._term(parts[1]))
        if node.is_bool_constant():
            return TRUE if node.is_true() else Or()
        raise ValueError(f"the condition {node} is not supported")

    def _holds(self, node: Any) -> Holds:
        return Holds(node.fluent().name, tuple(map(self._term, node.args)))

    def _term(self, node: Any) -> str:
        if node.is_object_exp():
            return str(node.object().name)
        return self._name(node.variable() if node.is_variable_exp() else node.parameter())

    def _variable(self, item: Any) -> Variable:
        return Variable(self._name(item), item.type.name)

    def _name(self, item: Any) -> str:
        name: str = item.name
        while name in self._constants:
            name += "_"
        return name
