"""The section of a run's page on what its failures are to be blamed on, or how to find out."""

from __future__ import annotations

import shlex
from collections import Counter

from evals.pages.markup import NOTHING, Child, Html, el, section, table
from evals.pages.wording import count, plural
from evals.view.blamed import Blamed
from evals.view.shown import Contents

TITLE = "What is to blame"
NOT_YET = (
    "Not computed yet. This command replays every failed episode with one perfect faculty, then with two, until it is "
    "known what would have saved it. Without --ask it sends no new requests to a model over a network."
)
NOTE = (
    "Each failed episode was replayed with perfect faculties. Alone enough: how many episodes this would have saved "
    "by itself. Share of blame: an episode's blame is divided evenly over the smallest sets that save it."
)


def blame_section(contents: Contents, path: str) -> Html:
    """The results of `evals.blame`, or the command to get them; empty if no episode failed."""
    blamed = contents.blamed
    failed = sum(result.failure is not None and result.scored for result in contents.results)
    command = el("pre", shlex.join(["python", "-m", "evals.blame", path]), class_="command")
    if not blamed.saved:
        return section("blame", TITLE, el("p", NOT_YET, class_="note"), command) if failed else NOTHING
    beyond = failed - len(blamed.saved)
    old = f" {plural(beyond, 'failure')} of this run came later, or could not be tried." if beyond > 0 else ""
    again = el("details", el("summary", "Compute it again"), command)
    return section("blame", TITLE, _figures(blamed), el("p", NOTE + old, class_="note"), again)


def _figures(blamed: Blamed) -> Html:
    causes: list[list[Child]] = [
        [cause.name, count(cause.alone), el("strong", f"{cause.share:.0%}"), f"{cause.low:.0%} to {cause.high:.0%}"]
        for cause in blamed.causes
    ]
    ways = Counter(" or ".join(saved) or "nothing tried" for saved in blamed.saved.values())
    saved: list[list[Child]] = [[name, count(number)] for name, number in ways.most_common()]
    return el(
        "div",
        table(["cause", "alone enough", "share of blame", "95 %"], causes, class_="numbers") if causes else None,
        table(["what would have saved them", "episodes"], saved, class_="numbers"),
        class_="beside",
    )
