"""The page of a run: plots of its rounds, and every question with its versions side by side."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.curation.drafts import HIGHEST, LETTERS, Draft, Status, Version
from evals.curation.outputs import Made, Round, calls_table, drafts_of, issues_table, rounds, rounds_table
from evals.pages.markup import NOTHING, Html, document, el, joined, section, write_atomically
from evals.pages.plots import Axis, Mark, plot
from evals.pages.tables import as_html
from evals.pages.viewer import Viewer

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory

NAME = "questions.html"
MOST = 400
"""The most questions on the page; `versions.jsonl` has all."""
STYLE = """
.versions{display:grid;grid-auto-flow:column;grid-auto-columns:minmax(18rem,1fr);gap:1rem;overflow-x:auto}
.version{border:1px solid #8884;border-radius:6px;padding:.6rem}
.version ol{list-style:upper-alpha;padding-left:1.6rem}.version li.right{font-weight:600}
.strip img{max-height:11rem;margin-right:.4rem;border-radius:4px}
ins{background:#2a82;text-decoration:none}del{background:#c332}
"""
_WORDS = re.compile(r"\s+|[^\s]+")


def write_page(run: RunDirectory, made: Sequence[Made]) -> Path:
    """Write the page beside the report."""
    drafts = drafts_of(made)
    found = rounds(drafts)
    viewer = Viewer(run.path)
    shown = [(one, draft) for one in made for draft in one.drafts]
    shown.sort(key=lambda pair: (-len(pair[1].versions), pair[0].set))
    settings = run.config["settings"]
    more = len(shown) - MOST
    body = [
        el("style", Html(STYLE)),
        el("h1", f"Questions: {run.path.name}"),
        el(
            "p", f"writer {settings.get('generator')}, judge {settings.get('judge')}, reviser {settings.get('reviser')}"
        ),
        el("p", el("strong", "SIMULATED: models of stated quality, no evidence about any model"))
        if run.config.get("simulated")
        else NOTHING,
        section("rounds", "Rounds", _plots(found, len(drafts)), as_html(rounds_table(drafts))),
        section("faults", "Faults", as_html(issues_table(drafts)), as_html(calls_table(made))),
        section(
            "questions",
            "Questions",
            *(_draft(one, draft, viewer) for one, draft in shown[:MOST]),
            el("p", f"{more} more are in versions.jsonl") if more > 0 else None,
        ),
    ]
    return write_atomically(run.path / NAME, document(f"Questions: {run.path.name}", *body))


def _plots(found: Sequence[Round], count: int) -> Html:
    """How many questions need revision and the mean score, by round."""
    if not found:
        return NOTHING
    step = max(1, -(-count // 4))
    axis = Axis("questions", 4.0 * step, tuple((float(k * step), str(k * step)) for k in range(5)))
    needing = [(f"round {one.number}", [Mark(float(one.needing), str(one.needing))]) for one in found]
    scores = [
        (f"round {one.number}", [Mark(one.score, "-" if one.score is None else f"{one.score:.2f}")]) for one in found
    ]
    ten = Axis("score", float(HIGHEST), tuple((float(k), str(k)) for k in range(0, HIGHEST + 1, 2)))
    return joined(
        plot("Questions that need revision", "By round, how many questions are not accepted.", needing, [""], axis),
        plot("Mean score", "By round, the mean of everybody's latest score.", scores, [""], ten),
    )


def _draft(one: Made, draft: Draft, viewer: Viewer) -> Html:
    pictures = [
        el("img", src=f"pictures/{name}", alt=f"picture {k}", loading="lazy")
        for k, name in enumerate(one.pictures, 1)
        if name
    ]
    before: Version | None = None
    versions = []
    for number, version in enumerate(draft.versions, 1):
        versions.append(_version(number, version, before))
        before = version
    title = f"{one.set}, question {draft.id}: {str(draft.status).replace('_', ' ')}"
    reason = f" ({draft.reason})" if draft.reason else ""
    return el(
        "article", el("h3", title, reason), el("p", *pictures, class_="strip"), el("div", *versions, class_="versions"),
        el("p", el("a", "every request and reply in the viewer", href=viewer.episode(one.set))),
        class_="accepted" if draft.status is Status.ACCEPTED else "open",
    )  # fmt: skip


def _version(number: int, version: Version, before: Version | None) -> Html:
    now, old = version.candidate, before.candidate if before else None
    options = [
        el("li", changed(old.choices[k] if old and k < len(old.choices) else None, choice),
           class_="right" if LETTERS[k : k + 1] == now.answer else None)
        for k, choice in enumerate(now.choices)
    ]  # fmt: skip
    label = now.answer if old is None or old.answer == now.answer else f"{old.answer} → {now.answer}"
    findings = [el("li", f"{finding.check}: {finding.detail}") for finding in version.findings]
    return el(
        "div", el("h4", f"Version {number}", _score(version)),
        el("p", changed(old.question if old else None, now.question)),
        el("ol", *options), el("p", f"Label {label}. ", changed(old.explanation if old else None, now.explanation)),
        el("p", _verdict_text(version)), el("ul", *findings) if findings else None, class_="version",
    )  # fmt: skip


def _score(version: Version) -> str:
    if version.verdict is None:
        return ": not judged, found by checks" if version.findings else ""
    return f": {version.score} of {HIGHEST}" if version.score is not None else ": unjudged"


def _verdict_text(version: Version) -> str:
    if version.verdict is None:
        return ""
    issues = f" Faults: {'; '.join(version.verdict.issues)}." if version.verdict.issues else ""
    repaired = f" (Verdict: {version.verdict.repaired}.)" if version.verdict.repaired else ""
    return f"Judge: {version.verdict.explanation}{issues}{repaired}"


def changed(old: str | None, new: str) -> Html:
    """The new text with insertions and deletions marked."""
    if old is None or old == new:
        return joined(new)
    before, after = _WORDS.findall(old), _WORDS.findall(new)
    parts: list[Html] = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            parts.append(joined("".join(after[c:d])))
            continue
        if b > a:
            parts.append(el("del", "".join(before[a:b])))
        if d > c:
            parts.append(el("ins", "".join(after[c:d])))
    return joined(*parts)
