"""Tables as text that other programs read: CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from evals.pages.tables.value import Cell, Table, named
from evals.pages.terminal import inert
from evals.pages.wording import NONE

_FORMULA = tuple("=+-@\t\r\n＝＋－＠")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(inf|nan)")


def safe(text: str, *, numbers: bool = True) -> str:
    """Text that no spreadsheet takes for a formula and no terminal for a command."""
    text = inert(text)
    return f"'{text}" if text.startswith(_FORMULA) and not (numbers and _NUMBER.fullmatch(text)) else text


def as_csv(table: Table) -> str:
    """Plain numbers; the error and the interval of a column in columns of their own behind it."""
    behind = [_behind(table, place) for place in range(len(table.columns))]
    out = io.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    heads = ((name, *(f"{name} {one}" for one in more)) for name, more in zip(table.head, behind, strict=True))
    lines.writerow([safe(name) for names in heads for name in names])
    for row in table.rows:
        lines.writerow([piece for cell, more in zip(row, behind, strict=True) for piece in _plain(cell, more)])
    return out.getvalue()


def _behind(table: Table, place: int) -> tuple[str, ...]:
    """What else is known of the numbers in a column."""
    cells = [row[place] for row in table.rows]
    errors = ("SEM",) if any(cell.error is not None for cell in cells) else ()
    return (*errors, *(("low", "high") if any(cell.interval for cell in cells) else ()))


def _plain(cell: Cell, behind: Sequence[str]) -> Iterator[str]:
    written = cell.whole or ("" if cell.text == NONE else cell.text)
    yield safe(written) if cell.value is None else f"{cell.value:.10g}"
    low, high = cell.interval or (None, None)
    known = {"SEM": cell.error, "low": low, "high": high}
    for name in behind:
        value = known[name]
        yield "" if value is None else f"{value:.10g}"


def write_rows(path: Path, rows: Sequence[Mapping[str, object]], columns: Sequence[str] | None = None) -> None:
    """Write rows of plain values as CSV under the names of their columns, by default those of the first row."""
    if not rows and columns is None:
        raise ValueError(f"{path}: there is nothing to write")
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
    """A floating table for the booktabs package."""
    caption = " ".join([f"{table.title}.", *table.notes]) if table.title else " ".join(table.notes)
    lines = [
        r"\begin{table}",
        r"\centering",
        rf"\caption{{{escaped(caption)}}}",
        rf"\label{{tab:{table.name}}}",
        rf"\begin{{tabular}}{{{''.join(column.align[0] for column in table.columns)}}}",
        r"\toprule",
        f"{' & '.join(escaped(name) for name in table.head)} \\\\",
        r"\midrule",
    ]
    for place, row in enumerate(table.rows):
        if place in table.sections and place:
            lines.append(r"\midrule")
        cells = (rf"\textbf{{{escaped(cell.text)}}}" if cell.bold else escaped(cell.text) for cell in row)
        lines.append(f"{' & '.join(cells)} \\\\")
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", r"\end{table}", ""])


def escaped(text: str) -> str:
    """Text that LaTeX prints as it is."""
    special = {**_LATEX, **_MATHS}
    return re.sub(r"[\\~^&%$#_{}±−·–×…<>]", lambda found: special[found[0]], inert(text))


def as_markdown(table: Table) -> str:
    """A table as GitHub and most editors show it, with its title in bold."""
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
    """Text that Markdown shows as it is, in one line."""
    special = r"[\\|*`<&]|(?<!\w)_|_(?!\w)|\](?=[(\[])"
    return re.sub(special, lambda found: f"\\{found[0]}", inert(" ".join(text.split())))


def together(tables: Iterable[Table], *, latex: bool) -> str:
    """Several tables in one text."""
    if latex:
        return "\n".join(as_latex(table) for table in named(tables))
    return "\n".join(f"# {inert(table.title)}\n{as_csv(table)}" for table in tables)
