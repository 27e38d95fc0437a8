"""The evidence for a failure class as lines of a page, with links to the turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from evals.evidence import At, Differing, Part, Said
from evals.evidence import evidence as found
from evals.failures import Failure
from evals.report.markup import Html, el, text
from evals.report.told import belief_errors, reply_of
from evals.report.turns import Turn


def evidence(failure: Failure, turns: Sequence[Turn]) -> Iterator[Html]:
    """The facts that speak for the class."""
    for sentence in found(failure, turns):
        yield el("li", *map(_shown, sentence))


def _shown(part: Part) -> Html:
    match part:
        case At(turn, said):
            return el("a", said, href=f"#turn-{turn}")
        case Said(reply, truncated):
            return reply_of(reply, truncated, unfolded=True)
        case Differing(belief, wrong):
            return belief_errors(belief, wrong)
        case _:
            return text(part)
