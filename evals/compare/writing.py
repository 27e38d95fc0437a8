"""Write a comparison to files: tables as CSV and LaTeX, plots as SVG, everything as JSON, and an HTML page."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from evals.compare.arms import Arm, Unusable
from evals.compare.courses import Divergence
from evals.compare.drawings import as_file, drawings_of
from evals.compare.ends import ends_figures
from evals.compare.figures import Comparison
from evals.compare.listing import tables_of
from evals.compare.page import page
from evals.compare.pairs import Match, Pair
from evals.compare.reliability import reliability_figures
from evals.pages.markup import write_atomically
from evals.pages.tables import as_csv, as_document, uniquely_named
from evals.run.trace import dumped


def write(comparison: Comparison, folder: Path) -> Path:
    """Write everything to a folder; the path of the page."""
    tables, drawings = list(tables_of(comparison)), list(drawings_of(comparison))
    problems = list(tables_of(comparison, ["problems"]))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for table in uniquely_named([*tables, *problems]):
            write_atomically(folder / f"{table.name}.csv", as_csv(table))
        write_atomically(folder / "tables.tex", as_document(tables, latex=True))
        for drawing in drawings:
            write_atomically(folder / f"{drawing.name}.svg", as_file(drawing))
        write_atomically(folder / "comparison.json", dumped(as_json(comparison)))
        return write_atomically(folder / "index.html", page(comparison, tables, drawings, folder))
    except OSError as error:
        raise Unusable(f"cannot write to {folder}: {error.strerror or error}") from None


def as_json(comparison: Comparison) -> dict[str, Any]:
    """The comparison as JSON."""
    return {
        "runs": [_arm(arm) for arm in comparison.arms],
        "baseline": comparison.baseline.label if comparison.baseline else None,
        "warnings": list(comparison.warnings),
        "unlike": list(comparison.forced),
        "notes": list(comparison.notes),
        "success": [{**key._asdict(), **asdict(rate)} for key, rate in comparison.scores.items()],
        **{name: figures for exhibit in comparison.exhibits for name, figures in exhibit.figures.items()},
        "pairs": [_pair(pair) for pair in comparison.pairs],
    }


def _arm(arm: Arm) -> dict[str, Any]:
    return {
        "label": arm.label,
        "method": arm.method,
        "cot": arm.cot,
        "model": arm.model,
        "runs": [part.path for part in arm.parts],
        "seeds": sorted(arm.seeds),
        "episodes": len(arm.played),
        "lost": arm.lost,
        "missing": arm.missing,
        "ends": ends_figures(arm),
        "reliability": reliability_figures(arm),
    }


def _pair(pair: Pair) -> dict[str, Any]:
    table = pair.table
    return {
        "left": pair.left.label,
        "right": pair.right.label,
        "problems": len(pair.matches),
        "lost": pair.lost,
        "unmatched": pair.unmatched,
        "both": table[True, True],
        "only_left": table[True, False],
        "only_right": table[False, True],
        "neither": table[False, False],
        "left_success": pair.left_success,
        "right_success": pair.right_success,
        "difference": pair.difference,
        "detectable": pair.detectable,
        "interval": [pair.interval.low, pair.interval.high],
        "p_exact": pair.test.exact,
        "p_mid": pair.test.mid,
        "p_holm": pair.holm,
        "p_bh": pair.bh,
        "by_problem": [_match(match) for match in pair.matches],
    }


def _match(match: Match) -> dict[str, Any]:
    return {
        "domain": match.stratum[0],
        "split": match.stratum[1],
        "problem": match.problem,
        "left": float(match.left_rate),
        "right": float(match.right_rate),
        "divergence": _divergence(match.divergence) if match.divergence else None,
        "divergence_unknown": match.unknown or None,
    }


def _divergence(found: Divergence) -> dict[str, Any]:
    fields = asdict(found)
    return {"parting" if name == "kind" else name: value for name, value in fields.items()}
