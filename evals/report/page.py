"""The page of a run: how good the agent is, why it fails, and how to get the same numbers again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evals.report.accuracies import predicates
from evals.report.episodes_table import episodes_table
from evals.report.markup import NOTHING, Child, Html, document, el, joined, section, table
from evals.report.plots import Axis, Bar, bar_plot
from evals.report.reasons import failures
from evals.report.wording import SIMULATED, count, per_episode, plural, rate, with_error
from evals.results import EpisodeResult
from evals.scores import RunScores, SplitScores

FACTS = ("domain", "protocol", "seed", "fail_probability", "step_limit")
"""Settings worth a place in the header, where the run has them."""


def run_page(config: Mapping[str, Any], results: Sequence[EpisodeResult], scores: RunScores, unfinished: int) -> str:
    """The whole page."""
    settings = config.get("settings", {})
    name = " · ".join(str(settings[key]) for key in ("agent", "model") if settings.get(key)) or "Run"
    simulated = bool(config.get("simulated"))
    body = [
        el("header", el("h1", name), el("p", _facts(settings, len(results)), class_="muted")),
        banner(simulated),
        _unfinished(unfinished),
    ]
    if results:
        body += [
            _success(scores),
            failures(results, scores),
            predicates(results, scores),
            _effort(scores),
            episodes_table(results),
        ]
    else:
        body.append(el("p", "No episode is finished yet. The numbers appear here as soon as one is.", class_="card"))
    body.append(_again(config))
    return document(f"SIMULATED: {name}" if simulated else name, *body)


def banner(simulated: bool) -> Html:
    """What nobody may overlook."""
    if not simulated:
        return NOTHING
    word, _, rest = SIMULATED.partition(" ")
    return el("p", el("strong", word), f" {rest}", class_="banner", role="note")


def _facts(settings: Mapping[str, Any], episodes: int) -> str:
    named = [f"{key.replace('_', ' ')} {_plain(settings[key])}" for key in FACTS if settings.get(key) is not None]
    return " · ".join([plural(episodes, "episode"), *named])


def _unfinished(count: int) -> Html:
    if not count:
        return NOTHING
    started = f"{plural(count, 'episode')} started but not finished; resume the run to finish what is missing."
    return el("p", started, class_="notice")


def _success(scores: RunScores) -> Html:
    splits = list(scores.splits.values())
    rows: list[list[Child]] = [[split.split, _strong(split.success, split.sem), split.n] for split in splits]
    bars = [(split.split, [_success_bar(split.success, split.sem)]) for split in splits]
    if len(splits) > 1:
        rows.append([el("strong", "mean of splits"), _strong(scores.success, scores.sem), sum(s.n for s in splits)])
        bars.append(("mean", [_success_bar(scores.success, scores.sem)]))
    lost = sum(split.infrastructure for split in splits)
    beside = f"{plural(lost, 'episode')} not scored: model, planner or program broke down." if lost else None
    plot = bar_plot(
        "Success by split",
        "The share of scored episodes that reached their goal, with its standard error.",
        bars,
        ["success"],
        Axis.of_rates("episodes that reached the goal"),
    )
    note = "An episode counts as a success if the goal really holds at its end. ± is the standard error of the mean."
    figures = el(
        "div",
        el("p", el("span", rate(scores.success), class_="big"), f" ± {rate(scores.sem)}", class_="headline"),
        table(["split", "success ± SEM", "episodes"], rows, class_="numbers"),
        el("p", beside, class_="notice") if beside else None,
        el("p", note, class_="note"),
    )
    return section("success", "Success", el("div", figures, plot, class_="beside"))


def _strong(value: float | None, error: float | None) -> Html:
    return el("strong", with_error(value, error))


def _success_bar(value: float | None, error: float | None) -> Bar:
    return Bar(value, rate(value) if value is not None else "none scored", error or 0.0, with_error(value, error))


def _effort(scores: RunScores) -> Html:
    splits = list(scores.splits.values())
    lines: list[tuple[str, list[float]]] = [
        ("steps (attempted or called off)", [split.steps for split in splits]),
        ("replans", [split.replans for split in splits]),
        ("questions asked", [split.questions for split in splits]),
        ("plans or actions proposed", [split.proposals for split in splits]),
        ("prompt tokens", [split.prompt_tokens for split in splits]),
        ("completion tokens", [split.completion_tokens for split in splits]),
    ]
    for outcome in sorted({outcome for split in splits for outcome in split.attempts}):
        lines.append((f"steps: {outcome}", [split.attempts.get(outcome, 0) for split in splits]))
    rows = [[name, *_amounts(values, splits)] for name, values in lines if any(values)]
    if any(split.cost for split in splits):
        rows.append(["cost, US$", *(f"{split.cost:,.2f}" for split in splits), f"{sum(s.cost for s in splits):,.2f}"])
    if any(split.action_accuracy is not None for split in splits):
        rows.append(["share of steps executed", *(rate(split.action_accuracy) for split in splits), ""])
    caption = "Totals, and in grey the mean per scored episode. Tokens and cost count every episode."
    return section("effort", "Effort", table(["", *scores.splits, "all"], rows, caption=caption, class_="numbers"))


def _amounts(values: list[float], splits: list[SplitScores]) -> list[Child]:
    pairs = [*zip(values, (split.n for split in splits), strict=True), (sum(values), sum(split.n for split in splits))]
    return [joined(count(int(value)), " ", el("small", per_episode(value, episodes))) for value, episodes in pairs]


def _again(config: Mapping[str, Any]) -> Html:
    """Everything it takes to get the numbers again."""
    groups = [
        (title, config[key])
        for key, title in (
            ("settings", "Settings"),
            ("versions", "Versions"),
            ("fingerprints", "Fingerprints"),
            ("git", "Code"),
        )
        if config.get(key)
    ]
    command = config.get("command")
    shown = " ".join(map(str, command)) if isinstance(command, list) else command
    return section(
        "again",
        "Getting these numbers again",
        el("pre", shown) if shown else None,
        el("p", f"Started {config['started']}.", class_="note") if config.get("started") else None,
        el("div", *(_group(title, value) for title, value in groups), class_="groups"),
    )


def _group(title: str, value: object) -> Html:
    pairs = value.items() if isinstance(value, Mapping) else [("", value)]
    lines = (joined(el("dt", str(key)), el("dd", _plain(item))) for key, item in pairs)
    return el("div", el("h3", title), el("dl", *lines, class_="pairs"))


def _plain(value: object) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list | tuple):
        return ", ".join(map(_plain, value))
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
