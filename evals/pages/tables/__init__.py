"""Tables: one value, shown in a terminal or a page and written as CSV, LaTeX or Markdown.

    table = Table.of("Success", ["agent", "simple", "hard"], [["ground", 0.9, 0.4], ["plan", 0.3, None]])
    print_table(table)

A cell holds what a reader sees and the number behind it. The terminal and the page show the former, CSV the latter.
"""

from evals.pages.tables.display import as_html, as_text, fit_width, print_table, rich_table, terminal
from evals.pages.tables.export import as_csv, as_document, as_latex, as_markdown, latex_escaped, safe, write_rows
from evals.pages.tables.table import Cell, Column, Content, Table, signed, uniquely_named, without_column

__all__ = [
    "Cell",
    "Column",
    "Content",
    "Table",
    "as_csv",
    "as_document",
    "as_html",
    "as_latex",
    "as_markdown",
    "as_text",
    "fit_width",
    "latex_escaped",
    "print_table",
    "rich_table",
    "safe",
    "signed",
    "terminal",
    "uniquely_named",
    "without_column",
    "write_rows",
]
