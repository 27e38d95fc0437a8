"""The page of an episode: a film strip, then turn by turn what was asked, planned and done, and what was true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from evals.failures import MEANING
from evals.report.album import Album
from evals.report.evidence import evidence
from evals.report.markup import Child, Html, document, el, joined
from evals.report.signs import badge, banner, page_of, titled, wrong_answers
from evals.report.told import slipped, told
from evals.report.turns import Turn, turns_of
from evals.report.wording import names, plural, spaced
from evals.results import EpisodeResult
from evals.trace import Record
from tools.events import Began, CalledOff, Observed

FIRST, LAST = 150, 50
"""How many turns are shown of an episode with more than both: those at its start and those at its end."""


def episode_page(
    pictures: Path,
    result: EpisodeResult,
    records: Sequence[Record],
    damage: str = "",
    before: str | None = None,
    after: str | None = None,
    *,
    config: Mapping[str, Any] | None = None,
) -> str:
    """The whole page. `damage` says why the trace could not be read, if it could not; `config` is the run's."""
    config = config or {}
    name, album = " · ".join(names(config.get("settings", {}))), Album(pictures, _looks(config))
    turns = turns_of(records)
    shown = turns if len(turns) <= FIRST + LAST else [*turns[:FIRST], *turns[-LAST:]]
    left_out = len(turns) - len(shown)
    way = _way(before, after)
    body: list[Child] = [
        el("nav", way),
        el(
            "header",
            el("h1", result.id, " ", badge(result)),
            el("p", el("b", name)) if name else None,
            el("p", episode_facts(result), class_="muted"),
        ),
        banner(config),
        _damaged(damage) if damage else None,
        _goal(records),
        _verdict(result, turns),
        _strip(shown, album),
    ]
    for place, turn in enumerate(shown):
        if left_out and place == FIRST:
            body.append(
                el("p", f"{plural(left_out, 'turn')} left out here; all of them are in the trace.", class_="notice")
            )
        body.append(_turn(turn, album))
    trace = el("a", f"{result.id}.jsonl", href=quote(f"{result.id}.jsonl"))
    body += [el("p", "Every event, word for word: ", trace, class_="note"), el("nav", way)]
    return document(titled(" · ".join(filter(None, [result.id, name])), config), *body)


def _looks(config: Mapping[str, Any]) -> bool | None:
    """Whether the model looks at pictures; runs from before that was written down only tell of stand-ins."""
    said = config.get("looks")
    return said if isinstance(said, bool) else False if config.get("simulated") else None


def _way(before: str | None, after: str | None) -> Html:
    return joined(
        el("a", "← previous", href=quote(page_of(before)), rel="prev") if before else el("span", "← previous"),
        el("a", "All episodes", href="../report.html#episodes"),
        el("a", "next →", href=quote(page_of(after)), rel="next") if after else el("span", "next →"),
    )


def episode_facts(result: EpisodeResult) -> str:
    """How much it took, in a line."""
    amounts = [
        f"split {result.split}" if result.split else "",
        f"seed {result.seed}",
        plural(result.steps, "step"),
        plural(result.replans, "replan"),
    ]
    if result.questions:
        amounts.append(f"{plural(result.questions, 'question')}, {wrong_answers(result):,} answered wrong")
    if result.proposals:
        amounts.append(plural(result.proposals, "proposal"))
    if result.cost:
        amounts.append(f"US$ {result.cost:,.4f}")
    return " · ".join(filter(None, amounts))


def _damaged(damage: str) -> Html:
    return el("p", el("strong", "This trace cannot be read. "), damage, class_="banner")


def _goal(records: Sequence[Record]) -> Html | None:
    """What was wanted, as the agent was told."""
    began = records[0].event if records else None
    if not isinstance(began, Began):
        return None
    lines = [el("li", line.removeprefix("- ")) for line in began.goal.splitlines()]
    return el("details", el("summary", "The goal"), el("ul", *lines), class_="card goal", open=True)


def _verdict(result: EpisodeResult, turns: Sequence[Turn]) -> Html:
    detail = f" ({result.detail})" if result.detail else ""
    lines: list[Child] = [el("li", "Ended because: ", el("b", spaced(result.reason)), f"{detail}.")]
    if result.failure is None:
        lines.append(el("li", "The goal really holds at the end."))
    else:
        lines.append(el("li", "Failure class: ", el("b", spaced(result.failure)), ". ", MEANING[result.failure]))
        lines += evidence(result.failure, turns)
    if result.misjudged:
        counted = ", ".join(f"{spaced(kind)} {number}" for kind, number in result.misjudged.items())
        lines.append(el("li", f"Actions misjudged on the way: {counted}."))
    slips = sum(turn.attempt is not None and slipped(turn.attempt) for turn in turns)
    if slips:
        lines.append(el("li", f"The world did something other than what was attempted in {plural(slips, 'turn')}."))
    return el("ul", *lines, class_="verdict card")


def _strip(turns: Sequence[Turn], album: Album) -> Html:
    if not turns:
        return el("p", "Nothing happened in this episode.", class_="card")
    frames = [_frame(turns[0].before, album, "start", "", None)]
    for turn in turns:
        if turn.attempt is not None:
            mark, class_ = came_of(turn.attempt)
            frames.append(_frame(turn.after or turn.before, album, turn.action, mark, class_, f"#turn-{turn.number}"))
    scenes = [scene for turn in turns for scene in (turn.before, turn.after)]
    return joined(el("div", *frames, class_="strip"), album.note(scenes, "p"))


def _frame(scene: Record | None, album: Album, name: str, mark: str, class_: str | None, href: str = "") -> Html:
    caption = el("figcaption", el("span", name), el("span", mark, class_=class_) if mark else None)
    inner = joined(album.show(scene), caption)
    return el("figure", el("a", inner, href=href) if href else inner, class_="frame")


def came_of(attempt: Record) -> tuple[str, str | None]:
    """What came of an attempt, in a word, and its colour."""
    event, truth = attempt.event, attempt.truth
    if isinstance(event, CalledOff):
        return ("called off wrongly", "bad") if truth.legal else ("called off rightly", "good")
    if not truth.legal:
        return "not legal", "bad"
    if slipped(attempt):
        return f"slipped: {truth.happened}", "warn"
    return ("goal reached", "good") if truth.goal else ("done", "quiet")


def _turn(turn: Turn, album: Album) -> Html:
    mark, class_ = came_of(turn.attempt) if turn.attempt else ("the episode ended before an attempt", None)
    heading = joined(el("span", turn.number, class_="turn-number"), turn.action, " ", el("small", mark, class_=class_))
    scenes: list[Child] = [album.show(turn.before, linked=True)]
    if turn.after is not None:
        scenes += [el("span", "→"), album.show(turn.after, linked=True)]
    scenes += [album.note([turn.before, turn.after], "small"), _in_view(turn.before)]
    return el(
        "section",
        el("h2", heading),
        el("div", *scenes, class_="scenes"),
        el("div", *told(turn.records)),
        class_="turn",
        id=f"turn-{turn.number}",
    )


def _in_view(scene: Record | None) -> Html | None:
    """The objects the agent could see, in worlds that hide some."""
    event = scene.event if scene else None
    if not isinstance(event, Observed) or event.visible is None:
        return None
    return el("small", f"in view: {', '.join(event.visible) or 'nothing'}")
