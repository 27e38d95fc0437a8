"""Parts of every page about a run: warnings, outcomes, amounts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evals.pages.markup import Html, el, joined
from evals.pages.wording import warnings
from evals.run.judging import Judging
from evals.run.results import EpisodeResult
from evals.run.scores import total


def banner(config: Mapping[str, Any]) -> Html:
    """The warnings to show first."""

    def shown() -> Iterator[Html]:
        for warning in warnings(config):
            word, _, rest = warning.partition(" ")
            yield el("p", el("strong", word), f" {rest}", class_="banner", role="note")

    return joined(*shown())


def titled(name: str, config: Mapping[str, Any]) -> str:
    """The title of a page, prefixed with warnings."""
    return " ".join([*(warning.partition(" ")[0] for warning in warnings(config)), name])


def outcome(result: EpisodeResult) -> str:
    """The outcome of an episode, in a word or two."""
    if result.success:
        return "success"
    return "failure" if result.scored else "not scored"


def badge(result: EpisodeResult) -> Html:
    """The outcome with its colour."""
    words = outcome(result)
    return el("span", words, class_=f"badge {words.replace(' ', '-')}")


def wrong_answers(result: EpisodeResult) -> int:
    """How many answers were wrong or unreadable."""
    return sum(tally.total - tally.right for tally in result.tallies)


def amounts(result: EpisodeResult, judging: Judging) -> dict[str, float]:
    """The counts of an episode, by the headings of the measures in tables."""
    shown = [measure for measure in judging.measures if measure.column and measure.kind in ("mean", "total")]
    return {measure.heading: total(result.measures, measure.of) for measure in shown}


def amount(value: float) -> str:
    """A count, or a fraction with two digits."""
    return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}"


def episode_facts(result: EpisodeResult, judging: Judging) -> str:
    """The identity and effort of an episode, in one line."""
    parts = [f"split {result.split}" if result.split else "", f"seed {result.seed}"]
    parts += [f"{heading} {amount(value)}" for heading, value in amounts(result, judging).items() if value]
    wrong = wrong_answers(result)
    if wrong and not judging.of_questions:
        parts.append(f"wrong answers {wrong:,}")
    if result.cost:
        parts.append(f"US$ {result.cost:,.4f}")
    return " · ".join(filter(None, parts))
