"""The page of two episodes side by side. The address names them, and a script loads their data."""

from __future__ import annotations

from evals.pages.markup import el
from evals.view.frame import page

PARTS = ("scenes", "lightbox", "grid", "parting", "beside")


def beside_page(token: str | None) -> str:
    """The whole page."""
    body = [
        el("nav", el("a", "All runs", href="index.html")),
        el("header", el("h1", "Side by side")),
        el("div", id="parting"),
        el("div", id="sides", class_="sides"),
        el("div", id="steps"),
    ]
    scripts = [f"{part}.js" for part in PARTS]
    return page("Side by side", *body, depth=0, scripts=scripts, token=token, class_="besides")
