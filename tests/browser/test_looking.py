"""How pages look and lead on: pictures whole, nothing clipped, wide and narrow windows, episodes and runs compared."""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from evals.compare.courses import course_of, first_divergence
from evals.run.directory import RunDirectory
from evals.run.trace import read_trace
from evals.view.export import export
from evals.view.server import Server
from evals.view.shown import find_runs
from tests.browser.conftest import pictured, serving, settled
from tests.viewing import write_trace
from tools.events import Observed

pytestmark = pytest.mark.slow
WIDE = (640, 160)
"""A picture that is no square: whoever crops it is found out."""


def copied(finished: Path, folder: Path, **settings: Any) -> Path:
    """A copy of a run with other settings."""
    path = Path(shutil.copytree(finished, folder))
    config = json.loads((path / "run.json").read_text())
    config["settings"] |= settings
    (path / "run.json").write_text(json.dumps(config))
    return path


def picture(run: Path, number: int) -> str:
    """Write a picture to a run; its hash."""
    content = io.BytesIO()
    Image.new("RGB", WIDE, (number % 256, 40, 90)).save(content, "PNG")
    name = hashlib.sha256(content.getvalue()).hexdigest()
    (run / "pictures" / f"{name}.png").write_bytes(content.getvalue())
    return name


def with_pictures(run: Path, id: str) -> int:
    """Let an episode have a picture of each look; how many scenes there are to see."""
    records = read_trace(run / "episodes" / f"{id}.jsonl")
    for number, record in enumerate(records):
        if isinstance(record.event, Observed):
            seen = record.event.model_copy(update={"sha256": picture(run, number)})
            records[number] = record.model_copy(update={"event": seen})
    write_trace(RunDirectory.open(run), id, records)
    return sum(isinstance(record.event, Observed) for record in records)


@pytest.fixture
def several(finished: Path, tmp_path: Path) -> Iterator[Server]:
    """A run, one of another agent, one with long names, and a sweep of two."""
    runs = tmp_path / "several"
    copied(finished, runs / "one")
    copied(finished, runs / "two", agent="ground_mem")
    names = {"agent": "somebody/agents/" + "x" * 90, "model": "openrouter:" + "very-long-name-" * 12}
    copied(finished, runs / ("long-" + "y" * 120), **names)
    for cell in ("first", "second"):
        copied(finished, runs / "sweep-of-two" / "cells" / cell, seed=len(cell))
    (runs / "sweep-of-two" / "sweep.json").write_text("{}")
    yield from serving(Server(find_runs([runs])))


def window(browser: Any, width: int, height: int, **more: Any) -> Any:
    return browser.new_context(viewport={"width": width, "height": height}, **more).new_page()


# --- pictures


def test_a_picture_is_never_cropped(server: Server, page: Any, run: Path) -> None:
    with_pictures(run, "solved")
    page.goto(f"{server.url}run/episodes/solved.html")
    pictured(page, ".scene img")
    for place in ("#scenes img", ".frame img"):
        style = page.locator(place).first.evaluate("(node) => getComputedStyle(node).objectFit")
        assert style == "contain"
    box = page.locator("#scenes img").first.bounding_box()
    assert box["width"] / box["height"] == pytest.approx(WIDE[0] / WIDE[1], rel=0.02)


def test_a_picture_opens_in_the_page(server: Server, page: Any, run: Path) -> None:
    with_pictures(run, "solved")
    page.goto(f"{server.url}run/episodes/solved.html#step=2")
    page.locator("#scenes a").first.click()
    box = page.locator("dialog.lightbox")
    assert page.url.endswith("solved.html#step=2")
    image = box.locator("img")
    image.wait_for()
    pictured(page, ".lightbox img")
    fitted = image.bounding_box()
    assert fitted["width"] > 1000
    assert image.evaluate("(node) => getComputedStyle(node).objectFit") == "contain"
    first = image.get_attribute("src")
    page.keyboard.press("ArrowRight")
    assert image.get_attribute("src") != first
    assert "before step 3" in box.inner_text()
    page.keyboard.press("ArrowLeft")
    assert image.get_attribute("src") == first
    page.keyboard.press("Home")
    assert "1 of " in box.inner_text()
    assert box.get_by_label("previous picture").is_disabled()
    page.keyboard.press(" ")
    real = image.bounding_box()
    assert (real["width"], real["height"]) == WIDE
    box.get_by_text("fit to the window").click()
    assert image.bounding_box()["width"] > 1000
    page.keyboard.press("Escape")
    assert not box.is_visible()
    assert page.locator("#bar b").inner_text() == "step 2 of 3"


