"""PDDL as models write it: in prose and fences, in capitals, with commas, cut off, with names that do not exist.

    read_problem_draft(text, domain, objects)    the state and the goal of a problem
    read_domain_draft(text, domain, objects)     the same, and actions with conditions and effects of the model's own
    draft_lines(init, goal, objects)             a problem as short lines, for traces

Objects, predicates, and the names of actions with their parameters are given to the model; what it writes about them
elsewhere is not read. Everything that is wrong is collected, so that the model can correct it at once.

    DraftFault   a text that holds no usable problem; the message lists what is wrong
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from planners._domain import action_of
from planners._reading import Reader
from planners._sexpr import Expr, SyntaxFault, parse, show
from planners.formula import Atom, Formula, Objects, State, literals
from planners.names import unknown
from planners.task import Action, Domain, Task
from planners.write import domain_text, formula_text

LONGEST = 60_000
"""Characters at the end of a reply that are read."""
MOST_TOKENS = 4_000
"""Names and brackets of one section."""
DEEPEST = 40
"""Levels of brackets in one section."""
MOST_FAULTS = 8
"""How many faults are listed."""
LATEST = 40
"""How many sections with the same keyword are looked at, the last ones first."""

GOAL = "goal: "
"""What a line about the goal begins with."""

_COMMENT = re.compile(r";[^\n]*")
_QUOTES = re.compile(r"[`'\"‘’“”]|\\(?=_)")
_CALL = re.compile(r"(?<![(:\w?-])([a-z][\w-]*)\(")


class DraftFault(ValueError):
    """A text that holds no usable problem; `cut` if a section has no end."""

    def __init__(self, message: str, *, cut: bool = False) -> None:
        super().__init__(message)
        self.cut = cut


@dataclass(frozen=True)
class Draft:
    """A problem as a model wrote it. `domain` is the world's, or has the actions that the model wrote."""

    domain: Domain
    init: State
    goal: Formula

    def task(self, objects: Objects, init: State) -> Task:
        """What a planner is asked, from a state."""
        return Task(self.domain, objects, init, self.goal)


def read_problem_draft(text: str, domain: Domain, objects: Objects) -> Draft:
    """The last `(:init …)` and `(:goal …)` of a reply; `DraftFault` if one is missing or wrong."""
    plain, reader, faults = _plain(text), Reader(domain.predicates, objects), _Faults()
    init, goal = _init(plain, reader, faults), _goal(plain, reader, faults)
    faults.check()
    assert goal is not None
    return Draft(domain, init, goal)


def read_domain_draft(text: str, domain: Domain, objects: Objects) -> Draft:
    """A problem, and a domain with the actions of the reply in place of the world's own."""
    plain, faults = _plain(text), _Faults()
    actions = _actions(plain, domain, faults)
    if not actions:
        faults.add("there is no complete (:action …)", cut=":action" in plain)
    reader = Reader(domain.predicates, objects)
    init, goal = _init(plain, reader, faults), _goal(plain, reader, faults)
    faults.check()
    assert goal is not None
    own = replace(domain, actions=actions, axioms=None)
    return Draft(replace(own, text=domain_text(own)), init, goal)


def is_draft(read: Callable[[str, Domain, Objects], Draft], text: str, domain: Domain, objects: Objects) -> bool:
    """Whether a reader finds a usable problem in a text."""
    try:
        read(text, domain, objects)
    except DraftFault:
        return False
    return True


def draft_lines(init: State, goal: Formula, objects: Objects) -> tuple[str, ...]:
    """The facts of a problem, then its goal: one line for each literal if it is a conjunction, else as PDDL."""
    wanted = sorted(str(literal) for literal in literals(goal, objects)) or [formula_text(goal)]
    return (*sorted(map(str, init)), *(f"{GOAL}{line}" for line in wanted))


class _Faults:
    """What is wrong with a text."""

    def __init__(self) -> None:
        self._found: dict[str, None] = {}
        self._cut = False

    def add(self, fault: object, *, cut: bool = False) -> None:
        self._found[str(fault)] = None
        self._cut |= cut

    def check(self) -> None:
        """`DraftFault` if anything is wrong."""
        if self._found:
            listed = list(self._found)
            more = [f"and {len(listed) - MOST_FAULTS} more"] if len(listed) > MOST_FAULTS else []
            raise DraftFault("; ".join([*listed[:MOST_FAULTS], *more]), cut=self._cut)


