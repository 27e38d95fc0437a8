"""The frame of all pages of the viewer, and how they get their data.

Pages, scripts and data have the same addresses on the server as in exported files. Data are scripts too, because a page
opened as a file cannot fetch.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path

from evals.pages.markup import Child, Html, el, joined
from evals.pages.serving import POLICY

ASSETS = Path(__file__).parent / "assets"
COMPARE_STYLE = Path(__file__).parent.parent / "compare" / "style.css"
SHARED = ("report.css", "controls.css", "lightbox.css")
BASIC = ("dom.js", "store.js", "keys.js", "copy.js", "live.js")


def page(
    title: str,
    *body: Child,
    depth: int,
    data: Sequence[str] = (),
    scripts: Sequence[str] = (),
    styles: Sequence[str] = (),
    token: str | None = None,
    live: tuple[str, Mapping[str, object]] | None = None,
    class_: str | None = None,
) -> str:
    """A complete page, `depth` folders below the root.

    With a `token`, which only a server has, readers can give labels and the page follows a live run: `live` is the
    address of the run's state, and its value when the page was made.
    """
    up = "../" * depth
    head = joined(
        el("meta", charset="utf-8"),
        None if token else el("meta", http_equiv="Content-Security-Policy", content=POLICY),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("meta", name="color-scheme", content="light dark"),
        el("meta", name="plumbline-token", content=token, data_labels=f"{up}labels") if token else None,
        _live(*live) if token and live else None,
        el("title", title),
        _link("icon", f"{up}assets/icon.svg"),
        *(_link("stylesheet", f"{up}assets/{name}") for name in (*SHARED, *styles, "view.css")),
    )
    sources = [f"{up}assets/{name}" for name in BASIC] + list(data) + [f"{up}assets/{name}" for name in scripts]
    brand = el("a", "Plumbline", href=f"{up}index.html", class_="brand")
    bar = el("div", brand, el("button", "keys", el("kbd", "?"), id="help", type="button"), class_="bar")
    noscript = el("noscript", el("p", "This page needs scripts. report.html of the run does not.", class_="notice"))
    written = (el("script", src=source) for source in sources)
    inner = el("body", bar, el("main", noscript, *body, class_=class_), *written)
    return f"<!doctype html>\n{el('html', el('head', head), inner, lang='en')}\n"


def _live(address: str, state: Mapping[str, object]) -> Html:
    running = "yes" if state["running"] else "no"
    return el("meta", name="plumbline-live", content=address, data_stamp=str(state["stamp"]), data_running=running)


def _link(rel: str, href: str) -> Html:
    return Html(el("link", rel=rel, href=href).removesuffix("</link>"))


def data_script(name: str, value: object) -> str:
    """A script that passes a value to the page.

    The value is a string for JSON.parse, not a literal, which is faster and safe from special names.
    """
    try:
        written = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    except ValueError:  # a foreign trace may hold NaN or infinity
        written = json.dumps(_finite(value), ensure_ascii=False, separators=(",", ":"))
    quoted = written.replace("\\", "\\\\").replace("'", "\\'").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    return f"plumbline.take({json.dumps(name)}, '{quoted}');\n"


def _finite(value: object) -> object:
    """The value with NaN and infinity replaced by None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {name: _finite(one) for name, one in value.items()}
    return [_finite(one) for one in value] if isinstance(value, list | tuple) else value
