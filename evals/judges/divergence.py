"""When the believed state diverged from the true one, by which answer, and whether that cost the episode.

Decided from the trace alone. Belief and truth are compared twice a turn: when the agent acts, and when it has seen the
outcome. If an agent plans from a belief but keeps none, its belief is unknown once it has acted. For an agent that asks
but has no beliefs, the last answer about each fact is compared.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from evals.judges.failures import Failure
from evals.judges.turns import Turn
from evals.run.trace import Record
from tools.events import Acted, Asked, Believed, CalledOff, Phase, Planned


class Origin(StrEnum):
    """The origin of a wrong belief."""

    ANSWER = "answer"
    UNNOTICED = "unnoticed"
    STATED = "stated"
    INFERRED = "inferred"


CAUSES = {
    Origin.ANSWER: "a question about it was answered wrong",
    Origin.UNNOTICED: "an attempt changed it, and nobody asked",
    Origin.STATED: "the model wrote it so when it described the state",
    Origin.INFERRED: "it was believed without such an answer: given at the start, inferred, or repaired",
}


@dataclass(frozen=True, slots=True)
class Moment:
    """One of the two points of a turn, with the changes since the previous one. `known`: the belief is known."""

    turn: int
    acting: bool
    known: bool = False
    believed: tuple[str, ...] = ()
    doubted: tuple[str, ...] = ()
    became_true: tuple[str, ...] = ()
    became_false: tuple[str, ...] = ()


@dataclass(slots=True)
class WrongBelief:
    """A wrong belief about a fact, from moment `first` until moment `until` (None: to the end); both are indices.

    It is `mended` if the belief was right from then on; otherwise it became unknown.
    """

    atom: str
    value: bool
    first: int
    cause: Origin
    answer: Record | None = None
    until: int | None = None
    mended: bool = False


@dataclass
class BeliefCourse:
    """The course of belief and truth.

    `believing` is False if only answers are known; `formed` is the first moment with a belief.
    """

    believing: bool
    formed: int | None = None
    moments: list[Moment] = field(default_factory=list)
    wrong_beliefs: list[WrongBelief] = field(default_factory=list)

    @property
    def divergences(self) -> dict[int, list[WrongBelief]]:
        """The wrong beliefs by the moment at which they began."""
        found: dict[int, list[WrongBelief]] = {}
        for spell in self.wrong_beliefs:
            found.setdefault(spell.first, []).append(spell)
        return found


class Consequence(StrEnum):
    """Whether the first divergence cost the episode."""

    NEVER_WRONG = "never_wrong"
    SOLVED = "solved"
    COST = "cost"
    MENDED = "mended"
    UNCLEAR = "unclear"


CONSEQUENCES = {
    Consequence.NEVER_WRONG: "Belief and truth never parted.",
    Consequence.SOLVED: "The goal was reached all the same.",
    Consequence.COST: "It cost the episode.",
    Consequence.MENDED: "It was mended; it did not cost the episode.",
    Consequence.UNCLEAR: "Nothing in the trace shows that it cost the episode.",
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """The first divergence, whether it cost the episode, and the divergences that did."""

    price: Consequence
    first: int | None = None
    fatal: tuple[WrongBelief, ...] = ()


def belief_course(turns: Sequence[Turn]) -> BeliefCourse:
    """The course of belief and truth over an episode."""
    return _Follower(turns).course


def judge_divergence(failure: str | None, turns: Sequence[Turn], course: BeliefCourse) -> Verdict:
    """Whether the first divergence cost the episode."""
    if not course.wrong_beliefs:
        return Verdict(Consequence.NEVER_WRONG)
    first = course.wrong_beliefs[0].first
    if failure is None:
        return Verdict(Consequence.SOLVED, first)
    fatal = tuple(_fatal(failure, turns, course))
    begun = course.divergences[first]
    if {id(spell) for spell in begun} & {id(spell) for spell in fatal}:
        return Verdict(Consequence.COST, first, fatal)
    if all(spell.mended for spell in begun):
        return Verdict(Consequence.MENDED, first, fatal)
    return Verdict(Consequence.UNCLEAR, first, fatal)


def _fatal(failure: str, turns: Sequence[Turn], course: BeliefCourse) -> Iterator[WrongBelief]:
    """The wrong beliefs that the failure class names."""
    match failure:
        case Failure.NO_PLAN_WRONG_BELIEF | Failure.GOAL_MISJUDGED | Failure.EFFECT_MISJUDGED:
            yield from (spell for spell in course.wrong_beliefs if spell.until is None)
        case Failure.CALLED_OFF_WRONGLY | Failure.ATTEMPTED_WRONGLY:
            misjudged: dict[str, list[int]] = {}
            for turn in turns:
                for atom in _misjudged(turn, failure):
                    misjudged.setdefault(atom, []).append(turn.number)
            for spell in course.wrong_beliefs:
                first = course.moments[spell.first].turn
                last = course.moments[-1 if spell.until is None else spell.until - 1].turn
                if any(_between(first, last, misjudged.get(atom, ())) for atom in (spell.atom, *_things(spell))):
                    yield spell
        case _:
            return


def _things(spell: WrongBelief) -> list[str]:
    """The objects of a fact."""
    return spell.atom.partition(" ")[2].split(",")


def _between(first: int, last: int, turns: Sequence[int]) -> bool:
    """Whether one of the sorted turns is between two others."""
    place = bisect_left(turns, first)
    return place < len(turns) and turns[place] <= last


def _misjudged(turn: Turn, failure: str) -> set[str]:
    """The misjudged facts that made the agent call off a legal action, or attempt an illegal one.

    If it attempted one without a wrong answer, it relied on its belief about the objects of the action, because it did
    not ask or could not see them. The objects stand for the facts then.
    """
    event, legal = (turn.attempt.event, turn.attempt.truth.legal) if turn.attempt else (None, None)
    if failure == Failure.CALLED_OFF_WRONGLY:
        return {fact.removeprefix("not ") for fact in event.unmet} if isinstance(event, CalledOff) and legal else set()
    if not isinstance(event, Acted) or legal:
        return set()
    wrong = {
        record.event.about
        for record in turn.lead_up
        if isinstance(record.event, Asked)
        and record.event.of_fact
        and record.event.phase == Phase.PRECONDITION
        and record.event.value != record.truth.value
    }
    return wrong or set(re.findall(r"[^\s(),]+", event.action)[1:])


class _Follower:
    """Goes through the turns once and tracks belief and truth."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        events = [record.event for turn in turns for record in turn.records]
        self.keeps = any(isinstance(event, Believed) for event in events)
        self.course = BeliefCourse(self.keeps or any(isinstance(event, Planned) for event in events))
        self.known = not self.course.believing
        self.counted = _counted(turns)
        self.held: set[str] = set()
        self.denied: set[str] = set()
        self.true: frozenset[str] = frozenset()
        self.asked: dict[str, Record] = {}
        self.misstated: frozenset[str] = frozenset()
        self.open: dict[str, WrongBelief] = {}
        self.before: tuple[set[str], set[str], frozenset[str]] = (set(), set(), frozenset())
        for turn in turns:
            self._update_truth(turn.before)
            self._update_belief(turn.lead_up)
            self._compare(turn.number, acting=True)
            if turn.attempt is not None:
                self.known &= self.keeps or not self.course.believing or not isinstance(turn.attempt.event, Acted)
                self._update_truth(turn.attempt if turn.attempt.truth.state is not None else turn.after)
                self._update_belief(turn.follow_up)
                self._compare(turn.number, acting=False)

    def _update_truth(self, scene: Record | None) -> None:
        if scene is not None and scene.truth.state is not None:
            self.true = frozenset(scene.truth.state)

    def _update_belief(self, records: Sequence[Record]) -> None:
        for record in records:
            event = record.event
            if isinstance(event, Asked) and event.of_fact and event.about:
                self.asked[event.about] = record
                if not self.course.believing and event.value is not None:
                    (self.held if event.value else self.denied).add(event.about)
                    (self.denied if event.value else self.held).discard(event.about)
            elif isinstance(event, Asked) and event.formalizes:
                self.misstated = frozenset(record.truth.wrong or ())
            elif isinstance(event, Believed):
                self._form()
                self.held = (self.held | set(event.added)) - set(event.dropped)
            elif isinstance(event, Planned):
                self._form()
                self.held = set(event.belief)

    def _form(self) -> None:
        self.known = True
        if self.course.formed is None:
            self.course.formed = len(self.course.moments)

    def _compare(self, turn: int, *, acting: bool) -> None:
        """Add a moment, and the wrong beliefs that begin or end with it."""
        held, denied, true = self.before
        moment = Moment(
            turn,
            acting,
            self.known,
            _listed(self.held - held),
            _listed((held - self.held) | (self.denied - denied)),
            _listed(self.true - true),
            _listed(true - self.true),
        )
        place = len(self.course.moments)
        self.course.moments.append(moment)
        wrong = self._wrong()
        for atom in sorted(self.open.keys() - wrong):
            spell = self.open.pop(atom)
            spell.until, spell.mended = place, self.known
        for atom in sorted(wrong - self.open.keys()):
            spell = self._new_wrong_belief(atom, place, moment)
            self.open[atom] = spell
            self.course.wrong_beliefs.append(spell)
        self.before = (set(self.held), set(self.denied), self.true)
        self.misstated = frozenset()

    def _wrong(self) -> set[str]:
        if not self.course.believing:
            return {atom for atom in self.held if atom not in self.true} | {a for a in self.denied if a in self.true}
        if not self.known:
            return set()
        return {atom for atom in self.true ^ self.held if atom.partition(" ")[0] in self.counted}

    def _new_wrong_belief(self, atom: str, place: int, moment: Moment) -> WrongBelief:
        value = atom in self.held
        record = self.asked.get(atom)
        event = record.event if record else None
        if record and isinstance(event, Asked) and event.value == value != record.truth.value:
            return WrongBelief(atom, value, place, Origin.ANSWER, record)
        if atom in self.misstated:
            return WrongBelief(atom, value, place, Origin.STATED)
        # The initial state was not changed by an attempt.
        turned = place > 0 and (atom in moment.became_true or atom in moment.became_false)
        changed = atom in moment.believed or atom in moment.doubted
        return WrongBelief(atom, value, place, Origin.UNNOTICED if turned and not changed else Origin.INFERRED)


def _counted(turns: Sequence[Turn]) -> set[str]:
    """The predicates to compare: those in some belief, and those that change."""
    counted: set[str] = set()
    first: frozenset[str] | None = None
    for turn in turns:
        for record in turn.records:
            event = record.event
            atoms = event.added if isinstance(event, Believed) else event.belief if isinstance(event, Planned) else ()
            counted |= {atom.partition(" ")[0] for atom in atoms}
        for scene in (turn.before, turn.attempt, turn.after):
            if scene is not None and scene.truth.state is not None:
                state = frozenset(scene.truth.state)
                first = state if first is None else first
                counted |= {atom.partition(" ")[0] for atom in state ^ first}
    return counted


def _listed(atoms: set[str] | frozenset[str]) -> tuple[str, ...]:
    return tuple(sorted(atoms))
