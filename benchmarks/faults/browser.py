"""Hostile runs in a real browser, through the viewer: their scripts must not run, and nothing is fetched."""

from __future__ import annotations

import json
import re
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

from benchmarks.faults.hostile import base_run
from benchmarks.faults.processes import Bench, NotHere, Started
from benchmarks.faults.record import Row
from tests.browser.conftest import NAMES

PAYLOADS = (
    "<script>{run}</script>",
    "</script><script>{run}</script>",
    '<img src={spy} onerror="{run}">',
    "\"><svg onload='{run}'>",
    "' onmouseover='{run}' autofocus onfocus='{run}' x='",
    '</style></title></textarea></template><iframe srcdoc="<script>parent.{run}</script>"></iframe>',
    "<link rel=stylesheet href={spy}><style>@import '{spy}'; * {{ background: url({spy}) }}</style>",
    "<meta http-equiv=refresh content='0;url={spy}'><base href={spy}>",
    '<a href="javascript:{run}" id=x>x</a><form action={spy}><button autofocus>',
    "\u2028\u2029*/{run}//'\"`${{{run}}}",
    "<!--<script>{run}/*",
    "<object data={spy}></object><embed src={spy}><video src={spy} autoplay><audio src={spy}>",
    "__proto__",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror={run}&gt;'>",
    "](javascript:{run}) ![x]({spy}) [[{spy}]]",
    "data:text/html,<script>{run}</script>",
)
RUN = "document.title='owned',window.owned=1,fetch('{spy}')"
LONGEST = 20.0
PAGES = 6
"""How many pages of a run are opened."""


@contextmanager
def chromium() -> Iterator[Any]:
    """A real browser; `NotHere` says why there is none."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        raise NotHere("there is no chromium")
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        raise NotHere("there is no playwright") from None
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error as error:
            raise NotHere(f"{path} does not start: {error.message.splitlines()[0]}") from None
        yield browser
        browser.close()


def hostile_pages(bench: Bench, row: Row) -> None:
    """Open all pages of a run whose texts are markup and scripts."""
    with chromium() as browser:
        for _ in range(5):
            _open(bench, row, browser)


def _open(bench: Bench, row: Row, browser: Any) -> None:
    cell = bench.pick(row)
    place, spy = bench.place(), f"{bench.server.root}/spy"
    place.mkdir()
    run = shutil.copytree(base_run(bench, cell), place / "run")
    names = spoil(run, bench, spy)
    asked, viewer = bench.server.count, bench.start([sys.executable, "-m", "evals.view", str(run), "--port", "0"])
    heard: list[str] = []
    opened = 0
    try:
        opened = _look(browser, _address(viewer), run, heard)
    except Exception as error:  # a page that breaks the browser is a finding, too
        heard.append(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    finally:
        viewer.send_signal(signal.SIGINT)
        ended = bench.end(viewer)
    if bench.server.count != asked:
        heard.append(f"{bench.server.count - asked} requests went to the attacker")
    if not ended.clean:
        heard.append(f"the viewer ended with {ended.code}: {ended.last}")
    row.note(bool(opened) and not heard, f"{cell}, {names}: {heard[:3] or 'no page opened'}", tried=max(1, opened))


def _address(viewer: Started) -> str:
    """The address of the viewer, from its output."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        found = re.search(r"http://[\w.:]+/", Path(f"/dev/fd/{viewer.says[0].fileno()}").read_text(encoding="utf-8"))
        if found:
            return found[0]
        time.sleep(0.02)
    raise TimeoutError("the viewer does not say where it is")


def _look(browser: Any, url: str, run: Path, heard: list[str]) -> int:
    """Open pages of a run and use them; how many were opened. Violations are recorded."""
    context = browser.new_context()
    page = context.new_page()
    page.on("dialog", lambda dialog: (heard.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    page.on("request", lambda request: _check(request.url, url, heard))
    context.on("page", lambda other: heard.append(f"a window was opened: {other.url}") if other is not page else None)
    opened = 0
    for address in _addresses(run):
        page.goto(f"{url}{address}", wait_until="load", timeout=1000 * LONGEST)
        page.wait_for_timeout(80)
        for key in ("ArrowRight", "Tab", "ArrowRight", "j"):
            page.keyboard.press(key)
        page.mouse.move(200, 200)
        page.wait_for_timeout(40)
        opened += 1
        if page.evaluate("() => window.owned === 1") or page.title() == "owned":
            heard.append(f"a script ran on {address}")
    context.close()
    return opened


def _check(asked: str, url: str, heard: list[str]) -> None:
    parts = urlsplit(asked)
    if parts.scheme not in ("data", "blob") and parts.netloc != urlsplit(url).netloc:
        heard.append(f"requested {asked[:80]}")


def _addresses(run: Path) -> list[str]:
    """Pages of a run: the list, its own, and those of some episodes."""
    from evals.run.directory import RunDirectory, RunError

    key = quote(run.name)
    try:
        ids = [result.id for result in RunDirectory.open(run).results()]
    except (RunError, ValueError):
        ids = []
    episodes = [f"{key}/episodes/{quote(id, safe='')}.html" for id in ids[:PAGES]]
    return ["index.html", f"{key}/index.html", *episodes, f"compare/{key}.html"]


def spoil(run: Path, bench: Bench, spy: str) -> list[str]:
    """Put markup into some texts of a run, all those of a few names, and say which names."""
    files = [run / "run.json", *run.glob("*.jsonl"), *(run / "episodes").glob("*.jsonl")]
    lines = {file: _lines(file) for file in files if file.exists()}
    known = sorted({name for found in lines.values() for line in found for name in _names(json.loads(line))})
    chosen = bench.dice.sample(known, min(len(known), bench.dice.choice((1, 3, 10))))
    action = RUN.format(spy=spy)
    for file, found in lines.items():
        changed = [json.dumps(_spoilt(json.loads(line), chosen, bench, action, spy)) for line in found]
        file.write_text("".join(f"{line}\n" for line in changed), encoding="utf-8")
    drawn = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"{action}\"><script>{action}</script></svg>"
    for picture in list((run / "pictures").glob("*.png"))[:2]:
        picture.write_text(drawn)
    return chosen


def _lines(file: Path) -> list[str]:
    """The pieces of JSON in a file."""
    text = file.read_text(encoding="utf-8")
    return [text] if file.suffix == ".json" else text.splitlines()


def _names(value: Any, name: str = "") -> Iterator[str]:
    """The names under which a value has texts."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from _names(one, key)
    elif isinstance(value, list):
        for one in value:
            yield from _names(one, name)
    elif isinstance(value, str) and name:
        yield name


def _spoilt(value: Any, chosen: list[str], bench: Bench, action: str, spy: str, name: str = "") -> Any:
    if isinstance(value, dict):
        return {key: _spoilt(one, chosen, bench, action, spy, key) for key, one in value.items()}
    if isinstance(value, list):
        return [_spoilt(one, chosen, bench, action, spy, name) for one in value]
    if isinstance(value, str) and name in chosen:
        return value + bench.dice.choice(PAYLOADS).format(run=action, spy=spy)
    return value
