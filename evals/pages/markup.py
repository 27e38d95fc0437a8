"""HTML from small functions. Plain text is always escaped; only values of type `Html` are inserted unchanged."""

from __future__ import annotations

import os
from functools import cache
from html import escape
from pathlib import Path
from typing import TypeAlias

HERE = Path(__file__).parent


class Html(str):
    """Text that is markup already."""

    __slots__ = ()


Child: TypeAlias = str | int | None
Attribute: TypeAlias = str | int | float | bool | None
NOTHING = Html("")
_VOID = frozenset({"img", "meta", "br", "hr"})


def text(value: object) -> Html:
    """Escape a value; `Html` is returned unchanged."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def joined(*parts: Child, between: str = "") -> Html:
    """Concatenate the parts, without those that are None."""
    return Html(between.join(text(part) for part in parts if part is not None))


def el(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element. `class_` becomes `class`, `font_size` becomes `font-size`; None and False omit an attribute."""
    written = "".join(
        f" {_name(key)}" if value is True else f' {_name(key)}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _VOID:
        return Html(f"<{name}{written}>")
    return Html(f"<{name}{written}>{joined(*children)}</{name}>")


@cache
def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def document(title: str, *body: Child) -> str:
    """A complete page with its style sheet inline, so that it needs no other file."""
    head = joined(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("title", title),
        el("style", asset("style.css")),
    )
    page = el("html", el("head", head), el("body", el("main", *body)), lang="en")
    return f"<!doctype html>\n{page}\n"


@cache
def asset(name: str) -> Html:
    """The contents of a file of this package, unescaped."""
    return Html((HERE / name).read_text(encoding="utf-8"))


def write_atomically(path: Path, content: str) -> Path:
    """Write to a temporary file and rename it, so that no reader sees a half-written file."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        # A model's reply may contain lone surrogates, which UTF-8 cannot encode.
        part.write_text(content, encoding="utf-8", errors="replace")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def table(head: list[Child], rows: list[list[Child]], *, caption: Child = None, class_: str | None = None) -> Html:
    """A table whose first column holds the row headings. A wide table scrolls within the page."""
    columns = el("tr", *(el("th", name, scope="col") for name in head))
    lines = (el("tr", el("th", row[0], scope="row"), *(el("td", cell) for cell in row[1:])) for row in rows)
    inner = joined(el("caption", caption) if caption else None, el("thead", columns), el("tbody", *lines))
    return el("div", el("table", inner, class_=class_), class_="scroll")


def section(id: str, title: str, *body: Child) -> Html:
    """A section of the page with its heading."""
    return el("section", el("h2", title), *body, id=id)
