"""The paper's tables and figures of any runs of ViPlan: tables 1 and 3, figures 4, 5 and 16."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from evals.compare.arms import Arm
from evals.compare.drawings import mark
from evals.compare.exhibits import Drawing, Exhibit
from evals.compare.listing import matrix_table, with_error
from evals.compare.matrices import Matrix, Scores, by_domain, by_split, scores_of
from evals.pages.lines import SHAPES, Line, line_plot
from evals.pages.plots import Axis, Mark, plot
from evals.pages.tables import Cell, Table, signed
from evals.viplan.comparison.paper import BEYOND, CotDifference, Ranking, cot_differences, rankings
from evals.viplan.splits import SPLITS

if TYPE_CHECKING:
    from evals.viplan.comparison.compounding import Curve

CURVES = len(SHAPES)
"""The most lines in a plot."""


def exhibits(arms: Sequence[Arm]) -> Iterator[Exhibit]:
    """All exhibits but the curves."""
    scores = scores_of(arms)
    families = {arm.method: "grounder" if arm.asks else "planner" for arm in arms}
    # Matrices of methods are useful only as means over models or domains.
    telling = len(families) > 1 and len({key.model for key in scores}) * len({key.domain for key in scores}) > 1
    yield from _methods(scores, families, _over_models(arms), shown=telling)
    yield _cot(cot_differences(scores))
    yield _rankings(rankings(scores))
    yield compounding(())


def _methods(scores: Scores, families: Mapping[str, str], note: str, *, shown: bool) -> Iterator[Exhibit]:
    """Method by domain (table 1), and by domain and split (figure 5)."""
    domains, splits = by_domain(scores, families), by_split(scores, families, SPLITS)
    table = matrix_table("methods", "Success by method and domain", domains, f"Mean over splits. {note}")
    drawing = (_methods_drawing(domains),)
    yield Exhibit("methods", "Methods", (table,), drawing, {"methods": _matrix(domains)}, shown)
    table = matrix_table("splits", "Success by method, domain and split", splits, note)
    yield Exhibit("splits", "Methods by split", (table,), (), {"splits": _matrix(splits)}, shown)


def _over_models(arms: Sequence[Arm]) -> str:
    """The number of models in the means, per method if it differs."""
    models = {arm.agent: len({one.model for one in arms if one.agent == arm.agent}) for arm in arms}
    least, most = min(models.values()), max(models.values())
    if most == 1:
        return "± is the standard error over problems."
    if least == most:
        return f"Mean over {most} models; ± is the standard error of the spread between them."
    spread = "the standard error of the spread between them, or over problems where there is one"
    return f"Mean over the models of each method, {least} to {most}; ± is {spread}."


def _matrix(matrix: Matrix) -> list[dict[str, Any]]:
    return [
        {"method": row.name, "average": row.average, "domain": domain, "split": split or None, **asdict(cell)}
        for row in matrix.rows
        for (domain, split), cell in zip(matrix.columns, row.cells, strict=True)
        if cell
    ]


def _methods_drawing(matrix: Matrix) -> Drawing:
    series = tuple(domain for domain, _ in matrix.columns)
    rows = [(row.name, [mark(cell) for cell in row.cells]) for row in matrix.rows]
    title = "Success by method"
    described = f"Mean success over models and splits, by method, in {', '.join(series)}."
    return Drawing("methods", title, series, plot(title, described, rows, series, Axis.of_rates("problems solved")))


def _cot(differences: Sequence[CotDifference]) -> Exhibit:
    """What chain of thought adds (table 3)."""
    figures = {"cot": [{**asdict(one), "ratio": one.ratio, "beyond": one.beyond} for one in differences]}
    if not differences:
        return Exhibit("cot", "Chain of thought", (), (), figures)
    rows = (
        (
            Cell(one.method),
            Cell(one.domain),
            Cell(one.split),
            Cell.count(one.models),
            Cell(signed(one.mean), one.mean, bold=one.beyond),
            Cell.of(one.error, digits=3),
            Cell.of(one.ratio, digits=1, bold=one.beyond),
        )
        for one in differences
    )
    table = Table.of(
        "Chain of thought: with minus without",
        ("method", "domain", "split", "models", "mean difference", "error", "ratio"),
        rows,
        words=3,
        notes=[f"The error is that of the rates, propagated. Bold where the difference is beyond {BEYOND:g} errors."],
        name="cot",
    )
    return Exhibit("cot", "Chain of thought", (table,), (_cot_drawing(differences),), figures)


def _cot_drawing(differences: Sequence[CotDifference]) -> Drawing:
    rows = []
    for one in differences:
        shown = f"{one.mean:+.3f}" if one.error is None else f"{one.mean:+.3f} ± {one.error:.3f}"
        bar = Mark(one.mean, f"{one.mean:+.2f}", one.error or 0.0, f"{shown} over {one.models} models")
        rows.append((f"{one.method}, {one.domain} {one.split}", [bar]))
    largest = max(abs(one.mean) + (one.error or 0.0) for one in differences)
    title = "What chain of thought adds"
    described = "Success with minus without chain of thought, mean over models, with its standard error."
    figure = plot(title, described, rows, ["difference"], Axis.of_differences("difference of success", largest))
    return Drawing("cot", title, ("difference",), figure)


def _rankings(found: Sequence[Ranking]) -> Exhibit:
    """Models from best to worst (figure 4)."""
    tables = tuple(_ranking_table(ranking) for ranking in found)
    drawings = tuple(_ranking_drawing(ranking, number) for number, ranking in enumerate(found, 1))
    return Exhibit("ranking", "Models", tables, drawings, {"rankings": [asdict(ranking) for ranking in found]})


def _ranking_table(ranking: Ranking) -> Table:
    rows = (
        (Cell(f"{rank.place}", rank.place), Cell(rank.model), with_error(rank.success, digits=3, bold=rank.top))
        for rank in ranking.ranks
    )
    places = ", ".join(dict.fromkeys(domain for domain, _ in ranking.strata))
    note = f"Mean success over {' and '.join(ranking.methods)}, {places}, all splits. The first five are bold."
    if ranking.left_out:
        note += f" Not ranked, because something is missing: {', '.join(ranking.left_out)}."
    return Table.of("Models ranked", ("rank", "model", "success"), rows, words=2, notes=[note], name="ranking")


def _ranking_drawing(ranking: Ranking, number: int) -> Drawing:
    rows = [(f"{rank.place}. {rank.model}", [mark(rank.success)]) for rank in ranking.ranks]
    title = f"Models ranked by {' and '.join(ranking.methods)}"
    described = "Mean success over methods, domains and splits, from best to worst."
    figure = plot(title, described, rows, ["success"], Axis.of_rates("mean success"))
    return Drawing("ranking" if number == 1 else f"ranking-{number}", title, ("success",), figure)


def compounding(curves: Sequence[Curve]) -> Exhibit:
    """Problems solved against the questions that had to be answered right (figure 16)."""
    figures = {
        "compounding": [
            {"run": curve.arm.label, "accuracy": curve.accuracy, "points": [asdict(point) for point in curve.points]}
            for curve in curves
        ]
    }
    tables, drawings = ((_compounding_table(curves),), (_compounding_drawing(curves),)) if curves else ((), ())
    return Exhibit("compounding", "Compounding errors", tables, drawings, figures)


def _compounding_table(curves: Sequence[Curve]) -> Table:
    rows: list[tuple[Cell, ...]] = []
    sections: set[int] = set()
    for curve in curves:
        sections.add(len(rows))
        for number, point in enumerate(curve.points):
            span = f"{point.least}–{point.most}" if point.least != point.most else f"{point.least}"
            rows.append(
                (
                    Cell("" if number else curve.arm.label, full_text=curve.arm.label),
                    Cell(span, point.needed),
                    Cell.count(point.problems),
                    Cell.of(point.solved),
                    Cell.of(point.interval.low),
                    Cell.of(point.interval.high),
                    Cell.of(point.independent),
                )
            )
    note = (
        "Questions are those that a model is asked whose every answer is right. Solved is from where to where with 95% "
        "confidence (Wilson). The last column is the accuracy of a single answer to the power of their number."
    )
    return Table.of(
        "Solved against questions that had to be answered right",
        ("run", "questions", "problems", "solved", "from", "to", "if independent"),
        rows,
        notes=[note],
        name="compounding",
        sections=sections,
    )


def _compounding_drawing(curves: Sequence[Curve]) -> Drawing:
    best = sorted(curves, key=lambda curve: -sum(point.solved * point.problems for point in curve.points))[:CURVES]
    lines = []
    for curve in best:
        # The curve begins with the accuracy of a single answer.
        points: list[tuple[float, float, tuple[float, float] | None]] = []
        if curve.accuracy is not None:
            points.append((1.0, curve.accuracy, None))
        points += [(point.needed, point.solved, (point.interval.low, point.interval.high)) for point in curve.points]
        lines.append(Line(curve.arm.label, tuple(points)))
    title = "Solved against questions that had to be right"
    more = f" The {CURVES} best of {len(curves)} runs." if len(curves) > CURVES else ""
    described = (
        f"The share of problems solved, against how many questions a perfect model is asked. Bars: Wilson.{more}"
    )
    figure = line_plot(title, described, lines, "questions that had to be answered right", "solved")
    return Drawing("compounding", title, tuple(line.name for line in lines), figure)
