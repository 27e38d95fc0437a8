"""HTML from small functions. Plain text is escaped wherever it goes in; only `Html` passes as it is."""

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
    """The value as markup; markup stays what it is."""
    return value if isinstance(value, Html) else Html(escape(str(value)))


def joined(*parts: Child, between: str = "") -> Html:
    """The parts one after the other; None is left out."""
    return Html(between.join(text(part) for part in parts if part is not None))


def el(name: str, /, *children: Child, **attributes: Attribute) -> Html:
    """An element. `class_` is written `class`, `font_size` is `font-size`; None and False leave an attribute out."""
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
    """A whole page that needs nothing but itself."""
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
    """A file of this package, as it is."""
    return Html((HERE / name).read_text(encoding="utf-8"))


def write_aside(path: Path, content: str) -> Path:
    """Write a file that nobody ever sees half written."""
    part = path.with_name(f"{path.name}.{os.getpid()}.part")
    try:
        # A model's reply may hold halves of characters that cannot be written down.
        part.write_text(content, encoding="utf-8", errors="replace")
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return path


def table(head: list[Child], rows: list[list[Child]], *, caption: Child = None, class_: str | None = None) -> Html:
    """A table whose first column names its rows. Wide ones scroll by themselves."""
    columns = el("tr", *(el("th", name, scope="col") for name in head))
    lines = (el("tr", el("th", row[0], scope="row"), *(el("td", cell) for cell in row[1:])) for row in rows)
    inner = joined(el("caption", caption) if caption else None, el("thead", columns), el("tbody", *lines))
    return el("div", el("table", inner, class_=class_), class_="scroll")


def section(id: str, title: str, *body: Child) -> Html:
    """A part of the page with its heading."""
    return el("section", el("h2", title), *body, id=id)
