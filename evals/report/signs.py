"""Signs that the page of a run and the pages of its episodes share."""

from __future__ import annotations

from evals.report.markup import NOTHING, Html, el
from evals.report.wording import SIMULATED
from evals.results import EpisodeResult


def banner(simulated: bool) -> Html:
    """What nobody may overlook."""
    if not simulated:
        return NOTHING
    word, _, rest = SIMULATED.partition(" ")
    return el("p", el("strong", word), f" {rest}", class_="banner", role="note")


def titled(name: str, simulated: bool) -> str:
    """The title of a page."""
    return f"SIMULATED: {name}" if simulated else name


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
