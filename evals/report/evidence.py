"""What in a trace shows that an episode belongs to its failure class, with links to the turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.failures import Failure
from evals.report.markup import Html, el, joined
from evals.report.told import belief_errors, reply_of
from evals.report.turns import Turn
from evals.report.wording import plural
from evals.trace import Record
from tools.events import Acted, Asked, CalledOff, Phase, Planned, Proposed

MOST = 12
"""How many turns are named."""


def evidence(failure: Failure, turns: Sequence[Turn]) -> Iterator[Html]:
    """The facts that speak for the class."""
    records = [record for turn in turns for record in turn.records]
    match failure:
        case Failure.PARSING | Failure.TOKEN_BUDGET:
            yield from _unreadable(records)
        case Failure.NO_PLAN_WRONG_BELIEF | Failure.GOAL_MISJUDGED:
            yield from _last_belief(records)
        case Failure.EFFECT_MISJUDGED:
            yield _turns("An effect was judged wrongly after", [turn for turn in turns if _misjudged(turn)])
            yield from _last_belief(records)
        case Failure.CALLED_OFF_WRONGLY:
            yield _turns("A legal action was called off in", [turn for turn in turns if _called_off(turn)])
        case (
            Failure.ATTEMPTED_WRONGLY
            | Failure.REPEATED_ACTION
            | Failure.OSCILLATION
            | Failure.ILLEGAL_ACTIONS
            | Failure.STEP_LIMIT
        ):
            yield _turns("An action that was not legal was attempted in", [turn for turn in turns if _illegal(turn)])
        case _:
            return


def _turns(said: str, turns: list[Turn]) -> Html:
    if not turns:
        return el("li", f"{said} no turn.")
    links = (el("a", f"{turn.number} {turn.action}", href=f"#turn-{turn.number}") for turn in turns[:MOST])
    more = f" and {len(turns) - MOST:,} more" if len(turns) > MOST else "."
    return el("li", f"{said} {plural(len(turns), 'turn')}: ", joined(*links, between=", "), more)


def _called_off(turn: Turn) -> bool:
    return turn.attempt is not None and isinstance(turn.attempt.event, CalledOff) and bool(turn.attempt.truth.legal)


def _illegal(turn: Turn) -> bool:
    return turn.attempt is not None and isinstance(turn.attempt.event, Acted) and not turn.attempt.truth.legal


def _misjudged(turn: Turn) -> bool:
    return any(
        isinstance(record.event, Asked)
        and record.event.phase is Phase.EFFECT
        and record.event.answer != record.truth.value
        for record in turn.records
    )


def _last_belief(records: Sequence[Record]) -> Iterator[Html]:
    for record in reversed(records):
        if isinstance(record.event, Planned):
            yield el("li", "When it last planned: ", belief_errors(record.event.belief, record.truth.wrong or ()))
            return


def _unreadable(records: Sequence[Record]) -> Iterator[Html]:
    for record in reversed(records):
        event = record.event
        if isinstance(event, Asked | Proposed) and event.fault is not None:
            said = f"Asked “{event.question}”: " if isinstance(event, Asked) else "Asked what to do: "
            yield el("li", said, event.fault, reply_of(event.reply, event.truncated, unfolded=True))
            return
