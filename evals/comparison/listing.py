"""The figures of a comparison as tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from evals.comparison.figures import Comparison
from evals.comparison.matrices import BEYOND, Matrix, Ranking, Row
from evals.comparison.pairs import Match, Pair
from evals.comparison.tables import Cell, Table, signed
from evals.report.wording import NONE, plural

ALPHA = 0.05
FEW = 3
"""How many answers are shown of those that differ."""


def tables_of(comparison: Comparison, wanted: Sequence[str] | None = None) -> Iterator[Table]:
    """The tables with these names, or all but that of every problem, in the order in which a reader wants them."""

    def asked(name: str) -> bool:
        return name in wanted if wanted else name != "problems"

    if asked("success"):
        yield from (success_table(domain, matrix) for domain, matrix in comparison.by_model.items())
    if asked("pairs") and comparison.pairs:
        yield pairs_table(comparison)
    if asked("methods") and (comparison.by_method or wanted):
        yield _matrix_table("methods", "Success by method and domain", comparison.by_domain, comparison)
    if asked("splits") and (comparison.by_method or wanted):
        yield _matrix_table("splits", "Success by method, domain and split", comparison.by_split, comparison)
    if asked("cot") and comparison.cot:
        yield cot_table(comparison)
    if asked("ranking"):
        yield from (ranking_table(ranking) for ranking in comparison.rankings)
    if asked("compounding") and comparison.curves:
        yield compounding_table(comparison)
    if asked("problems") and comparison.pairs:
        yield problems_table(comparison.pairs)


NEEDED = {
    "pairs": "two runs with common problems",
    "cot": "a method that was played with and without chain of thought on the same model",
    "ranking": "two models that were played with the same methods, plan and ground or one of them",
    "compounding": "--curve, and runs that ask about facts",
    "problems": "two runs with common problems",
}
"""What it takes for a table to be there."""


def left_out(comparison: Comparison, wanted: Sequence[str] | None) -> Iterator[str]:
    """Lines about tables that somebody wants and that these runs do not give."""
    given = {table.name for table in tables_of(comparison, wanted)} if wanted else set()
    yield from (
        f"no table {name}: it takes {NEEDED[name]}" for name in NEEDED if name in (wanted or ()) and name not in given
    )


def success_table(domain: str, matrix: Matrix) -> Table:
    """Every arm on every split of a domain."""
    return Table(
        "success",
        f"Success, {domain}",
        ("agent", "model", *(split or "mean" for _, split in matrix.columns)),
        tuple((Cell(row.name), Cell(row.model), *_figures(matrix, row)) for row in matrix.rows),
        "± is the standard error. Episodes that model, planner, world or program cut short do not count.",
        names=2,
    )


def _figures(matrix: Matrix, row: Row) -> list[Cell]:
    """The cells of a row; the best of a column is bold where there is a choice."""
    several = sum(not other.average for other in matrix.rows) > 1
    return [
        Cell.of(cell.value, cell.sem, bold=several and not row.average and cell.value == matrix.best(place) != 0)
        if cell
        else Cell(NONE)
        for place, cell in enumerate(row.cells)
    ]


def pairs_table(comparison: Comparison) -> Table:
    """The paired tests."""
    one = comparison.baseline is not None
    names = ("with",) if one else ("left", "with")
    figures = ("problems", "left", "right", "right − left", "from", "to", "only left", "only right")
    rows = []
    for pair in comparison.pairs:
        labels = (Cell(pair.right.label),) if one else (Cell(pair.left.label), Cell(pair.right.label))
        rows.append((*labels, *_pair_cells(pair)))
    title = f"Paired with {comparison.baseline.label} (left)" if comparison.baseline else "Every two, paired"
    head = (*names, *figures, "p", "mid-p", "Holm", "BH", "left out")
    least = ("mid-p", "BH", "only left", "only right", "problems", "left out", "p")
    caption = _pairs_caption(comparison.pairs)
    return Table("pairs", title, head, tuple(rows), caption, names=len(names), least=least)


def _pair_cells(pair: Pair) -> tuple[Cell, ...]:
    counts = pair.table
    found = pair.holm < ALPHA
    # Where no problem came out differently, drawing them anew shows nothing.
    bounds = (pair.interval.low, pair.interval.high) if any(match.difference for match in pair.matches) else ()
    return (
        Cell.count(len(pair.matches)),
        Cell.of(pair.left_success),
        Cell.of(pair.right_success),
        Cell(signed(pair.difference), pair.difference, bold=found),
        *(Cell(signed(bound, 2), bound) for bound in bounds),
        *((Cell(NONE), Cell(NONE)) if not bounds else ()),
        Cell.count(counts[True, False]),
        Cell.count(counts[False, True]),
        *(_p(value) for value in (pair.test.exact, pair.test.mid)),
        _p(pair.holm, bold=found),
        _p(pair.bh, bold=pair.bh < ALPHA),
        Cell.count(pair.lost + pair.unmatched),
    )


def _p(value: float, *, bold: bool = False) -> Cell:
    return Cell("<0.001" if value < 0.001 else f"{value:.3f}", value, bold=bold)


def _pairs_caption(pairs: Sequence[Pair]) -> str:
    test = "McNemar's exact test"
    if any(pair.repeated for pair in pairs):
        test = "an exact sign-flip test over problems, which is McNemar's where each was played once"
    parts = [
        "Success on the problems that both played, mean over splits, and its difference, from where to where with 95% "
        f"confidence (paired bootstrap of problems). p is {test}; Holm and BH (Benjamini–Hochberg) correct it for "
        f"{plural(len(pairs), 'comparison')}. Bold is below {ALPHA}."
    ]
    if lost := sum(pair.lost for pair in pairs):
        parts.append(f"{plural(lost, 'pair')} of episodes left out because one was cut short.")
    partial = [pair for pair in pairs if set(pair.strata) != set(pair.left.strata) | set(pair.right.strata)]
    if partial:
        parts.append("Some pairs share only part of what they played: " + "; ".join(map(_shared, partial[:3])) + ".")
    return " ".join(parts)


def _shared(pair: Pair) -> str:
    return f"{pair.right.label} on {', '.join(' '.join(stratum) for stratum in pair.strata)}"


def _matrix_table(name: str, title: str, matrix: Matrix, comparison: Comparison) -> Table:
    caption = ("Mean over splits. " if name == "methods" else "") + _over_models(comparison)
    return Table(
        name,
        title,
        ("method", *(" ".join(column).strip() for column in matrix.columns)),
        tuple((Cell(row.name), *_figures(matrix, row)) for row in matrix.rows),
        f"{caption} The highest is bold.",
        sections=frozenset(place + 1 for place, row in enumerate(matrix.rows) if row.average),
    )


def _over_models(comparison: Comparison) -> str:
    """Over how many models the means are: of each method over those that it was played with."""
    models = {
        arm.agent: len({one.model for one in comparison.arms if one.agent == arm.agent}) for arm in comparison.arms
    }
    least, most = min(models.values()), max(models.values())
    if most == 1:
        return "± is the standard error over problems."
    if least == most:
        return f"Mean over {most} models; ± is the standard error of the spread between them."
    spread = "the standard error of the spread between them, or over problems where there is one"
    return f"Mean over the models of each method, {least} to {most}; ± is {spread}."


def cot_table(comparison: Comparison) -> Table:
    """What chain of thought adds."""
    rows = tuple(
        (
            Cell(one.method),
            Cell(one.domain),
            Cell(one.split),
            Cell.count(one.models),
            Cell(signed(one.mean), one.mean, bold=one.beyond),
            Cell.of(one.error, digits=3),
            Cell.of(one.ratio, digits=1, bold=one.beyond),
        )
        for one in comparison.cot
    )
    return Table(
        "cot",
        "Chain of thought: with minus without",
        ("method", "domain", "split", "models", "mean difference", "error", "ratio"),
        rows,
        f"The error is that of the rates, propagated. Bold where the difference is beyond {BEYOND:g} errors.",
        names=3,
    )


def ranking_table(ranking: Ranking) -> Table:
    """Models from best to worst."""
    rows = tuple(
        (
            Cell(f"{rank.place}", rank.place),
            Cell(rank.model),
            Cell.of(rank.success.value, rank.success.sem, digits=3, bold=rank.top),
        )
        for rank in ranking.ranks
    )
    places = ", ".join(dict.fromkeys(domain for domain, _ in ranking.strata))
    caption = f"Mean success over {' and '.join(ranking.methods)}, {places}, all splits. The first five are bold."
    if ranking.left_out:
        caption += f" Not ranked, because something is missing: {', '.join(ranking.left_out)}."
    return Table("ranking", "Models ranked", ("rank", "model", "success"), rows, caption, names=2)


def compounding_table(comparison: Comparison) -> Table:
    """Solved against questions that had to be answered right."""
    rows: list[tuple[Cell, ...]] = []
    sections: set[int] = set()
    for curve in comparison.curves:
        sections.add(len(rows))
        for number, point in enumerate(curve.points):
            span = f"{point.least}–{point.most}" if point.least != point.most else f"{point.least}"
            rows.append(
                (
                    Cell("" if number else curve.arm.label, whole=curve.arm.label),
                    Cell(span, point.needed),
                    Cell.count(point.problems),
                    Cell.of(point.solved),
                    Cell.of(point.interval.low),
                    Cell.of(point.interval.high),
                    Cell.of(point.independent),
                )
            )
    return Table(
        "compounding",
        "Solved against questions that had to be answered right",
        ("run", "questions", "problems", "solved", "from", "to", "if independent"),
        tuple(rows),
        "Questions are those that a model is asked whose every answer is right. Solved is from where to where with 95% "
        "confidence (Wilson). The last column is the accuracy of a single answer to the power of their number.",
        sections=frozenset(sections),
    )


def problems_table(pairs: Sequence[Pair]) -> Table:
    """Every problem side by side, and where the courses part first."""
    several = len(pairs) > 1
    title = "Problem by problem" if several else f"{pairs[0].left.label} (left), {pairs[0].right.label} (right)"
    return Table(
        "problems",
        title,
        (
            *(("left run", "right run") if several else ()),
            *("where", "problem", "left", "right", "step", "parts in", "left there", "right there", "truth"),
        ),
        tuple(_problem_row(pair, match, several) for pair in pairs for match in pair.matches),
        "Where the courses part first: after how many attempts, in what, and what stands on either side.",
        names=9 + 2 * several,
        least=("truth", "where"),
    )


def _problem_row(pair: Pair, match: Match, several: bool) -> tuple[Cell, ...]:
    parting = match.divergence
    return (
        *((Cell(pair.left.label), Cell(pair.right.label)) if several else ()),
        Cell(" ".join(match.stratum)),
        Cell(match.problem),
        Cell(_outcome(float(match.left_rate)), page=match.left[0].page),
        Cell(_outcome(float(match.right_rate)), page=match.right[0].page),
        Cell(NONE) if parting is None else Cell(f"{parting.step}", parting.step),
        Cell(match.parting),
        *(_told(getattr(parting, side) if parting else ()) for side in ("left", "right", "truth")),
    )


def partings(pair: Pair) -> str:
    """How many problems part in what, the most frequent first."""
    counted = Counter(match.parting for match in pair.matches)
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


def unknown_courses(pairs: Sequence[Pair]) -> Iterator[str]:
    """One line for every pair with problems of which it is not known where the courses part."""
    for pair in pairs:
        unknown = [match for match in pair.matches if match.unknown]
        if unknown:
            several = f"{plural(len(unknown), 'problem')}, the first " if len(unknown) > 1 else ""
            yield f"not known where the courses part: {several}{unknown[0].problem} ({unknown[0].unknown})"


def _outcome(rate: float) -> str:
    return {1.0: "solved", 0.0: "failed"}.get(rate, f"{rate:.2f}")


def _told(pieces: Sequence[str]) -> Cell:
    more = f"; and {len(pieces) - FEW} more" if len(pieces) > FEW else ""
    return Cell("; ".join(pieces[:FEW]) + more or NONE, whole="; ".join(pieces))
