"""The verdict on an episode, as sentences with links to steps and answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evals.judges.divergence import CAUSES, CONSEQUENCES, Consequence, Origin, WrongBelief
from evals.judges.evidence import BeliefDifference, Part, Quote, TurnLink, evidence
from evals.pages.wording import plural, spaced
from evals.view.played import Played
from tools.events import Asked, Ended

NAMED = 4
"""How many facts of a divergence are named."""
FACTS = 40
"""How many facts of a whole belief are named."""
LONGEST = 2000


def _success(played: Played) -> str:
    """The meaning of a success: the goal is reached, or the answer is right."""
    reached = played.records and played.records[-1].truth.goal
    return "The goal really holds at the end." if reached else "The answer is right."


def _traceback(played: Played) -> str:
    """The traceback of the agent's code, if it raised."""
    last = played.records[-1].event if played.records else None
    return last.traceback[:LONGEST] if isinstance(last, Ended) else ""


def verdict_of(played: Played) -> dict[str, Any]:
    """Why the episode ended, the evidence, and where belief and truth first diverged."""
    result, verdict = played.result, played.verdict
    return {
        "reason": spaced(result.reason),
        "detail": result.detail[:LONGEST],
        "failure": str(result.failure) if result.failure else None,
        "meaning": played.meanings.get(result.failure, "") if result.failure else _success(played),
        "end": [spaced(result.end), played.ends.get(result.end, "")] if result.end else None,
        "traceback": _traceback(played),
        "evidence": [
            [_part(part, played) for part in sentence]
            for sentence in (evidence(played.failure, played.turns) if played.failure else ())
        ],
        "price": str(verdict.price),
        "divergence": [list(sentence) for sentence in _divergence(played)],
    }


def _part(part: Part, played: Played) -> Any:
    match part:
        case TurnLink(turn, text):
            return {"step": turn, "text": text}
        case Quote(reply, truncated):
            return {"reply": played.replies.add(reply), "truncated": truncated}
        case BeliefDifference(belief, wrong):
            held = frozenset(belief)
            false = [atom for atom in wrong if atom in held]
            return {"false": false[:FACTS], "missed": [atom for atom in wrong if atom not in held][:FACTS]}
        case _:
            return part


def _divergence(played: Played) -> Iterator[list[Any]]:
    verdict, course = played.verdict, played.course
    if not course.moments or (not course.believing and not played.questions.events):
        return
    if played.damage or played.missing:
        yield ["The readable rest of the trace does not show where belief and truth parted."]
        return
    if verdict.first is None:
        yield ["Nothing was believed." if course.believing and course.formed is None else CONSEQUENCES[verdict.price]]
        return
    yield _began("Belief and truth first parted", verdict.first, course.divergences[verdict.first], played)
    yield [CONSEQUENCES[verdict.price]]
    if verdict.price in (Consequence.MENDED, Consequence.UNCLEAR) and verdict.fatal:
        first = min(wrong.first for wrong in verdict.fatal)
        wrong_beliefs = [wrong for wrong in verdict.fatal if wrong.first == first]
        yield _began("What the failure goes back to began", first, wrong_beliefs, played)


def _began(text: str, moment: int, wrong_beliefs: list[WrongBelief], played: Played) -> list[Any]:
    at = played.course.moments[moment]
    when = "before it acted" if at.acting else "after it acted"
    facts = [_explained(wrong, played) for wrong in wrong_beliefs[:NAMED]]
    more = len(wrong_beliefs) - NAMED
    if more > 0:
        facts.append([f"and {plural(more, 'more fact')}."])
    return [f"{text} in ", {"step": at.turn, "text": f"step {at.turn}"}, f", {when}:", {"items": facts}]


def _explained(wrong: WrongBelief, played: Played) -> list[Any]:
    held = {"atom": wrong.atom, "text": wrong.atom if wrong.value else f"not {wrong.atom}"}
    if wrong.cause is not Origin.ANSWER or wrong.answer is None:
        return [held, f" was believed: {CAUSES[wrong.cause]}."]
    event = wrong.answer.event
    question = event.question if isinstance(event, Asked) else ""
    number = played.questions.numbers[id(wrong.answer)]
    answer = {"answer": number, "text": f"“{question}” was answered {'yes' if wrong.value else 'no'}"}
    return [held, " was believed, because ", answer, "."]
