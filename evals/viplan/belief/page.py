"""The study as an HTML page, with its plots as files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from envs.blocksworld.problems import SPLITS
from evals.compare.drawings import Drawing, as_file
from evals.pages.markup import Child, Html, document, el, joined, section, table, write_atomically
from evals.pages.plots import Axis, Mark, plot
from evals.pages.wording import spaced
from evals.viplan.belief.figures import CONTROLS, EXACT, ILLEGAL, MEAN, SUCCESS, Figure

PAGE = "index.html"
TITLES = {
    "exact": ("Is the state right after the first picture?", EXACT),
    "success": ("Is the goal reached?", SUCCESS),
    "illegal": ("Attempts per problem that were not legal", ILLEGAL),
}
DRAWN = {"exact": EXACT, "success": ("published", "repair", "belief", "blind")}
"""The measures of a plot."""


def write_page(
    folder: Path, figures: Sequence[Figure], title: str, meanings: Mapping[str, str], limits: Sequence[str]
) -> Path:
    """Write the page and its plots; the path of the page."""
    folder.mkdir(parents=True, exist_ok=True)
    drawings = {name: _drawing(name, figures) for name in DRAWN}
    for drawing in drawings.values():
        write_atomically(folder / f"{drawing.name}.svg", as_file(drawing))
    body = [*_sections(figures, drawings), _meaning(meanings), _limits(limits)]
    heading = "What recorded answers are worth"
    header = el("header", el("h1", heading), el("p", title, class_="muted"))
    return write_atomically(folder / PAGE, document(heading, header, *body))


def _meaning(meanings: Mapping[str, str]) -> Html:
    pairs = (joined(el("dt", spaced(name)), el("dd", meaning)) for name, meaning in meanings.items())
    return section("measures", "What is measured", el("dl", *pairs, class_="pairs"))


def _limits(limits: Sequence[str]) -> Html:
    return section("limits", "What this can and cannot show", el("ul", *(el("li", limit) for limit in limits)))


def _sections(figures: Sequence[Figure], drawings: Mapping[str, Drawing]) -> Iterator[Html]:
    for name, (heading, measures) in TITLES.items():
        drawing = drawings[name].figure if name in drawings else None
        models = [model for model in dict.fromkeys(figure.model for figure in figures) if model != MEAN]
        each = (joined(el("h3", model), _table(model, measures, figures)) for model in models)
        folded = el("details", el("summary", "By model"), *each)
        yield section(name, heading, _table(MEAN, measures, figures), drawing, folded)


def _table(model: str, measures: Sequence[str], figures: Sequence[Figure]) -> Html:
    known = {(figure.measure, figure.split): figure for figure in figures if figure.model == model}
    splits = [split for split in SPLITS if any(place == split for _, place in known)]
    rows: list[list[Child]] = [
        [_named(name), *(_cell(known.get((name, split))) for split in splits)]
        for name in measures
        if any((name, split) in known for split in splits)
    ]
    caption = "With 95 % intervals." if model != MEAN else "Mean over models, with 95 % intervals."
    return table(["", *splits], rows, caption=caption, class_="numbers")


def _cell(figure: Figure | None) -> str:
    return "–" if figure is None else f"{figure.value:.2f} [{figure.low:.2f}, {figure.high:.2f}]"


def _named(measure: str) -> str:
    plain = measure.removeprefix("exact_").removeprefix("illegal_")
    return f"{spaced(plain)} (control)" if plain in CONTROLS else spaced(plain)


def _drawing(name: str, figures: Sequence[Figure]) -> Drawing:
    heading, _ = TITLES[name]
    known = {(figure.measure, figure.split): figure for figure in figures if figure.model == MEAN}
    series = tuple(_named(measure) for measure in DRAWN[name])
    rows = [
        (split, [_mark(known[measure, split]) for measure in DRAWN[name]])
        for split in SPLITS
        if (DRAWN[name][0], split) in known
    ]
    description = "Mean over models by split, with 95 % intervals over problems."
    return Drawing(name, heading, series, plot(heading, description, rows, series, Axis.of_rates("share of problems")))


def _mark(figure: Figure) -> Mark:
    return Mark(figure.value, f"{figure.value:.2f}", hint=_cell(figure), interval=(figure.low, figure.high))
