"""A real browser: Debian's Chromium, driven by Playwright.

Where it is missing or does not start, its tests are skipped; in CI they fail.
"""

from __future__ import annotations

import os
import re
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from evals.view.server import Server
from evals.view.shown import find_runs
from planners.outcome import Planner
from tests.viewing import make_run

NAMES = ("chromium", "chromium-browser", "google-chrome")


def missing(what: str) -> NoReturn:
    message = f"no browser tests: {what}"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", planner).path


@pytest.fixture(scope="module")
def browser(finished: Path) -> Iterator[Any]:
    """One browser for a module. Not for longer: while it runs, nothing else in the thread can have an event loop."""
    path = next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        missing("there is no chromium; on Debian: apt-get install chromium")
    try:
        from playwright.sync_api import Error, sync_playwright
    except ImportError:
        missing("there is no playwright; pip install -e '.[dev]'")
    with sync_playwright() as playwright:
        try:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        except Error as error:
            said = re.findall(r"\[err\] (.+)", error.message) or error.message.strip().splitlines()
            missing(f"{path} does not start: {said[0]}")
        yield browser
        browser.close()


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of the run that a test may write to."""
    return Path(shutil.copytree(finished, tmp_path / "shown" / "run"))


@pytest.fixture
def server(run: Path) -> Iterator[Server]:
    yield from serving(Server(find_runs([run])))


def serving(server: Server) -> Iterator[Server]:
    """The server while it answers."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def settled(page: Any) -> None:
    """Wait until every scene of a page is filled. Scripts request their data, also after the page is loaded."""
    from playwright.sync_api import expect

    expect(page.locator(".scene:empty")).to_have_count(0)


def pictured(page: Any, place: str) -> None:
    """Wait until every picture of a place is loaded: before, it has no size of its own."""
    page.locator(place).first.wait_for()
    page.wait_for_function(
        "(place) => [...document.querySelectorAll(place)].every((image) => image.naturalWidth)", arg=place
    )


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page of which nothing may be heard: no error in the console, no script that fails, no dialog."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    heard: list[str] = []
    page.on("console", lambda message: heard.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("dialog", lambda dialog: (heard.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    yield page
    context.close()
    assert heard == []