def _plain(text: str) -> str:
    """The end of a reply in lower case and usual characters, without comments, quotes and commas."""
    plain = unicodedata.normalize("NFKC", text[-LONGEST:])
    plain = "".join(char for char in plain if char in "\n\t" or unicodedata.category(char)[0] != "C")
    plain = _QUOTES.sub("", _COMMENT.sub("", plain)).replace(",", " ").lower()
    return _CALL.sub(r"(\1 ", plain)


def _sections(text: str, keyword: str) -> Iterator[str]:
    """The complete sections with a keyword, the last one first."""
    for start in [found.start() for found in re.finditer(rf"\(\s*:{keyword}(?![\w-])", text)][: -LATEST - 1 : -1]:
        depth = 0
        for bracket in re.finditer(r"[()]", text[start:]):
            depth += 1 if bracket[0] == "(" else -1
            if depth == 0:
                yield text[start : start + bracket.end()]
                break


def _section(text: str, keyword: str, faults: _Faults) -> list[Expr] | None:
    """What stands in the last complete section with a keyword."""
    section = next(_sections(text, keyword), None)
    if section is None:
        started = f":{keyword}" in text
        faults.add(f"(:{keyword} …) has no closing bracket" if started else f"there is no (:{keyword} …)", cut=started)
        return None
    try:
        return _parsed(section)[1:]
    except SyntaxFault as error:
        faults.add(f"(:{keyword} …): {error}")
        return None


def _parsed(section: str) -> list[Expr]:
    depth = deepest = 0
    for bracket in re.finditer(r"[()]", section):
        depth += 1 if bracket[0] == "(" else -1
        deepest = max(deepest, depth)
    if deepest > DEEPEST or len(re.findall(r"[()]|[^\s()]+", section)) > MOST_TOKENS:
        raise SyntaxFault("it is too long or nested too deeply")
    return parse(section)


def _init(text: str, reader: Reader, faults: _Faults) -> State:
    facts = _section(text, "init", faults) or []
    match facts:
        case [["and", *inner]]:
            facts = inner
    state: set[Atom] = set()
    for fact in facts:
        try:
            state |= reader.state([fact])
        except SyntaxFault as error:
            faults.add(f"(:init …): {error}")
    return frozenset(state)


def _goal(text: str, reader: Reader, faults: _Faults) -> Formula | None:
    parts = _section(text, "goal", faults)
    if parts is None:
        return None
    try:
        return reader.formula(parts[0] if len(parts) == 1 else ["and", *parts], {})
    except SyntaxFault as error:
        faults.add(f"(:goal …): {error}")
        return None


def _actions(text: str, domain: Domain, faults: _Faults) -> Mapping[str, Action]:
    """The actions of a reply, in the order of the world's; of several with the same name the last one."""
    reader = Reader(domain.predicates, Objects(domain.constants, domain.parents))
    found: dict[str, Action] = {}
    for section in _sections(text, "action"):
        try:
            _, *words = _parsed(section)
            name = words[0] if words else ""
            if not isinstance(name, str) or not name or name in found:
                continue
            found[name] = action_of(_typed(words, domain), reader)
        except SyntaxFault as error:
            faults.add(error)
    return {name: found[name] for name in domain.actions if name in found}


def _typed(words: list[Expr], domain: Domain) -> list[Expr]:
    """The action with the world's types for its parameters, which models often leave out."""
    name = str(words[0])
    known = domain.actions.get(name)
    if known is None:
        raise SyntaxFault(str(unknown("action", name[:60], domain.actions)))
    place = words.index(":parameters") + 1 if ":parameters" in words else 0
    listed = words[place] if 0 < place < len(words) else []
    if isinstance(listed, str):
        raise SyntaxFault(f"action {name}: expected a list of variables, found {listed}")
    names = [word for word in listed if isinstance(word, str) and word.startswith("?")]
    if len(names) != len(known.parameters):
        shown = " ".join(f"?{parameter.name} - {parameter.type}" for parameter in known.parameters)
        raise SyntaxFault(f"action {name}: its parameters are ({shown}), not {show(listed)[:120]}")
    typed: list[Expr] = []
    for variable, parameter in zip(names, known.parameters, strict=True):
        typed += [variable, "-", parameter.type]
    return [*words[:place], typed, *words[place + 1 :]] if place else [name, ":parameters", typed, *words[1:]]
