"""Somebody watches a live run. The browser's clock is the test's, so that nobody waits for anything."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.view.export import export
from evals.view.listing import Listing
from evals.view.server import Server
from evals.view.shown import find_runs
from tests.browser.conftest import serving, settled
from tests.conftest import ROOT
from tests.viewing import Going

pytestmark = pytest.mark.slow
A_WHILE = 2_000
"""Milliseconds in which an open page has asked at least once whether something is new."""


@pytest.fixture
def going(finished: Path, tmp_path: Path) -> Iterator[Going]:
    going = Going(tmp_path / "runs" / "going", finished)
    yield going
    going.stop()


@pytest.fixture
def watched(going: Going, tmp_path: Path) -> Iterator[Server]:
    """A server of a folder in which a run is running."""
    yield from serving(Server(Listing([tmp_path / "runs"])))


@pytest.fixture
def asked(page: Any) -> list[str]:
    """What a page requests, except its icon and pictures, which the browser loads after the page, whenever it likes.

    The page's clock stands still until a test moves it.
    """
    page.clock.install()
    addresses: list[str] = []

    def note(request: Any) -> None:
        if request.resource_type != "image" and not request.url.endswith("/assets/icon.svg"):
            addresses.append(request.url)

    page.on("request", note)
    return addresses


def opened(page: Any, address: str) -> None:
    page.goto(address)
    page.evaluate("window.same = true")


def later(page: Any) -> None:
    """Let the page ask what is new, and show it."""
    with page.expect_response(re.compile(r"live\.json")):
        page.clock.run_for(A_WHILE)


def silent(page: Any, asked: list[str]) -> bool:
    """Whether a page that shows all its data requests nothing more, however long one waits."""
    settled(page)
    before = len(asked)
    page.clock.run_for(50 * A_WHILE)
    page.evaluate("1")
    return asked[before:] == []


def test_the_list_of_runs_grows_and_a_run_in_it(
    watched: Server, page: Any, asked: list[str], going: Going, finished: Path, tmp_path: Path
) -> None:
    opened(page, watched.url)
    row = page.locator('tr[data-run="going"]')
    assert "running" in row.inner_text()
    assert "0 of 8" in row.inner_text()
    page.get_by_label("Filter runs by words").fill("ground")
    going.finish("misled")
    another = Going(tmp_path / "runs" / "another", finished)
    later(page)
    row.get_by_text("1 of 8").wait_for()
    page.locator('tr[data-run="another"]').wait_for()
    assert page.get_by_label("Filter runs by words").input_value() == "ground"
    another.stop()
    going.stop()
    later(page)
    page.locator(".badge.playing").first.wait_for(state="detached")
    assert silent(page, asked)
    assert page.evaluate("window.same")


def test_a_run_that_begins_is_there_when_the_list_is_loaded_again(
    page: Any, going: Going, finished: Path, tmp_path: Path
) -> None:
    going.stop()
    for server in serving(Server(Listing([tmp_path / "runs"]))):
        page.goto(server.url)
        assert page.locator("tr[data-run]").count() == 1
        Going(tmp_path / "runs" / "another", finished).stop()
        page.reload()
        assert page.locator("tr[data-run]").count() == 2


def test_the_page_of_a_run_follows_it_and_keeps_the_readers_place(
    watched: Server, page: Any, asked: list[str], going: Going
) -> None:
    opened(page, f"{watched.url}going/index.html")
    assert "No episode is finished yet" in page.locator("main").inner_text()
    assert not page.locator("#episodes").is_visible()
    going.finish("solved")
    later(page)
    page.locator("#episodes-table").wait_for()
    assert "Running: 1 of 8 episodes finished" in page.locator("main").inner_text()
    page.locator("#success").wait_for()
    for name in ("blind", "misled"):
        going.finish(name)
    later(page)
    page.locator("#shown", has_text="3 episodes").wait_for()
    page.get_by_label("outcome").select_option("failure")
    page.get_by_label("Filter by words").focus()
    page.locator("#episodes").evaluate("(node) => node.scrollIntoView()")
    top = page.locator("#episodes").bounding_box()["y"]
    for name in ("hostile", "proposes", "wordy"):  # more classes of failures, and so more above the table
        going.finish(name)
    later(page)
    page.locator("#shown", has_text="4 of 6 episodes").wait_for()
    assert page.locator("#episodes").bounding_box()["y"] == pytest.approx(top, abs=2)
    assert page.locator("#episodes-table tbody tr").count() == 4
    assert page.evaluate("document.activeElement.type") == "search"
    assert "outcome=failure" in page.url
    assert page.locator("#live").inner_text() == "live"
    going.stop()
    later(page)
    page.locator(".notice", has_text="resume the run").wait_for()
    assert not page.locator("#live").is_visible()
    assert silent(page, asked)
    assert page.evaluate("window.same")


def where(page: Any) -> str:
    return str(page.locator("#bar b").inner_text())


def steps_of(going: Going, id: str) -> list[int]:
    """After which lines of a trace an attempt has been made."""
    lines = going.finished.trace(id).read_text().splitlines()
    return [number for number, line in enumerate(lines, 1) if '"type":"acted"' in line or '"type":"called_off"' in line]


def test_an_open_episode_grows_while_the_reader_stays_where_he_is(
    watched: Server, page: Any, asked: list[str], going: Going
) -> None:
    first, second, last = steps_of(going, "solved")
    going.grow("solved", first)
    opened(page, f"{watched.url}going/episodes/solved.html#step=1")
    assert where(page) == "step 1 of 1"
    assert "running" in page.locator("#verdict").inner_text()
    page.locator(".answer-row").first.click()
    page.locator("#flow").evaluate("(node) => node.scrollIntoView()")
    told, top = page.locator("#answer").inner_text(), page.locator("#flow").bounding_box()["y"]
    going.grow("solved", second + 1)
    later(page)
    page.locator("#bar b", has_text="of 2").wait_for()
    assert where(page).startswith("step 1 of ")
    assert page.locator("#answer").inner_text() == told
    assert page.locator("#flow").bounding_box()["y"] == pytest.approx(top, abs=2)
    assert page.locator(".frame").count() >= 2
    assert "steps 2" in page.locator("header").inner_text()
    going.grow("solved", last)
    later(page)
    page.locator("#bar b", has_text="of 3").wait_for()
    going.finish("solved")
    later(page)
    page.locator("#verdict", has_text="The goal really holds at the end").wait_for()
    assert page.locator("h1 .badge").inner_text() == "success"
    assert "The trace says success" in page.locator("#labels").inner_text()
    assert where(page) == "step 1 of 3"
    assert silent(page, asked)
    assert page.evaluate("window.same")


def test_who_follows_an_episode_sees_each_new_step(watched: Server, page: Any, asked: list[str], going: Going) -> None:
    first, second, last = steps_of(going, "solved")
    going.grow("solved", first)
    opened(page, f"{watched.url}going/episodes/solved.html")
    follow = page.get_by_label("follow")
    assert follow.is_checked()
    going.grow("solved", second)
    later(page)
    page.locator("#bar b", has_text="step 2 of 2").wait_for()
    assert page.locator(".frame.current").get_attribute("data-step") == "2"
    page.keyboard.press("k")
    assert not follow.is_checked()
    going.grow("solved", last)
    later(page)
    page.locator("#bar b", has_text="step 1 of 3").wait_for()
    follow.check()
    assert where(page) == "step 3 of 3"
    going.finish("solved")
    later(page)
    follow.wait_for(state="detached")


def test_whoever_writes_a_label_is_not_interrupted(watched: Server, page: Any, asked: list[str], going: Going) -> None:
    first, second, _ = steps_of(going, "solved")
    going.grow("solved", first)
    opened(page, f"{watched.url}going/episodes/solved.html")
    page.keyboard.press("l")
    page.get_by_label("Comment").fill("half a sent")
    going.grow("solved", second)
    later(page)
    page.locator("#bar b", has_text="of 2").wait_for()
    assert page.get_by_label("Comment").input_value() == "half a sent"


def test_a_killed_run_is_not_followed_any_more(watched: Server, page: Any, asked: list[str], going: Going) -> None:
    going.grow("solved", steps_of(going, "solved")[0])
    opened(page, f"{watched.url}going/episodes/solved.html")
    going.stop()
    later(page)
    page.locator("#verdict", has_text="stopped before the end").wait_for()
    assert page.locator("h1 .badge").inner_text() == "unfinished"
    assert silent(page, asked)


def test_it_is_said_when_the_viewer_is_gone(going: Going, browser: Any, tmp_path: Path) -> None:
    page = browser.new_page()
    page.clock.install()
    command = [sys.executable, "-m", "evals.view", str(tmp_path / "runs"), "--port", "0"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        opened(page, process.stdout.readline().split()[3])
        process.terminate()
    page.clock.run_for(A_WHILE)
    page.locator("#live", has_text="the viewer does not answer").wait_for()
    page.close()


def test_a_finished_run_is_asked_for_nothing(watched: Server, page: Any, asked: list[str], going: Going) -> None:
    going.finish("solved")
    going.stop()
    for address in ("", "going/index.html", "going/episodes/solved.html"):
        opened(page, watched.url + address)
        assert silent(page, asked), address


def test_exported_pages_ask_for_nothing(page: Any, asked: list[str], going: Going, tmp_path: Path) -> None:
    going.grow("solved", 10)
    export(find_runs([tmp_path / "runs"]), tmp_path / "pages")
    for address in ("index.html", "going/index.html", "going/episodes/solved.html"):
        opened(page, (tmp_path / "pages" / address).as_uri())
        assert silent(page, asked), address
    assert not [address for address in asked if "live.json" in address]