def test_a_sketch_opens_too_and_keys_of_the_page_wait(server: Server, page: Any) -> None:
    page.goto(f"{server.url}run/episodes/solved.html")
    page.locator("#scenes .opens").first.wait_for()
    page.keyboard.press("o")
    assert page.locator("dialog.lightbox svg.sketch").is_visible()
    page.keyboard.press("j")
    assert page.locator("#bar b").inner_text() == "step 1 of 3"
    page.get_by_label("close (Esc)").click()
    page.keyboard.press("j")
    assert page.locator("#bar b").inner_text() == "step 2 of 3"


def test_a_picture_opens_in_exported_pages(run: Path, page: Any, tmp_path: Path) -> None:
    with_pictures(run, "solved")
    export(find_runs([run]), tmp_path / "pages")
    page.goto((tmp_path / "pages" / "run" / "episodes" / "solved.html").as_uri())
    page.locator("#scenes a").first.click()
    pictured(page, ".lightbox img")
    page.keyboard.press("Escape")
    assert not page.locator("dialog.lightbox").is_visible()


# --- what there is to see at once


def test_the_goal_and_the_pictures_are_seen_without_scrolling(server: Server, browser: Any, run: Path) -> None:
    for id in ("solved", "misled", "home"):
        with_pictures(run, id)
        page = window(browser, 1440, 900)
        page.goto(f"{server.url}run/episodes/{id}.html")
        pictured(page, "#scenes img")
        for place in ("#goal li >> nth=-1", "#scenes figure >> nth=0", ".frame >> nth=0"):
            box = page.locator(place).bounding_box()
            assert box["y"] + box["height"] <= 900, (id, place)
        page.context.close()


def clipped(page: Any) -> list[str]:
    """Tables that are wider than the place they have."""
    return list(
        page.evaluate(
            "[...document.querySelectorAll('.scroll')].filter((box) => box.scrollWidth > box.clientWidth)"
            ".map((box) => box.textContent.slice(0, 60))"
        )
    )


@pytest.mark.parametrize("width", [1280, 1440, 1920])
def test_no_table_is_clipped_by_long_names(several: Server, browser: Any, width: int) -> None:
    page = window(browser, width, 900)
    page.goto(several.url)
    assert clipped(page) == []
    link = page.locator("#runs a", has_text="very-long-name")
    assert link.get_attribute("title").count("very-long-name-") == 12
    assert link.bounding_box()["height"] < 60
    link.click()
    page.locator("#success").wait_for()
    page.wait_for_load_state()  # elements can be measured before the style sheets are there
    assert [text for text in clipped(page) if text.startswith("split")] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.context.close()


# --- a phone

PAGES = (
    "",
    "one/index.html",
    "one/episodes/misled.html#step=1&answer=0",
    "one/episodes/home.html",
    "one/episodes/calls.html",
    "beside.html?left=one/misled&right=two/misled",
    "compare/one,two.html",
)


@pytest.mark.parametrize("address", PAGES)
def test_a_phone_scrolls_only_down_and_fingers_find_what_they_want(several: Server, browser: Any, address: str) -> None:
    page = window(browser, 390, 844, has_touch=True, is_mobile=True)
    page.goto(several.url + address)
    settled(page)
    assert page.evaluate("[document.documentElement.scrollWidth, innerWidth]") == [390, 390]
    small = page.evaluate(
        """[...document.querySelectorAll("button, select, summary, nav a, input, .picker")].filter((node) => {
          const box = (node.closest("label") ?? node).getBoundingClientRect();
          return box.width && (box.height < 43.5 || box.width < 43.5);
        }).map((node) => node.className + " " + node.textContent.slice(0, 40))"""
    )
    assert small == []
    page.context.close()


def test_a_phone_shows_runs_as_cards(several: Server, browser: Any) -> None:
    page = window(browser, 390, 844, has_touch=True, is_mobile=True)
    page.goto(several.url)
    assert clipped(page) == []
    for row in page.locator("tr[data-run]").all():
        assert row.locator("td").first.bounding_box()["width"] > 330
        link = row.locator("a")
        assert link.evaluate("(node) => node.scrollHeight <= node.clientHeight + 1")
    page.context.close()


def test_a_phone_opens_an_answer_and_a_picture(several: Server, browser: Any) -> None:
    page = window(browser, 390, 844, has_touch=True, is_mobile=True)
    page.goto(f"{several.url}one/episodes/misled.html")
    page.locator(".answer-row").first.tap()
    assert page.locator("#answer").is_visible()
    page.get_by_label("Close", exact=True).tap()
    page.locator("#scenes .opens").first.tap()
    box = page.locator("dialog.lightbox")
    assert box.is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    box.get_by_label("close (Esc)").tap()
    assert not box.is_visible()
    page.context.close()


