"""The HTML of the page; its contents are loaded as data."""

from __future__ import annotations

from evals.pages.markup import Html, el, joined

SCRIPTS = ("dom.js", "player.js")
STYLES = ("report", "player")


def player_page(who: str, token: str) -> str:
    """The whole page."""
    head = joined(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="plumbline-player", content=token),
        el("title", "Play EmbodiedEval"),
        *(Html(el("link", rel="stylesheet", href=f"assets/{name}.css").removesuffix("</link>")) for name in STYLES),
    )
    body = joined(
        el("header", el("span", "Plumbline", class_="brand"), el("span", who, id="who")),
        el(
            "main",
            el("noscript", el("p", "This page needs scripts.", class_="notice")),
            el("div", el("img", id="view", alt="what you see"), el("div", id="earlier"), id="pictures"),
            el("div", el("pre", id="text"), el("div", id="options", role="group"), el("p", id="typed"), id="choices"),
        ),
        *(el("script", src=f"assets/{script}") for script in SCRIPTS),
    )
    return f"<!doctype html>\n{el('html', el('head', head), el('body', body), lang='en')}\n"
