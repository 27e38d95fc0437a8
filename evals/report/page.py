"""The page of a run: how good the agent is, why it fails, and how to get the same numbers again."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evals.report.accuracies import predicates
from evals.report.episodes_table import episodes_table
from evals.report.markup import NOTHING, Child, Html, document, el, joined, section, table
from evals.report.plots import Axis, Mark, plot
from evals.report.reasons import failures
from evals.report.signs import banner, titled
from evals.report.wording import NONE, count, names, per_episode, plural, rate, with_error
from evals.results import EpisodeResult
from evals.scores import RunScores, SplitScores, score_split

FACTS = ("domain", "split", "rules", "seed", "fail_probability", "steps", "planner", "limit")
"""Settings worth a place in the header, where the run has them."""


def run_page(config: Mapping[str, Any], results: Sequence[EpisodeResult], scores: RunScores, unfinished: int) -> str:
    """The whole page."""
    settings = config.get("settings", {})
    name = " · ".join(names(settings)) or "Run"
    body = [
        el("header", el("h1", name), el("p", facts(settings, len(results)), class_="muted")),
        banner(config),
        unfinished_notice(unfinished),
    ]
    if results:
        body += [
            success_section(scores),
            failures(results, scores),
            predicates(results, scores),
            effort_section(results, scores),
            episodes_table(results),
        ]
    else:
        body.append(el("p", "No episode is finished yet. The numbers appear here as soon as one is.", class_="card"))
    body.append(again_section(config))
    return document(titled(name, config), *body)


def facts(settings: Mapping[str, Any], episodes: int) -> str:
    """What a run is, in a line."""
    named = [f"{key.replace('_', ' ')} {_plain(settings[key])}" for key in FACTS if settings.get(key) is not None]
    return " · ".join([plural(episodes, "episode"), *named])


def unfinished_notice(count: int) -> Html:
    """That episodes are missing, if any are."""
    if not count:
        return NOTHING
    missing = f"PARTIAL: {plural(count, 'episode')} not finished; resume the run to play what is missing."
    return el("p", missing, class_="notice")


def success_section(scores: RunScores) -> Html:
    """How many episodes reached their goal."""
    splits = list(scores.splits.values())
    rows: list[list[Child]] = [
        [split.split, _strong(split.success, split.sem), split.n, *_took([split])] for split in splits
    ]
    marks = [(split.split, [_success_mark(split.success, split.sem)]) for split in splits]
    if len(splits) > 1:
        every = [_strong(scores.success, scores.sem), sum(split.n for split in splits), *_took(splits)]
        rows.append([el("strong", "mean of splits"), *every])
        marks.append(("mean", [_success_mark(scores.success, scores.sem)]))
    lost = sum(split.infrastructure for split in splits)
    beside = f"{plural(lost, 'episode')} not scored: model, planner or program broke down." if lost else None
    drawing = plot(
        "Success by split",
        "The share of scored episodes that reached their goal, with its standard error.",
        marks,
        ["success"],
        Axis.of_rates("episodes that reached the goal"),
    )
    note = (
        "An episode counts as a success if the goal really holds at its end. ± is the standard error of the mean; "
        "it is 0 where all episodes of a split end alike, however few they are, and a single one has none. Beside it "
        "what it took, per episode: questions, replans, and attempts that the world refused."
    )
    figures = el(
        "div",
        el("p", el("span", rate(scores.success), class_="big"), f" ± {rate(scores.sem)}", class_="headline"),
        el("p", "of the episodes reached their goal", ", mean of splits" if len(splits) > 1 else None, class_="muted"),
        table(["split", "success ± SEM", "episodes", "questions", "replans", "refused"], rows, class_="numbers"),
        el("p", beside, class_="notice") if beside else None,
        el("p", note, class_="note"),
    )
    return section("success", "Success", el("div", figures, drawing, class_="beside"))


def _took(splits: Sequence[SplitScores]) -> list[Child]:
    """Questions, replans and refused attempts per episode: success says little without them."""
    n = sum(split.n for split in splits)
    totals = (sum(getattr(split, name) for split in splits) for name in ("questions", "replans", "illegal"))
    return [f"{total / n:.1f}" if n else NONE for total in totals]


def _strong(value: float | None, error: float | None) -> Html:
    return el("strong", with_error(value, error))


def _success_mark(value: float | None, error: float | None) -> Mark:
    return Mark(value, rate(value) if value is not None else "none scored", error or 0.0, with_error(value, error))


def effort_section(results: Sequence[EpisodeResult], scores: RunScores) -> Html:
    """What it took."""
    splits = [*scores.splits.values(), score_split("all", results)]
    outcomes = sorted({name for split in splits for name in split.attempts})
    lines: list[tuple[str, list[int]]] = [("steps", [split.steps for split in splits])]
    lines += [(f"steps: {name}", [split.attempts.get(name, 0) for split in splits]) for name in outcomes]
    lines += [
        ("replans", [split.replans for split in splits]),
        ("questions asked", [split.questions for split in splits]),
        ("plans or actions proposed", [split.proposals for split in splits]),
        ("prompt tokens", [split.prompt_tokens for split in splits]),
        ("completion tokens", [split.completion_tokens for split in splits]),
    ]
    rows: list[list[Child]] = [[name, *map(_amount, values, splits)] for name, values in lines if any(values)]
    if any(split.action_accuracy is not None for split in splits):
        rows.append(["share of steps executed", *(rate(split.action_accuracy) for split in splits)])
    if any(split.cost for split in splits):
        rows.append(["cost, US$", *(f"{split.cost:,.2f}" for split in splits)])
    caption = "Totals, and in grey the mean per scored episode."
    if any(split.prompt_tokens or split.completion_tokens or split.cost for split in splits):
        caption += " Tokens and cost count every episode, also those that are not scored."
    head: list[Child] = ["", *(split.split for split in splits)]
    return section("effort", "Effort", table(head, rows, caption=caption, class_="numbers"))


def _amount(value: int, split: SplitScores) -> Html:
    return joined(count(value), " ", el("small", per_episode(value, split.n)))


def again_section(config: Mapping[str, Any]) -> Html:
    """Everything it takes to get the numbers again."""
    kinds = {"Settings": "settings", "Versions": "versions", "Fingerprints": "fingerprints"}
    groups = [(title, dict(_flat(config.get(key)))) for title, key in kinds.items()]
    groups.append(("Code and model", dict(_flat({key: config.get(key) for key in ("git", "model")}))))
    command = config.get("command")
    shown = " ".join(map(str, command)) if isinstance(command, list) else command
    return section(
        "again",
        "Getting these numbers again",
        el("pre", shown) if shown else None,
        el("p", f"Started {config['started']}.", class_="note") if config.get("started") else None,
        el("div", *(_group(title, pairs) for title, pairs in groups if pairs), class_="groups"),
    )


def _group(title: str, pairs: Mapping[str, str]) -> Html:
    lines = (joined(el("dt", name), el("dd", value)) for name, value in pairs.items())
    return el("div", el("h3", title), el("dl", *lines, class_="pairs"))


def _flat(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """The values within a value, each with the names that lead to it; None is left out."""
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
