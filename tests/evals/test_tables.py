"""Tables: one value, the same figures in a terminal, a page, CSV, LaTeX and Markdown, and no markup out of a name."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evals.pages.tables import (
    Cell,
    Column,
    Table,
    as_csv,
    as_document,
    as_html,
    as_latex,
    as_markdown,
    as_text,
    latex_escaped,
    safe,
    signed,
    uniquely_named,
    write_rows,
)

SIMPLE = Table.of(
    "Success",
    ["agent", "n", "simple", "hard"],
    [["ground", 1200, 0.9, None], ["plan", 3, Cell.of(2 / 3, interval=(0.208, 0.939), bold=True), Cell.of(0.5, 0.1)]],
    notes=["Three episodes say little."],
    name="success",
    sections=[1],
    least=["n", "hard"],
)


def test_plain_values_are_cells() -> None:
    assert [cell.text for cell in SIMPLE.rows[0]] == ["ground", "1,200", "0.90", "–"]
    assert [cell.text for cell in SIMPLE.rows[1]] == ["plan", "3", "0.67 [0.21, 0.94]", "0.50 ± 0.10"]
    assert [column.align for column in SIMPLE.columns] == ["left", "right", "right", "right"]


def test_a_table_whose_rows_do_not_fit_is_an_error() -> None:
    with pytest.raises(ValueError, match="does not have 2 cells"):
        Table.of("T", ["a", "b"], [["1"]])


def test_a_terminal_shows_title_rows_and_notes() -> None:
    lines = as_text(SIMPLE).splitlines()
    assert lines[0] == "Success"
    assert lines[-1] == "Three episodes say little."
    assert any(line.split() == ["ground", "1,200", "0.90", "–"] for line in lines)


@pytest.mark.parametrize(("width", "kept"), [(60, ["n", "hard"]), (41, ["hard"]), (30, [])])
def test_a_narrow_terminal_leaves_out_the_least_important_first(width: int, kept: list[str]) -> None:
    head = as_text(SIMPLE, width).splitlines()[2].split()
    assert [name for name in head if name in ("n", "hard")] == kept
    assert {"agent", "simple"} <= set(head)


def test_names_are_no_markup_in_a_terminal() -> None:
    shown = as_text(Table.of("[bold]T[/bold]", ["[i]a[/i]"], [["[red]x[/red]"]], notes=["[b]n[/b]"]))
    assert all(name in shown for name in ("[bold]T[/bold]", "[i]a[/i]", "[red]x[/red]", "[b]n[/b]"))


def test_csv_has_numbers_errors_and_intervals_apart() -> None:
    first, second = csv.DictReader(io.StringIO(as_csv(SIMPLE)))
    assert list(first) == ["agent", "n", "simple", "simple low", "simple high", "hard", "hard SEM"]
    assert first == {
        **{"agent": "ground", "n": "1200", "simple": "0.9", "simple low": "", "simple high": ""},
        **{"hard": "", "hard SEM": ""},
    }
    assert float(second["simple"]) == pytest.approx(2 / 3)
    assert (second["simple low"], second["simple high"], second["hard SEM"]) == ("0.208", "0.939", "0.1")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("-0.5", "-0.5"),
        ("+3", "+3"),
        ("-1e-05", "-1e-05"),
        ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
        ("ground", "ground"),
        ("", ""),
    ],
)
def test_no_cell_is_a_formula(text: str, written: str, tmp_path: Path) -> None:
    assert safe(text) == written
    ((cell,),) = list(csv.reader(io.StringIO(as_csv(Table.of("T", ["a"], [[text]])))))[1:]
    assert cell == written
    write_rows(tmp_path / "rows.csv", [{"a": text, "b": -0.5}])
    with (tmp_path / "rows.csv").open(newline="") as file:
        assert list(csv.DictReader(file)) == [{"a": written, "b": "-0.5"}]


def test_a_heading_is_no_formula_either() -> None:
    assert as_csv(Table.of("T", ["=a"], [["x"]])) == "'=a\nx\n"


def test_rows_need_columns(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="no rows to write"):
        write_rows(tmp_path / "rows.csv", [])
    write_rows(tmp_path / "rows.csv", [], ["a", "b"])
    assert (tmp_path / "rows.csv").read_text() == "a,b\n"


def test_latex_has_as_many_cells_as_columns_in_every_row() -> None:
    text = as_latex(SIMPLE)
    assert r"\begin{tabular}{lrrr}" in text
    assert r"\caption{Success. Three episodes say little.}" in text
    assert r"\textbf{0.67 [0.21, 0.94]}" in text
    lines = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {4}
    assert text.count(r"\midrule") == 2


@given(st.text(max_size=30))
def test_whatever_a_name_is_latex_prints_it(text: str) -> None:
    written = latex_escaped(text)
    bare = re.sub(
        r"\\(textbackslash|textasciitilde|textasciicircum|dots)\{\}|\$(\\?\w+|[-<>])\$|\\[&%$#_{}]", "", written
    )
    assert not set(bare) & set("\\~^&%$#_{}")


def test_markdown_is_aligned_and_names_stay_text() -> None:
    table = Table.of("A|B", ["agent", "n"], [["ground_mem", 1], ["<b>*x*|`y`\n[z](w)", 2]], notes=["So it is."])
    assert as_markdown(table).splitlines() == [
        r"**A\|B**",
        "",
        "| agent | n |",
        "| --- | ---: |",
        "| ground_mem | 1 |",
        r"| \<b>\*x\*\|\`y\` [z\](w) | 2 |",
        "",
        "So it is.",
    ]


@given(st.lists(st.text(max_size=20), min_size=2, max_size=2))
def test_a_row_of_markdown_has_its_cells_whatever_they_say(texts: list[str]) -> None:
    line = as_markdown(Table.of("", ["a", "b"], [texts])).split("\n")[2]
    assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3


def test_html_escapes_and_links() -> None:
    cells = [Cell("<i>x</i>", link="view?a=1&b=2"), Cell.of(1.0, bold=True)]
    page = as_html(Table("T", (Column("<a>", "left"), Column("n")), ((cells[0], cells[1]),), ("note",)))
    assert "<i>" not in page
    assert '<a href="view?a=1&amp;b=2">&lt;i&gt;x&lt;/i&gt;</a>' in page
    assert "<strong>1.00</strong>" in page
    assert "<caption>note</caption>" in page


def test_tables_of_a_kind_have_names_of_their_own() -> None:
    assert [table.name for table in uniquely_named([SIMPLE, SIMPLE])] == ["success", "success-2"]
    labels = re.findall(r"\\label\{(.*?)\}", as_document([SIMPLE, SIMPLE], latex=True))
    assert labels == ["tab:success", "tab:success-2"]
    assert as_document([SIMPLE], latex=False).startswith("# Success\nagent,")


@pytest.mark.parametrize(("value", "shown"), [(0.1234, "+0.123"), (-0.5, "−0.500"), (-0.0001, "0.000"), (0.0, "0.000")])
def test_differences_have_their_sign_and_nothing_has_none(value: float, shown: str) -> None:
    assert signed(value) == shown
