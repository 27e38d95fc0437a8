"""The page of one run: its scores and plots as in the report, and its episodes to filter and open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from evals.failures import MEANING
from evals.labels import OURS, Label, LabelSet, current
from evals.report.accuracies import predicates
from evals.report.markup import NOTHING, Child, Html, el, joined, section
from evals.report.page import again_section, effort_section, facts, success_section, unfinished_notice
from evals.report.plots import Axis, Mark, plot
from evals.report.reasons import failures
from evals.report.signs import banner, outcome, titled, wrong_answers
from evals.report.wording import count, plural, spaced
from evals.results import EpisodeResult
from evals.scores import refused
from evals.viewer.frame import page
from evals.viewer.runs_page import run_name
from evals.viewer.shown import Contents, Shown


def run_page(run: Shown, sets: Mapping[str, LabelSet], token: str | None) -> str:
    """The whole page."""
    contents = run.contents()
    config, results, scores = contents.config, contents.results, contents.scores
    name = run_name(config)
    body: list[Child] = [
        el("nav", el("a", "All runs", href="../index.html")),
        el(
            "header",
            el("h1", name),
            el("p", facts(config.get("settings", {}), len(results)), class_="muted"),
            el("p", el("small", run.key)),
        ),
        banner(config),
        *(el("p", notice, class_="notice") for notice in contents.notices),
        unfinished_notice(contents.missing),
    ]
    if results:
        links = {str(failure): f"#class={quote(str(failure))}" for failure in MEANING}
        people = _people(results, current(contents.labels), sets)
        body += [success_section(scores), failures(results, scores, links, people)]
    if results or contents.unfinished:
        body.append(section("episodes", "Episodes", el("div", id="table")))
    if results:
        body.append(predicates(results, scores, lambda name: f"#predicate={quote(name)}"))
        body.append(effort_section(results, scores))
    else:
        body.append(el("p", "No episode is finished yet. The numbers appear here as soon as one is.", class_="card"))
    body.append(again_section(config))
    title = titled(name, config)
    return page(title, *body, depth=1, data=("episodes.js",), scripts=("table.js",), token=token, class_="run")


def episodes_data(contents: Contents) -> dict[str, Any]:
    """The rows of the table of episodes."""
    said: dict[str, list[list[str]]] = {}
    for label in current(contents.labels):
        said.setdefault(label.episode, []).append([label.set, label.label or "", label.who])
    rows = [_row(result) for result in contents.results] + [_unfinished(id) for id in contents.unfinished]
    for row in rows:
        row |= {"labels": said.get(row["id"], []), "saved": _told(contents.saved.get(row["id"]))}
    return {"rows": rows, "splits": list(contents.scores.splits)}


def _told(saved: tuple[str, ...] | None) -> list[str]:
    return [] if saved is None else list(saved) or ["nothing"]


def _row(result: EpisodeResult) -> dict[str, Any]:
    wrong: Counter[str] = Counter()
    for tally in result.tallies:
        wrong[tally.predicate] += tally.total - tally.right
    return {
        "id": result.id,
        "split": result.split,
        "outcome": outcome(result),
        "class": str(result.failure) if result.failure else "",
        "reason": spaced(result.reason),
        "detail": result.detail[:200],
        "steps": result.steps,
        "replans": result.replans,
        "refused": refused(result),
        "questions": result.questions,
        "wrong": wrong_answers(result),
        "cost": result.cost,
        "predicates": sorted(name for name, number in wrong.items() if number),
    }


def _unfinished(id: str) -> dict[str, Any]:
    nothing = {"steps": 0, "replans": 0, "refused": 0, "questions": 0, "wrong": 0, "cost": 0, "predicates": []}
    words = {"split": "", "outcome": "unfinished", "class": "", "reason": "", "detail": ""}
    return {"id": id, **words, **nothing}


def _people(results: Sequence[EpisodeResult], labels: Sequence[Label], sets: Mapping[str, LabelSet]) -> Html:
    """What people say, beside what the traces say where both use the same classes."""
    if not labels:
        return NOTHING
    automatic = Counter(str(result.failure) for result in results if result.failure)
    parts: list[Child] = [el("h3", "Labels given by people")]
    for name in sorted({label.set for label in labels}, key=lambda name: (name != OURS, name)):
        # An episode that several people give the same label has it once, as in what the trace says.
        given = {(label.episode, str(label.label)) for label in labels if label.set == name}
        said = Counter(label for _, label in given)
        beside = automatic if name == OURS else None
        title = sets[name].title if name in sets else name
        parts.append(_totals(title, said, beside))
    whose = plural(len({label.who for label in labels}), "person", "people")
    parts.append(el("p", f"{plural(len(labels), 'label')} by {whose}.", class_="note"))
    return joined(*parts)


def _totals(title: str, said: Counter[str], automatic: Counter[str] | None) -> Html:
    names = sorted(said.keys() | (automatic or {}).keys(), key=lambda name: (-said[name], name))
    series = ["people"] if automatic is None else ["people", "the trace"]
    counts = [said] if automatic is None else [said, automatic]
    rows = [(spaced(name), [Mark(float(c[name]), count(c[name])) for c in counts]) for name in names]
    largest = max(max(c.values(), default=0) for c in counts)
    links = {spaced(name): f"#label={quote(name)}" for name in names}
    description = "How many episodes have each label, by people and, where it is decided, by the trace."
    return plot(title, description, rows, series, _counting(largest), links)


def _counting(largest: int) -> Axis:
    step = next(size for size in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if largest <= 5 * size)
    top = -(-largest // step) * step or 1
    return Axis("episodes", float(top), tuple((float(tick), str(tick)) for tick in range(0, top + 1, step)))
