"""The page of a run: scores, failures, and how to reproduce the numbers.

It knows no benchmark: the run's judging says what to show.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evals.pages.markup import NOTHING, Child, Html, document, el, joined, section, table
from evals.pages.plots import Axis, Mark, plot
from evals.pages.tables import as_html
from evals.pages.viewer import Viewer
from evals.pages.wording import count, names, per_episode, plural, rate, unusual, with_interval
from evals.report.accuracies import accuracies
from evals.report.ends import ends_section
from evals.report.episodes_table import episodes_table
from evals.report.reasons import about_failures, failures, group_table
from evals.report.signs import banner, titled
from evals.report.table import attempts_tables, first_line, score_table, tag_tables
from evals.run.judging import AGENT_ERROR, UNPLAYED, Judging
from evals.run.results import EpisodeResult
from evals.run.scores import Range, RunScores, SplitScores

MOST = 500
"""Tags with more values get no table."""


def run_page(
    config: Mapping[str, Any],
    results: Sequence[EpisodeResult],
    scores: RunScores,
    viewer: Viewer,
    traceback: str = "",
) -> str:
    """The whole page. `traceback` is that of the first episode that ended by an error of the agent, if one did."""
    judging = Judging.of(config)
    name = " · ".join(names(config.get("settings", {}))) or "Run"
    body = [
        el("header", el("h1", name), el("p", facts(config, len(results)), class_="muted")),
        banner(config),
        unfinished_notice(max(0, scores.expected - len(results))),
        cut_short(results, traceback),
    ]
    if results:
        body += [
            success_section(scores, judging),
            *groups_sections(scores, results, judging),
            failures(scores, judging),
            accuracies(results, scores, _untagged(results, judging)),
            effort_section(scores, judging),
            episodes_table(results, judging, viewer),
        ]
    else:
        body.append(el("p", "No episode is finished yet. The numbers appear here as soon as one is.", class_="card"))
    body.append(again_section(config))
    return document(titled(name, config), *body)


def facts(config: Mapping[str, Any], episodes: int) -> str:
    """A run in one line: its benchmark, and the settings that are not default."""
    settings = config.get("settings", {})
    parts = [str(value) for value in (config.get("benchmark"), settings.get("domain")) if value]
    other = [f"{name.replace('_', ' ')} {value}" for name, value in unusual(config).items() if name != "domain"]
    return " · ".join([plural(episodes, "episode"), *parts, *other])


def unfinished_notice(count: int) -> Html:
    """A notice of missing episodes, if there are any."""
    if not count:
        return NOTHING
    missing = f"PARTIAL: {plural(count, 'episode')} not finished; resume the run to play what is missing."
    return el("p", missing, class_="notice")


def cut_short(results: Sequence[EpisodeResult], traceback: str = "") -> Html:
    """Notices of episodes that are not scored, with the first error."""
    words = {
        UNPLAYED: "not scored: model, planner, world or program broke down. Resume the run to try again.",
        AGENT_ERROR: "not scored: the agent's own code raised, never ended, or ended without saying why.",
    }
    notices = []
    for failure, meaning in words.items():
        lost = [result for result in results if result.failure == failure]
        if lost:
            first = el("span", f" The first, {lost[0].id}: ", el("b", first_line(lost[0])))
            more = traceback and failure == AGENT_ERROR
            unfolding = el("details", el("summary", "its traceback"), el("pre", traceback)) if more else None
            notices.append(el("div", f"{plural(len(lost), 'episode')} {meaning}", first, unfolding, class_="notice"))
    return joined(*notices)


def success_section(scores: RunScores, judging: Judging) -> Html:
    """How many episodes succeeded."""
    splits = list(scores.splits.values())
    marks = [(split.split, [_success_mark(split.success, split.interval)]) for split in splits]
    scored = score_table(scores, judging)
    if len(scored.rows) > len(splits):
        marks.append(("all", [_success_mark(scores.success, scores.interval)]))
    done = "questions answered right" if judging.of_questions else "episodes that reached the goal"
    drawing = plot(
        "Success by split",
        "The share of scored episodes that succeeded, with its 95 % interval.",
        marks,
        ["success"],
        Axis.of_rates(done),
    )
    interval = _within(scores.interval)
    headline = el("p", el("span", rate(scores.success), class_="big"), interval and f" {interval}", class_="headline")
    words = el("p", _of_what(scores, judging, len(scored.rows) > len(splits)), class_="muted")
    note = el("p", _meaning(judging), class_="note")
    beside = el("div", el("div", headline, words, note), drawing, class_="beside")
    return section("success", "Success", beside, as_html(scored))


def _of_what(scores: RunScores, judging: Judging, several: bool) -> str:
    words = "of the questions were answered right" if judging.of_questions else "of the episodes reached their goal"
    return f"{words}; {scores.overall}" if several else words


def _meaning(judging: Judging) -> str:
    what = (
        "A question counts as a success if its answer is wholly right."
        if judging.of_questions
        else "An episode counts as a success if the goal really holds at its end."
    )
    shown = [measure for measure in judging.measures if measure.column and measure.meaning]
    words = "".join(f" {measure.heading.capitalize()}: {measure.meaning}." for measure in shown)
    return (
        f"{what} In brackets, where the rate may lie with 95 % confidence (Wilson's interval); episodes with the same "
        f"{judging.cluster} count for less than as many independent ones.{words} Counts are means per scored "
        "episode."
    )


def _within(interval: Range | None) -> str:
    return f"[{rate(interval.low)}, {rate(interval.high)}]" if interval else ""


def _success_mark(value: float | None, interval: Range | None) -> Mark:
    if value is None or interval is None:
        return Mark(value, rate(value) if value is not None else "none scored")
    within = (interval.low, interval.high)
    return Mark(value, rate(value), hint=with_interval(value, within), interval=within)


def groups_sections(scores: RunScores, results: Sequence[EpisodeResult], judging: Judging) -> Iterator[Html]:
    """How episodes ended; success by the number of attempts, and by each tag that the benchmark groups by."""
    yield from ends_section(scores, judging)
    for grouped in (*attempts_tables(scores), *tag_tables(results, judging, most=MOST)):
        yield section(grouped.name, grouped.title, as_html(grouped))


def _untagged(results: Sequence[EpisodeResult], judging: Judging) -> Judging:
    """The judging without dimensions that are tags of question sets, which have their own tables."""
    if not judging.of_questions:
        return judging
    tags = {tag for result in results for tag in result.tags}
    return replace(judging, dimensions={tag: words for tag, words in judging.dimensions.items() if tag not in tags})


def effort_section(scores: RunScores, judging: Judging) -> Html:
    """The section on effort."""
    splits = [*scores.splits.values(), scores.pooled] if len(scores.splits) > 1 else list(scores.splits.values())
    counted = [measure for measure in judging.measures if measure.kind in ("mean", "total")]
    lines = [(measure.heading, [split.total(*measure.of) for split in splits]) for measure in counted]
    lines = [(name, values) for name, values in lines if all(value == int(value) for value in values)]
    lines += [
        ("replies of the model", [float(split.asked) for split in splits]),
        ("prompt tokens", [float(split.prompt_tokens) for split in splits]),
        ("completion tokens", [float(split.completion_tokens) for split in splits]),
    ]
    rows: list[list[Child]] = [[name, *map(_amount, values, splits)] for name, values in lines if any(values)]
    for measure in judging.measures:
        if measure.kind == "share" and scores.pooled.measures.get(measure.name) is not None:
            rows.append([measure.heading, *(rate(split.measures.get(measure.name)) for split in splits)])
    if any(split.cost for split in splits):
        rows.append(["cost, US$", *(f"{split.cost:,.2f}" for split in splits)])
    caption = "Totals, and in grey the mean per scored episode."
    if any(split.prompt_tokens or split.completion_tokens or split.cost for split in splits):
        caption += " Tokens and cost count every episode, also those that are not scored."
    head: list[Child] = ["", *(split.split for split in splits)]
    groups = (
        group_table(name, scores, judging) for name in judging.groups if not about_failures(name, scores, judging)
    )
    return section("effort", "Effort", table(head, rows, caption=caption, class_="numbers"), *groups)


def _amount(value: float, split: SplitScores) -> Html:
    return joined(count(int(value)), " ", el("small", per_episode(value, split.n)))


def again_section(config: Mapping[str, Any]) -> Html:
    """Everything needed to reproduce the numbers."""
    kinds = {"Settings": "settings", "Versions": "versions", "Fingerprints": "fingerprints"}
    groups = [(title, dict(_flat(config.get(key)))) for title, key in kinds.items()]
    groups.append(("Code and model", dict(_flat({key: config.get(key) for key in ("git", "model")}))))
    command = config.get("command")
    shown = " ".join(map(str, command)) if isinstance(command, list) else command
    return section(
        "again",
        "Reproduce these numbers",
        el("pre", shown) if shown else None,
        el("p", f"Started {config['started']}.", class_="note") if config.get("started") else None,
        el("div", *(_group(title, pairs) for title, pairs in groups if pairs), class_="groups"),
    )


def _group(title: str, pairs: Mapping[str, str]) -> Html:
    lines = (joined(el("dt", name), el("dd", value)) for name, value in pairs.items())
    return el("div", el("h3", title), el("dl", *lines, class_="pairs"))


def _flat(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """The leaves of a nested value, with their paths; None is omitted."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name} {key}".lstrip())
    elif value is not None:
        yield name, _plain(value)


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