def test_a_link_to_an_answer_scrolls_to_it_when_the_page_opens(several: Server, browser: Any) -> None:
    page = window(browser, 1280, 500)
    page.goto(f"{several.url}one/episodes/misled.html")
    settled(page)
    assert page.evaluate("scrollY") == 0
    page.locator(".answer-row").last.click()
    link = page.url
    assert re.search(r"#step=\d+&answer=\d+$", link)
    page.context.close()
    page = window(browser, 1280, 500)
    page.goto(link)
    settled(page)
    chosen = page.locator(".answer-row[aria-pressed=true]")
    assert 0 < chosen.bounding_box()["y"] < 250, "in view, above what covers the lower half"
    assert page.evaluate("scrollY") > 0
    # Who comes back finds the page as they left it.
    page.evaluate("scrollTo(0, 40)")
    page.reload()
    settled(page)
    page.wait_for_function("scrollY === 40")
    page.context.close()


# --- side by side


def test_an_episode_is_put_beside_the_same_one_of_another_run(several: Server, page: Any) -> None:
    page.goto(f"{several.url}one/episodes/solved.html#step=2")
    page.locator("#beside select").select_option("two")
    page.wait_for_url("**/beside.html*")
    assert re.search(r"left=one%2Fsolved&right=two%2Fsolved#step=2$", page.url)
    rows = page.locator(".both")
    assert rows.count() == 3
    assert "do not differ" in page.locator("#parting").inner_text()
    page.locator("#step-2.filled").wait_for()
    assert page.locator("#step-2 .half").count() == 2
    page.get_by_label("Run on the right").select_option("first")
    page.wait_for_url("**right=first*")
    page.locator(".half a", has_text="moveblock").first.click()
    page.wait_for_url(re.compile(r"one/episodes/solved\.html#step=\d+$"))


def test_the_first_difference_is_marked(several: Server, page: Any) -> None:
    page.goto(f"{several.url}beside.html?left=one/solved&right=two/misled")
    told = page.locator("#parting").inner_text()
    assert "They first differ in step 1, in the answers" in told
    assert re.search(r"left\s+clear g: yes\s+right\s+clear g: no\s+truth\s+clear g: yes", told)
    assert page.locator(".both.parting").get_attribute("data-step") == "1"
    assert "first difference" in page.locator("#step-1").inner_text()


def test_what_parts_two_episodes_is_what_a_comparison_says(several: Server, page: Any, finished: Path) -> None:
    names = sorted(path.stem for path in (finished / "episodes").glob("*.jsonl"))
    stages = {name: course_of(read_trace(finished / "episodes" / f"{name}.jsonl")) for name in names}
    found = set()
    for left, right in [*combinations(names, 2), ("home", "home")]:
        page.goto(f"{several.url}beside.html?left=one/{left}&right=two/{right}")
        page.locator("#parting .card").wait_for()
        here = page.evaluate(
            """async ([left, right]) => {
              const files = [left, right].map((id) => plumbline.load(`one/data/${id}/episode.js`));
              return plumbline.parting(...await Promise.all(files));
            }""",
            [left, right],
        )
        wanted = first_divergence(stages[left], stages[right])
        assert (here is None) == (wanted is None)
        if wanted:
            assert here["kind"] == wanted.kind, (left, right)
            assert [said.replace("_", " ") for said in wanted.left] == [said.replace("_", " ") for said in here["left"]]
            assert [said.replace("_", " ") for said in wanted.right] == [
                said.replace("_", " ") for said in here["right"]
            ]
            assert tuple(here["truth"]) == wanted.truth
            assert here["step"] in (max(1, wanted.step), wanted.step + 1)
            found.add(here["kind"])
    assert found >= {"answers", "action", "questions"}


@pytest.mark.parametrize(
    "query",
    [
        "",
        "?left=one/misled",
        "?left=one/misled&right=nobody/misled",
        "?left=../one/misled&right=two/misled",
        "?left=one/../../one/data/misled&right=two/misled",
        "?left=//evil.example/x&right=two/misled",
        "?left=https://evil.example/x&right=two/misled",
    ],
)
def test_an_address_that_names_no_two_episodes_says_so(several: Server, browser: Any, query: str) -> None:
    page = window(browser, 1280, 900)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{several.url}beside.html{query}")
    page.locator("#parting .notice").wait_for()
    loaded = {
        address.removeprefix(several.url).partition("/")[0] for address in asked if address.endswith("episode.js")
    }
    assert loaded <= {"one", "two", "nobody"}
    page.context.close()


