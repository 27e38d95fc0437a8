"""Signs that every page about a run has: what nobody may overlook, outcomes, what an episode took."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evals.pages.markup import Html, el, joined
from evals.pages.wording import warnings
from evals.run.judging import Judging
from evals.run.results import EpisodeResult
from evals.run.scores import total


def banner(config: Mapping[str, Any]) -> Html:
    """What nobody may overlook."""

    def shown() -> Iterator[Html]:
        for warning in warnings(config):
            word, _, rest = warning.partition(" ")
            yield el("p", el("strong", word), f" {rest}", class_="banner", role="note")

    return joined(*shown())


def titled(name: str, config: Mapping[str, Any]) -> str:
    """The title of a page, behind the words that nobody may overlook."""
    return " ".join([*(warning.partition(" ")[0] for warning in warnings(config)), name])


def outcome(result: EpisodeResult) -> str:
    """What became of the episode, in a word or two."""
    if result.success:
        return "success"
    return "failure" if result.scored else "not scored"


def badge(result: EpisodeResult) -> Html:
    """The outcome with a colour to it."""
    said = outcome(result)
    return el("span", said, class_=f"badge {said.replace(' ', '-')}")


def wrong_answers(result: EpisodeResult) -> int:
    """How many questions were answered wrong or not at all."""
    return sum(tally.total - tally.right for tally in result.tallies)


def amounts(result: EpisodeResult, judging: Judging) -> dict[str, float]:
    """What an episode counted, by the headings of the measures that tables show."""
    shown = [measure for measure in judging.measures if measure.column and measure.kind in ("mean", "total")]
    return {measure.heading: total(result.measures, measure.of) for measure in shown}


def amount(value: float) -> str:
    """What was counted; a share of something to two digits."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def episode_facts(result: EpisodeResult, judging: Judging) -> str:
    """Which episode it is and how much it took, in a line."""
    parts = [f"split {result.split}" if result.split else "", f"seed {result.seed}"]
    parts += [f"{heading} {amount(value)}" for heading, value in amounts(result, judging).items() if value]
    wrong = wrong_answers(result)
    if wrong and not judging.of_questions:
        parts.append(f"wrong answers {wrong:,}")
    if result.cost:
        parts.append(f"US$ {result.cost:,.4f}")
    return " · ".join(filter(None, parts))
