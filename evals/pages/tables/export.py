"""Tables as text for other programs: CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evals.pages.tables.table import Cell, Table, uniquely_named
from evals.pages.terminal import inert
from evals.pages.wording import NONE

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)")


def safe(text: str, *, numbers: bool = True) -> str:
    """Text that a spreadsheet does not interpret as a formula, nor a terminal as escape codes."""
    text = inert(text)
    return f"'{text}" if text.startswith(_FORMULA) and not (numbers and _NUMBER.fullmatch(text)) else text


def as_csv(table: Table) -> str:
    """The table as CSV with plain numbers; errors and intervals get columns of their own after the number's."""
    extras = [_extra_columns(table, place) for place in range(len(table.columns))]
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    heads = ((name, *(f"{name} {extra}" for extra in more)) for name, more in zip(table.head, extras, strict=True))
    lines.writerow([safe(name) for names in heads for name in names])
    for row in table.rows:
        lines.writerow([piece for cell, more in zip(row, extras, strict=True) for piece in _plain(cell, more)])
    return out.getvalue()


def _extra_columns(table: Table, place: int) -> tuple[str, ...]:
    """The names of the extra CSV columns that a column needs."""
    cells = [row[place] for row in table.rows]
    errors = ("SEM",) if any(cell.error is not None for cell in cells) else ()
    return (*errors, *(("low", "high") if any(cell.interval for cell in cells) else ()))


def _plain(cell: Cell, extras: Sequence[str]) -> Iterator[str]:
    written = cell.full_text or ("" if cell.text == NONE else cell.text)
    yield safe(written) if cell.value is None else f"{cell.value:.10g}"
    low, high = cell.interval or (None, None)
    known = {"SEM": cell.error, "low": low, "high": high}
    for name in extras:
        value = known[name]
        yield "" if value is None else f"{value:.10g}"


def write_rows(path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> None:
    """Write rows of plain values as CSV. The columns are by default those of the first row."""
    if not rows and columns is None:
        raise ValueError(f"{path}: there are no rows to write")
    names = list(rows[0] if columns is None else columns)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writerow({name: safe(name) for name in names})
        for row in rows:
            writer.writerow({name: safe(value) if isinstance(value, str) else value for name, value in row.items()})


_LATEX = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"} | {
    character: f"\\{character}" for character in "&%$#_{}"
}
_MATHS = {
    "±": r"$\pm$",
    "−": "$-$",
    "·": r"$\cdot$",
    "–": "--",
    "×": r"$\times$",
    "…": r"\dots{}",
    "<": "$<$",
    ">": "$>$",
}


def as_latex(table: Table) -> str:
    """A `table` environment that uses the booktabs package."""
    caption = " ".join([f"{table.title}.", *table.notes]) if table.title else " ".join(table.notes)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{latex_escaped(caption)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{''.join(column.align[0] for column in table.columns)}}}",
        r"\toprule",
        f"{' & '.join(latex_escaped(name) for name in table.head)} \\\\",
        r"\midrule",
    ]
    for place, row in enumerate(table.rows):
        if place in table.sections and place:
            lines.append(r"\midrule")
        cells = (rf"\textbf{{{latex_escaped(cell.text)}}}" if cell.bold else latex_escaped(cell.text) for cell in row)
        lines.append(f"{' & '.join(cells)} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def latex_escaped(text: str) -> str:
    """Text with LaTeX's special characters escaped."""
    special = {**_LATEX, **_MATHS}
    return re.sub(r"[\\~^&%$#_{}±−·–×…<>]", lambda found: special[found[0]], inert(text))


def as_markdown(table: Table) -> str:
    """A table in GitHub-flavoured Markdown, with its title in bold."""
    lines = [f"**{_marked(table.title)}**", ""] if table.title else []
    lines.append(_line(_marked(name) for name in table.head))
    lines.append(_line("---" if column.align == "left" else "---:" for column in table.columns))
    for row in table.rows:
        lines.append(_line(f"**{_marked(cell.text)}**" if cell.bold else _marked(cell.text) for cell in row))
    for note in table.notes:
        lines += ["", _marked(note)]
    return "\n".join([*lines, ""])


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _marked(text: str) -> str:
    """Text on one line with Markdown's special characters escaped."""
    special = r"[\\|*`<&]|(?<!\w)_|_(?!\w)|\](?=[(\[])"
    return re.sub(special, lambda found: f"\\{found[0]}", inert(" ".join(text.split())))


def as_document(tables: Iterable[Table], *, latex: bool) -> str:
    """Several tables as one LaTeX or CSV text."""
    if latex:
        return "\n".join(as_latex(table) for table in uniquely_named(tables))
    return "\n".join(f"# {inert(table.title)}\n{as_csv(table)}" for table in tables)
