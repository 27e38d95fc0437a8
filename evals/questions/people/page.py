"""The HTML of the people's page; its contents are loaded as data."""

from __future__ import annotations

from evals.pages.markup import Html, el, joined

SCRIPTS = ("dom.js", "keys.js", "lightbox.js", "forms.js", "order.js", "review.js", "score.js", "people.js")
TITLES = {"answer": "Answer questions", "review": "Review questions", "score": "Score questions"}


def people_page(name: str, mode: str, annotator: str, token: str) -> str:
    """The whole page."""
    head = joined(
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="plumbline-people", content=token, data_mode=mode, data_set=name, data_who=annotator),
        el("title", f"{TITLES[mode]}: {name}"),
        _link("icon", "icon.svg"),
        *(_link("stylesheet", f"{style}.css") for style in ("report", "controls", "lightbox", "people")),
    )
    bar = el(
        "div",
        el("span", "Plumbline", class_="brand"),
        el("span", name, class_="set"),
        el("span", annotator, id="who"),
        el("span", id="progress", role="status"),
        el("button", "keys", el("kbd", "?"), id="help", type="button"),
        class_="bar",
    )
    body = joined(
        bar,
        el("div", el("i"), id="done", class_="done"),
        el("main", el("noscript", el("p", "This page needs scripts.", class_="notice")), id="main"),
        *(el("script", src=f"assets/{script}") for script in SCRIPTS),
    )
    return f"<!doctype html>\n{el('html', el('head', head), el('body', body), lang='en')}\n"


def _link(rel: str, name: str) -> Html:
    return Html(el("link", rel=rel, href=f"assets/{name}").removesuffix("</link>"))