def test_exported_episodes_stand_side_by_side(finished: Path, page: Any, tmp_path: Path) -> None:
    for name, agent in (("one", "ground"), ("two", "ground_mem")):
        copied(finished, tmp_path / "runs" / name, agent=agent)
    export(find_runs([tmp_path / "runs"]), tmp_path / "pages")
    page.goto((tmp_path / "pages" / "one" / "episodes" / "misled.html").as_uri())
    page.locator("#beside select").select_option("two")
    page.wait_for_url("**/beside.html*")
    page.locator(".both.filled").first.wait_for()
    page.locator(".half svg.sketch").first.wait_for()
    page.goto((tmp_path / "pages" / "index.html").as_uri())
    assert page.locator("input.pick").count() == 0


# --- runs compared, and sweeps


def test_runs_are_chosen_and_compared(several: Server, page: Any) -> None:
    page.goto(several.url)
    button = page.get_by_role("button", name="compare", exact=True)
    page.locator('tr[data-run="one"] input').check()
    assert button.is_disabled()
    page.locator('tr[data-run="two"] input').check()
    assert "2 runs chosen" in page.locator(".chosen").inner_text()
    button.click()
    page.wait_for_url("**/compare/one,two.html")
    assert page.locator("h1").inner_text() == "Comparison of 2 runs"
    page.locator("#problems summary").click()
    page.locator("#problems td a", has_text="nowhere").first.click()
    page.wait_for_url("**/beside.html*")
    page.locator(".both").first.wait_for()


def test_runs_with_other_settings_are_compared_if_that_is_forced(finished: Path, tmp_path: Path, page: Any) -> None:
    copied(finished, tmp_path / "runs" / "one")
    other = copied(finished, tmp_path / "runs" / "two", agent="ground_mem")
    config = json.loads((other / "run.json").read_text())
    config["fingerprints"]["scorer"] = "another"
    (other / "run.json").write_text(json.dumps(config))
    for server in serving(Server(find_runs([tmp_path / "runs"]))):
        page.goto(f"{server.url}compare/one,two.html")
        assert "these runs are unlike" in page.locator(".notice").inner_text()
        page.get_by_role("link", name="Compare them all the same").click()
        page.wait_for_url("**/compare/forced/one,two.html")
        assert "compared all the same" in page.locator(".banner", has_text="UNLIKE").inner_text()
        page.locator("#problems summary").click()
        page.locator("#problems td a", has_text="nowhere").first.click()
        page.wait_for_url("**/beside.html*")
        page.locator(".both").first.wait_for()


def test_a_sweep_is_folded_and_chosen_as_a_whole(several: Server, page: Any) -> None:
    page.goto(several.url)
    fold = page.get_by_role("button", name="sweep-of-two")
    cells = page.locator("[data-sweep] tr[data-run]")
    assert cells.count() == 2
    assert cells.first.is_visible()
    fold.click()
    assert fold.get_attribute("aria-expanded") == "false"
    assert not cells.first.is_visible()
    page.reload()
    assert not cells.first.is_visible()
    page.get_by_label("Filter runs by words").fill("second")
    assert [row.get_attribute("data-run") for row in cells.all() if row.is_visible()] == ["second"]
    page.get_by_label("Filter runs by words").fill("")
    page.locator(".sweep input").check()
    assert "2 runs chosen" in page.locator(".chosen").inner_text()
    fold.click()
    assert all(row.locator("input").is_checked() for row in cells.all())
    cells.first.locator("input").uncheck()
    assert page.locator(".sweep input").evaluate("(box) => box.indeterminate")


def test_sorting_keeps_sweeps_together(several: Server, page: Any) -> None:
    page.goto(several.url)
    for _ in range(2):
        page.locator("th button", has_text="played").click()
        listed = page.locator("tr[data-run]").evaluate_all("(rows) => rows.map((row) => row.dataset.run)")
        place = listed.index("first")
        assert "second" in (listed[place - 1], *listed[place + 1 : place + 2])


def test_the_command_of_blame_is_copied(several: Server, browser: Any) -> None:
    page = window(browser, 1280, 900, permissions=["clipboard-read", "clipboard-write"])
    page.goto(f"{several.url}one/index.html")
    page.locator("#blame .copy").click()
    page.get_by_role("button", name="copied").wait_for()
    copied = page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(r"python -m evals\.blame \S+/several/one", copied)
    page.context.close()
