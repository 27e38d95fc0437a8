"""Signs that the page of a run and the pages of its episodes share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from evals.report.markup import Html, el, joined
from evals.report.wording import warnings
from evals.results import EpisodeResult


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


def page_of(id: str) -> str:
    """The name of an episode's page in the folder of episodes."""
    return f"{id}.html"


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
