"""The figures of a comparison as tables."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from evals.compare.ends import ends_table
from evals.compare.exhibits import table_needs
from evals.compare.figures import Comparison
from evals.compare.matrices import Estimate, Matrix, Row
from evals.compare.pairs import Match, Pair
from evals.compare.reliability import reliability_table
from evals.pages.tables import Cell, Table, signed
from evals.pages.wording import NONE, plural, spaced
from evals.run.power import POWER
from evals.run.scores import formula

ALPHA = 0.05
FEW = 3
"""How many differing answers are shown."""
WIDE = 100
"""How many characters of an answer are shown; CSV has all of them."""


def tables_of(comparison: Comparison, wanted: Sequence[str] | None = None) -> Iterator[Table]:
    """The tables with these names, or all but `problems`, in reading order."""

    def asked(name: str) -> bool:
        return name in wanted if wanted else name != "problems"

    if asked("success"):
        yield from (success_table(domain, matrix, comparison) for domain, matrix in comparison.success.items())
    if asked("pairs") and comparison.pairs:
        yield pairs_table(comparison)
    if asked("ends"):
        yield from ends_table(comparison.arms)
    if asked("reliability"):
        yield from reliability_table(comparison.arms)
    for exhibit in comparison.exhibits:
        if asked(exhibit.name) and (exhibit.shown or wanted):
            yield from exhibit.tables
    if asked("problems") and comparison.pairs:
        yield problems_table(comparison.pairs)


def left_out(comparison: Comparison, wanted: Sequence[str] | None) -> Iterator[str]:
    """Lines about requested tables that these runs do not have."""
    given = {table.name for table in tables_of(comparison, wanted)} if wanted else set()
    for name, need in table_needs().items():
        if name in (wanted or ()) and name not in given:
            yield f"no table {name}: it takes {need}"


def success_table(domain: str, matrix: Matrix, comparison: Comparison) -> Table:
    """Every arm on every split of a domain."""
    judging = next(arm.judging for arm in comparison.arms if any(one == domain for one, _ in arm.strata))
    everything = "mean" if judging.overall[:1] == ("split",) else "all"
    notes = ["In brackets: the 95% interval (Wilson)"]
    if judging.cluster != "problem" and any(
        judging.cluster in one.tags for arm in comparison.arms for one in arm.played
    ):
        notes[0] += f", with questions of one {spaced(judging.cluster)} counted together"
    if len(matrix.columns) > 1 and everything == "all":
        notes.append(f"All: {formula(judging.overall)}")
    notes.append("Episodes that were cut short, or that the agent's own code ended, do not count")
    return Table.of(
        f"Success, {domain}",
        ("agent", "model", *(split or everything for _, split in matrix.columns)),
        ((Cell(row.name), Cell(row.model), *cells_of(matrix, row, ranged)) for row in matrix.rows),
        words=2,
        notes=[". ".join(notes) + "."],
        name="success",
    )


def ranged(estimate: Estimate, *, bold: bool = False, digits: int = 2) -> Cell:
    """A rate with its interval."""
    bounds = (estimate.interval.low, estimate.interval.high) if estimate.interval else None
    return Cell.of(estimate.value, estimate.sem, interval=bounds, digits=digits, bold=bold)


def with_error(estimate: Estimate, *, bold: bool = False, digits: int = 2) -> Cell:
    """A rate with its standard error, unless that is 0, which would overstate certainty."""
    if estimate.sem is not None and not round(estimate.sem, digits):
        return Cell(f"{estimate.value:.{digits}f}", estimate.value, estimate.sem, bold=bold)
    return Cell.of(estimate.value, estimate.sem, digits=digits, bold=bold)


def cells_of(matrix: Matrix, row: Row, shown: Callable[..., Cell]) -> list[Cell]:
    """The cells of a row; the best of a column is bold if there are several."""
    several = sum(not other.average for other in matrix.rows) > 1
    return [
        shown(cell, bold=several and not row.average and cell.value == matrix.best(place) != 0) if cell else Cell(NONE)
        for place, cell in enumerate(row.cells)
    ]


def matrix_table(name: str, title: str, matrix: Matrix, note: str) -> Table:
    """Methods by domain or by split, with a rule after each average."""
    return Table.of(
        title,
        ("method", *(" ".join(column).strip() for column in matrix.columns)),
        ((Cell(row.name), *cells_of(matrix, row, with_error)) for row in matrix.rows),
        notes=[f"{note} The highest is bold."],
        name=name,
        sections=(place + 1 for place, row in enumerate(matrix.rows) if row.average),
    )


def pairs_table(comparison: Comparison) -> Table:
    """The paired tests."""
    one = comparison.baseline is not None
    names = ("with",) if one else ("left", "with")
    figures = ("problems", "left", "right", "right − left", "from", "to", "detectable", "only left", "only right")
    rows = []
    for pair in comparison.pairs:
        labels = (Cell(pair.right.label),) if one else (Cell(pair.left.label), Cell(pair.right.label))
        rows.append((*labels, *_pair_cells(pair)))
    return Table.of(
        f"Paired with {comparison.baseline.label} (left)" if comparison.baseline else "Every two, paired",
        (*names, *figures, "p", "mid-p", "Holm", "BH", "left out"),
        rows,
        words=len(names),
        notes=[_pairs_note(comparison.pairs)],
        name="pairs",
        least=("mid-p", "BH", "detectable", "only left", "only right", "problems", "left out", "p"),
    )


def _pair_cells(pair: Pair) -> tuple[Cell, ...]:
    counts = pair.table
    found = pair.holm < ALPHA
    # If no problem differs, the bootstrap is uninformative.
    bounds = (pair.interval.low, pair.interval.high) if any(match.difference for match in pair.matches) else ()
    return (
        Cell.count(len(pair.matches)),
        Cell.of(pair.left_success),
        Cell.of(pair.right_success),
        Cell(signed(pair.difference), pair.difference, bold=found),
        *(Cell(signed(bound, 2), bound) for bound in bounds),
        *((Cell(NONE), Cell(NONE)) if not bounds else ()),
        Cell(NONE) if pair.detectable is None else Cell.of(pair.detectable),
        Cell.count(counts[True, False]),
        Cell.count(counts[False, True]),
        *(_p(value) for value in (pair.test.exact, pair.test.mid)),
        _p(pair.holm, bold=found),
        _p(pair.bh, bold=pair.bh < ALPHA),
        Cell.count(pair.lost + pair.unmatched),
    )


def _p(value: float, *, bold: bool = False) -> Cell:
    return Cell("<0.001" if value < 0.001 else f"{value:.3f}", value, bold=bold)


def _pairs_note(pairs: Sequence[Pair]) -> str:
    judging = pairs[0].left.judging
    units, test = "problems", "McNemar's exact test"
    if any(pair.clustered for pair in pairs):
        units = f"clusters that share a {spaced(judging.cluster)}"
        test = f"an exact sign-flip test over {units}"
    elif any(pair.repeated for pair in pairs):
        test = "an exact sign-flip test over problems, which is McNemar's where each was played once"
    mean = "mean over splits" if judging.overall == ("split",) else formula(judging.overall)
    parts = [
        f"Success on the problems that both played, {mean}, and its difference, from where to where with 95% "
        f"confidence (paired bootstrap of {units}). p is {test}; Holm and BH (Benjamini–Hochberg) correct it for "
        f"{plural(len(pairs), 'comparison')}. Bold is below {ALPHA}. Detectable: the smallest difference that "
        f"McNemar's test of one comparison finds with {POWER:.0%} power on so many {units}, if as many as here go "
        "against it."
    ]
    if lost := sum(pair.lost for pair in pairs):
        parts.append(f"{plural(lost, 'pair')} of episodes left out because one was cut short.")
    partial = [pair for pair in pairs if set(pair.strata) != set(pair.left.strata) | set(pair.right.strata)]
    if partial:
        parts.append("Some pairs share only part of what they played: " + "; ".join(map(_shared, partial[:3])) + ".")
    return " ".join(parts)


def _shared(pair: Pair) -> str:
    return f"{pair.right.label} on {', '.join(' '.join(stratum) for stratum in pair.strata)}"


def problems_table(pairs: Sequence[Pair]) -> Table:
    """Every problem side by side, with the first divergence. Cells link to pages of episodes."""
    several = len(pairs) > 1
    return Table.of(
        "Problem by problem" if several else f"{pairs[0].left.label} (left), {pairs[0].right.label} (right)",
        (
            *(("left run", "right run") if several else ()),
            *("where", "problem", "left", "right", "step", "parts in", "left there", "right there", "truth"),
        ),
        (_problem_row(pair, match, several) for pair in pairs for match in pair.matches),
        words=9 + 2 * several,
        notes=["The first divergence: after how many attempts, in what, and what either side has."],
        name="problems",
        least=("truth", "where"),
    )


def _problem_row(pair: Pair, match: Match, several: bool) -> tuple[Cell, ...]:
    divergence = match.divergence
    left, right = _page(match.left[0].page), _page(match.right[0].page)
    words = ("right", "wrong") if pair.left.judging.of_questions else ("solved", "failed")
    return (
        *((Cell(pair.left.label), Cell(pair.right.label)) if several else ()),
        Cell(" ".join(match.stratum)),
        Cell(match.problem),
        Cell(_outcome(float(match.left_rate), words), link=left),
        Cell(_outcome(float(match.right_rate), words), link=right),
        Cell(NONE) if divergence is None else Cell(f"{divergence.step}", divergence.step),
        Cell(match.divergence_kind, link=left, comparison=right) if left and right else Cell(match.divergence_kind),
        *(_listed(getattr(divergence, side) if divergence else ()) for side in ("left", "right", "truth")),
    )


def _page(path: Path | None) -> str:
    return "" if path is None else str(path)


def divergences(pair: Pair) -> str:
    """How many problems diverge in what, the most frequent first."""
    counted = Counter(match.divergence_kind for match in pair.matches)
    return ", ".join(f"{name} {count}" for name, count in counted.most_common())


def unknown_courses(pairs: Sequence[Pair]) -> Iterator[str]:
    """One line for every pair with problems whose divergence is unknown."""
    for pair in pairs:
        unknown = [match for match in pair.matches if match.unknown]
        if unknown:
            several = f"{plural(len(unknown), 'problem')}, the first " if len(unknown) > 1 else ""
            yield f"not known where the courses part: {several}{unknown[0].problem} ({unknown[0].unknown})"


def _outcome(rate: float, words: tuple[str, str]) -> str:
    return {1.0: words[0], 0.0: words[1]}.get(rate, f"{rate:.2f}")


def _listed(pieces: Sequence[str]) -> Cell:
    shown = [textwrap.shorten(piece, WIDE, placeholder=" …") for piece in pieces[:FEW]]
    more = f"; and {len(pieces) - FEW} more" if len(pieces) > FEW else ""
    return Cell("; ".join(shown) + more or NONE, full_text="; ".join(pieces))
