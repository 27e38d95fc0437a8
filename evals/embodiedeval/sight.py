"""The replies of `sim:sight`, a simulated model that sees what is in view, rightly or wrongly, and nothing else.

Where it sees what the expert needs next, it chooses the expert's option. Where it sees nothing useful, it says so if
there is such an option, and else moves at random. It has no map and no memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from envs.base import Options
from envs.embodied.rules import FORWARD, LEFT, RIGHT
from evals.embodiedeval.answers import ANSWERING
from models.base import Kind, Mind, Request, Unanswerable

SHOWS, GOAL, READY = "shows ", "shows the goal", "shows all that the answer needs"
"""Subjects of yes/no questions: what an option acts on, where the task leads, or all that an answer needs."""
NEEDED = "needed"
"""The subject of a question about several options: which of them the task needs."""


@runtime_checkable
class Seen(Options, Protocol):
    """A world that knows what is in view."""

    def best(self) -> str | None: ...
    def needed(self) -> Sequence[str]: ...
    def shows(self, name: str) -> bool: ...
    def objects(self, option: str) -> Sequence[str]: ...
    def useful(self) -> Sequence[str]: ...


def reply(world: object, request: Request, options: Sequence[str], mind: Mind) -> str:
    """The reply to a request."""
    if not isinstance(world, Seen):
        raise Unanswerable("this world cannot compute what is in view")
    match request.kind:
        case Kind.CHOICE:
            return _choice(world, options, mind)
        case Kind.YES_NO if (request.about or "").startswith(SHOWS):
            return "yes" if _shows(world, request.about or "", mind) else "no"
        case Kind.CHOICES if request.about == NEEDED:
            return _letters(world, options)
    raise Unanswerable(f"sim:sight has no reply of the kind {request.kind} in this world")


def chosen(place: int) -> str:
    """The reply that chooses an option."""
    return f"Choice: [{place + 1}]"


def _choice(world: Seen, options: Sequence[str], mind: Mind) -> str:
    best, needed = world.best(), world.needed()
    if not needed and best in options:
        right = mind.sees("view all that the answer needs", True)
        answers = [place for place, option in enumerate(options) if option.startswith(ANSWERING) and option != best]
        return chosen(options.index(best) if right or not answers else answers[mind.pick(len(answers))])
    for name in needed:
        there = world.shows(name)
        if mind.sees(f"view {name}", there):
            if there and best in options:
                return chosen(options.index(best))
            if FORWARD in options:
                return chosen(options.index(FORWARD))
    listed = set(world.options())
    extra = [place for place, option in enumerate(options) if option not in listed]
    moves = [place for place, option in enumerate(options) if option in (FORWARD, LEFT, RIGHT)]
    places = extra or moves or list(range(len(options)))
    return chosen(places[mind.pick(len(places))])


def _shows(world: Seen, about: str, mind: Mind) -> bool:
    if about == READY:
        return not world.needed() and mind.sees("view all that the answer needs", True)
    if about == GOAL:
        return any(mind.sees(f"view {name}", world.shows(name)) for name in world.needed())
    return any(mind.sees(f"view {name}", world.shows(name)) for name in world.objects(about.removeprefix(SHOWS)))


def _letters(world: Seen, options: Sequence[str]) -> str:
    useful = world.useful()
    return "Answer: " + ", ".join(chr(ord("A") + place) for place, option in enumerate(options) if option in useful)
