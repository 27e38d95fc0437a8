"""Domains and tasks to plan in, small enough to read."""

from __future__ import annotations

from itertools import pairwise

from planners.formula import Atom, Literal, State, conjunction
from planners.pddl import read_domain
from planners.task import Domain, Step, Task

BLOCKS = """
; Upper case on purpose: PDDL is blind to it.
(define (domain blocksworld)
  (:requirements :strips :typing :negative-preconditions :conditional-effects :equality)
  (:types block column)
  (:predicates (on ?upper ?lower - block) (inColumn ?b - block ?c - column) (clear ?b - block)
               (rightOf ?c1 ?c2 - column) (leftOf ?c1 ?c2 - column))
  (:action moveBlock
    :parameters (?b - block ?to - column)
    :precondition (and (clear ?b) (not (inColumn ?b ?to)))
    :effect (and
      (clear ?b) (inColumn ?b ?to)
      (forall (?from - column) (when (inColumn ?b ?from) (not (inColumn ?b ?from))))
      (forall (?under - block) (and
        (when (on ?b ?under) (and (clear ?under) (not (on ?b ?under))))
        (when (and (clear ?under) (inColumn ?under ?to) (not (= ?under ?b)))
              (and (on ?b ?under) (not (clear ?under)))))))))
"""

HOUSE = """
(define (domain house)
  (:requirements :adl)
  (:types container movable - object  box - container)
  (:predicates (near ?o - object) (held ?m - movable) (open ?c - container) (in ?o - object ?c - container))
  (:action go
    :parameters (?o - object)
    :precondition (and (not (near ?o)) (forall (?c - container) (or (not (in ?o ?c)) (open ?c))))
    :effect (and (near ?o)
      (forall (?x - object) (when (not (= ?x ?o)) (not (near ?x))))
      (forall (?c - container ?x - object) (when (and (= ?c ?o) (open ?c) (in ?x ?c)) (near ?x)))))
  (:action take
    :parameters (?m - movable)
    :precondition (and (near ?m) (forall (?x - movable) (not (held ?x))))
    :effect (and (held ?m) (forall (?c - container) (when (in ?m ?c) (not (in ?m ?c))))))
  (:action put-in
    :parameters (?m - movable ?c - container)
    :precondition (and (held ?m) (near ?c) (open ?c))
    :effect (and (in ?m ?c) (not (held ?m))))
  (:action open-it
    :parameters (?c - container)
    :precondition (and (near ?c) (not (open ?c)) (not (exists (?x - movable) (held ?x))))
    :effect (and (open ?c) (forall (?o - object) (when (in ?o ?c) (near ?o)))))
  (:action shut
    :parameters (?c - container)
    :precondition (and (near ?c) (open ?c))
    :effect (and (not (open ?c)) (forall (?o - object) (when (in ?o ?c) (not (near ?o)))))))
"""

HOUSE_PROBLEM = """
(define (problem tidy) (:domain house)
  (:objects drawer - container chest - box Spoon Fork - movable table - object)
  (:init (in spoon drawer) (near table) (not (open drawer)))
  (:goal (and (exists (?x - box) (in spoon ?x)) (forall (?c - container) (imply (open ?c) (= ?c chest)))
              (or (near table) (not (held fork))))))
"""

Stacks = tuple[tuple[str, ...], ...]


def blocks() -> Domain:
    return read_domain(BLOCKS)


def house() -> Domain:
    return read_domain(HOUSE)


def facts(stacks: Stacks) -> State:
    """What is true when the blocks stand like this."""
    columns = [f"c{number}" for number in range(1, len(stacks) + 1)]
    atoms: set[Atom] = set()
    for column, stack in zip(columns, stacks, strict=True):
        atoms |= {Atom("incolumn", (block, column)) for block in stack}
        atoms |= {Atom("on", (upper, lower)) for lower, upper in pairwise(stack)}
        atoms |= {Atom("clear", (block,)) for block in stack[-1:]}
    for left, right in pairwise(columns):
        atoms |= {Atom("leftof", (left, right)), Atom("rightof", (right, left))}
    return frozenset(atoms)


def blocks_task(start: Stacks, goal: Stacks) -> Task:
    """From one arrangement to another."""
    domain = blocks()
    names = sorted(block for stack in start for block in stack)
    columns = {f"c{number}": "column" for number in range(1, len(start) + 1)}
    objects = domain.objects({**dict.fromkeys(names, "block"), **columns})
    wanted = frozenset(Literal(atom) for atom in facts(goal) if atom.predicate not in ("leftof", "rightof"))
    return Task(domain, objects, facts(start), conjunction(wanted))


def moved(stacks: Stacks, step: Step) -> Stacks:
    """The arrangement after a move, worked out on stacks and not on facts."""
    block, column = step.args
    target = int(column[1:]) - 1
    assert stacks[target][-1:] != (block,)
    source = next(index for index, stack in enumerate(stacks) if stack[-1:] == (block,))
    lists = [list(stack) for stack in stacks]
    lists[target].append(lists[source].pop())
    return tuple(map(tuple, lists))


def endless_task() -> Task:
    """More than a shortest-plan search can do while a test waits."""
    letters = "abcdefghijkl"
    start = (tuple(letters), (), (), (), ())
    return blocks_task(start, ((), (), (), (), tuple(letters[6:] + letters[:6])))
