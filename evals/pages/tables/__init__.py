"""Tables: one value, shown in a terminal or a page and written as CSV, LaTeX or Markdown.

    table = Table.of("Success", ["agent", "simple", "hard"], [["ground", 0.9, 0.4], ["plan", 0.3, None]])
    print_table(table)

A cell holds what a reader sees and the number behind it. The terminal and the page show the former, CSV the latter.
"""

from evals.pages.tables.shown import as_html, as_text, fitting, print_table, rich_table, terminal
from evals.pages.tables.value import Cell, Column, Content, Table, named, signed, without
from evals.pages.tables.written import as_csv, as_latex, as_markdown, escaped, safe, together, write_rows

__all__ = [
    "Cell",
    "Column",
    "Content",
    "Table",
    "as_csv",
    "as_html",
    "as_latex",
    "as_markdown",
    "as_text",
    "escaped",
    "fitting",
    "named",
    "print_table",
    "rich_table",
    "safe",
    "signed",
    "terminal",
    "together",
    "without",
    "write_rows",
]
