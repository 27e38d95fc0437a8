"""The page of one run: its scores and plots as in the report, and its episodes to filter and open.

The parts marked `data-live` are replaced by newer ones while the run is live.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from evals.labels import Label, LabelSet, current, own_set
from evals.pages.markup import NOTHING, Child, Html, el, joined
from evals.pages.plots import Axis, Mark, plot
from evals.pages.wording import count, plural, spaced
from evals.report.accuracies import accuracies
from evals.report.page import again_section, effort_section, facts, groups_sections, success_section, unfinished_notice
from evals.report.reasons import failures
from evals.report.signs import amounts, banner, outcome, titled, wrong_answers
from evals.run.judging import Judging
from evals.run.results import EpisodeResult
from evals.view.blame_section import blame_section
from evals.view.frame import page
from evals.view.live import run_state
from evals.view.question_data import tags_of
from evals.view.runs_page import run_name
from evals.view.shown import Contents, Shown


def run_page(run: Shown, sets: Mapping[str, LabelSet], token: str | None) -> str:
    """The whole page."""
    state = run_state(run) if token else {"running": False}
    contents = run.contents()
    name = run_name(contents.config)
    body: list[Child] = [
        el("nav", el("a", "All runs", href="../index.html")),
        el("div", *_head(run, contents, name, running=state["running"]), data_live="head"),
        el("div", *_figures(run, contents, sets, named=token is not None), data_live="figures"),
        el("section", el("h2", "Episodes"), el("div", id="table"), id="episodes"),
        el("div", *_more(contents), data_live="more"),
        again_section(contents.config),
    ]
    return page(
        titled(name, contents.config),
        *body,
        depth=1,
        data=("episodes.js",),
        scripts=("table.js",),
        token=token,
        live=("live.json", state),
        class_="run",
    )


def _head(run: Shown, contents: Contents, name: str, *, running: bool) -> list[Child]:
    config, played = contents.config, len(contents.results)
    sign = el("span", "running", class_="badge playing") if running else None
    partial: Child = unfinished_notice(contents.missing)
    if running:
        expected = f" of {count(contents.scores.expected)}" if contents.scores.expected else ""
        notice = f"Running: {count(played)}{expected} episodes finished. This page updates by itself."
        partial = el("p", notice, class_="notice live")
    return [
        el(
            "header",
            el("h1", name, " ", sign),
            el("p", facts(config, played), class_="muted"),
            el("p", el("small", run.key)),
        ),
        banner(config),
        *(el("p", notice, class_="notice") for notice in contents.notices),
        partial,
    ]


def _figures(run: Shown, contents: Contents, sets: Mapping[str, LabelSet], *, named: bool) -> list[Child]:
    results, scores = contents.results, contents.scores
    if not results:
        return []
    links = {str(failure): f"#class={quote(str(failure))}" for failure in contents.judging.meanings}
    people = _people(results, current(contents.labels), sets, own_set(contents.config))
    blame = blame_section(contents, str(run.path) if named else "RUN")
    return [success_section(scores, contents.judging), failures(scores, contents.judging, links, people), blame]


def _more(contents: Contents) -> list[Child]:
    results, scores = contents.results, contents.scores
    if not results:
        return [el("p", "No episode is finished yet. The numbers appear here as soon as one is.", class_="card")]
    judging = contents.judging
    answers = accuracies(results, scores, judging, lambda by, name: f"#{quote(by)}={quote(name)}")
    return [answers, *groups_sections(scores, results, judging), effort_section(scores, judging)]


def _dimension(contents: Contents) -> str:
    """The first dimension of wrong answers."""
    return next(iter(contents.judging.dimensions), "about")


def episodes_data(contents: Contents) -> dict[str, Any]:
    """The rows of the table of episodes."""
    given_labels: dict[str, list[list[str]]] = {}
    for label in current(contents.labels):
        given_labels.setdefault(label.episode, []).append([label.set, label.label or "", label.who])
    judging = contents.judging
    rows = [_row(result, judging, _dimension(contents)) for result in contents.results]
    counted = list(dict.fromkeys(name for row in rows for name, value in row["amounts"].items() if value))
    for row in rows:
        row.update({f"amount:{name}": row["amounts"].get(name, 0) for name in counted})
        del row["amounts"]
    rows += [_unfinished(id, counted) for id in contents.unfinished]
    for row in rows:
        row |= {"labels": given_labels.get(row["id"], []), "saved": _saved_in_words(contents.saved.get(row["id"]))}
    columns = [[f"amount:{name}", name] for name in counted]
    splits = list(contents.scores.splits)
    return {"rows": rows, "splits": splits, "columns": columns, "dimension": _dimension(contents)}


def _saved_in_words(saved: tuple[str, ...] | None) -> list[str]:
    return [] if saved is None else list(saved) or ["nothing"]


def _row(result: EpisodeResult, judging: Judging, dimension: str) -> dict[str, Any]:
    wrong: Counter[str] = Counter()
    for tally in result.tallies:
        wrong[tally.by.get(dimension, "")] += tally.total - tally.right
    return {
        "id": result.id,
        "split": result.split,
        "outcome": outcome(result),
        "class": str(result.failure) if result.failure else "",
        "end": result.end or "",
        "reason": spaced(result.reason),
        "detail": result.detail[:200],
        "amounts": amounts(result, judging),
        "wrong": wrong_answers(result),
        "cost": result.cost,
        "missed": sorted(name for name, number in wrong.items() if number and name),
        "tags": tags_of(result.tags) if judging.of_questions else {},
        "differ": bool(result.measures.get("differs")),
    }


def _unfinished(id: str, counted: Sequence[str]) -> dict[str, Any]:
    nothing = {
        **{f"amount:{name}": 0 for name in counted},
        "wrong": 0,
        "cost": 0,
        "missed": [],
        "tags": {},
        "differ": False,
    }
    words = {"split": "", "outcome": "unfinished", "class": "", "end": "", "reason": "", "detail": ""}
    return {"id": id, **words, **nothing}


def _people(results: Sequence[EpisodeResult], labels: Sequence[Label], sets: Mapping[str, LabelSet], own: str) -> Html:
    """Labels by people, beside the classes of traces if they are the same."""
    if not labels:
        return NOTHING
    automatic = Counter(str(result.failure) for result in results if result.failure)
    parts: list[Child] = [el("h3", "Labels given by people")]
    for name in sorted({label.set for label in labels}, key=lambda name: (name != own, name)):
        # A label that several people give to an episode counts once.
        given = {(label.episode, str(label.label)) for label in labels if label.set == name}
        given_labels = Counter(label for _, label in given)
        beside = automatic if name == own else None
        title = sets[name].title if name in sets else name
        parts.append(_totals(title, given_labels, beside))
    whose = plural(len({label.who for label in labels}), "person", "people")
    parts.append(el("p", f"{plural(len(labels), 'label')} by {whose}.", class_="note"))
    return joined(*parts)


def _totals(title: str, given_labels: Counter[str], automatic: Counter[str] | None) -> Html:
    names = sorted(given_labels.keys() | (automatic or {}).keys(), key=lambda name: (-given_labels[name], name))
    series = ["people"] if automatic is None else ["people", "the trace"]
    counts = [given_labels] if automatic is None else [given_labels, automatic]
    rows = [(spaced(name), [Mark(float(c[name]), count(c[name])) for c in counts]) for name in names]
    largest = max(max(c.values(), default=0) for c in counts)
    links = {spaced(name): f"#label={quote(name)}" for name in names}
    description = "How many episodes have each label, by people and, where it is decided, by the trace."
    return plot(title, description, rows, series, _counting(largest), links)


def _counting(largest: int) -> Axis:
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if largest <= 5 * size)
    top = -(-largest // step) * step or 1
    return Axis("episodes", float(top), tuple((float(tick), str(tick)) for tick in range(0, top + 1, step)))
