"""Somebody looks at questions in a browser: pictures, options, looks, and from one wrong answer to the next."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.view.server import Server
from evals.view.shown import find_runs
from tests.browser.conftest import serving
from tests.conftest import ROOT
from tests.every_form import BENCHMARK
from tests.small_sets import played

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    agent = f"{ROOT / 'tests' / 'evals' / 'looking.py'}:build"
    folder = tmp_path_factory.mktemp("asked")
    return played(BENCHMARK, folder / "asked", agent=agent, model="scripted:Final Answer: 4", pictures=True).path


@pytest.fixture
def questions(folder: Path) -> Iterator[Server]:
    yield from serving(Server(find_runs([folder])))


def open_question(server: Server, page: Any, id: str) -> None:
    page.goto(f"{server.url}asked/episodes/{id}.html")
    page.locator(".question-text").wait_for()


def test_a_wrong_choice_is_seen_beside_the_right_one(questions: Server, page: Any) -> None:
    open_question(questions, page, "nearest")
    assert page.locator(".question-text").inner_text() == "Which mark is nearest to the camera?"
    assert page.locator(".asked-options kbd").all_inner_texts() == ["A", "B", "C", "D"]
    assert "right" in page.locator('[data-letter="C"]').inner_text()
    assert "chosen" in page.locator('[data-letter="D"]').inner_text()
    assert "wrong" in page.locator(".said-of-it").inner_text()
    assert "category room" in page.locator(".tags").inner_text()


def test_pictures_are_large_and_looks_come_after_them(questions: Server, page: Any) -> None:
    open_question(questions, page, "name")
    figures = page.locator("#pictures figure")
    assert figures.count() == 4
    assert figures.nth(2).inner_text() == "look 1 the upper half of picture 1"
    page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")
    assert page.locator("#pictures img").first.bounding_box()["width"] > 300
    page.keyboard.press("o")
    page.locator("dialog.lightbox", has_text="1 of 4").wait_for()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    page.locator("dialog.lightbox", has_text="3 of 4 · look 1: the upper half of picture 1").wait_for()


def test_the_prompt_is_shown_as_it_was_sent(questions: Server, page: Any) -> None:
    open_question(questions, page, "count")
    page.keyboard.press("r")
    page.locator(".prompt .message").first.wait_for()
    assert "How many marks are in the picture?" in page.locator(".prompt").inner_text()
    assert page.locator(".prompt img").count() == 2
    assert "4" in page.locator("#flow .reply").first.inner_text()


def failed(page: Any) -> list[str]:
    return [
        row.locator("th a").inner_text()
        for row in page.locator("#episodes-table tbody tr").all()
        if row.locator(".badge.failure").count()
    ]


def test_from_one_wrong_answer_to_the_next_as_the_table_was_filtered(questions: Server, page: Any) -> None:
    page.goto(f"{questions.url}asked/index.html")
    page.locator("#episodes-table").wait_for()
    for _ in range(2):  # the other way round
        page.locator("#episodes-table thead button").first.click()
    page.get_by_label("scene").select_option("room")
    wrong = failed(page)
    assert len(wrong) >= 2
    assert wrong == sorted(wrong, reverse=True)
    page.keyboard.press("n")
    for id in wrong[1:]:
        page.locator(".question-text").wait_for()
        page.keyboard.press("n")
        page.wait_for_url(f"**/{id}.html")
    page.keyboard.press("p")
    page.wait_for_url(f"**/{wrong[-2]}.html")
    page.locator(".question-text").wait_for()
    page.keyboard.press("?")
    assert "next wrong one" in page.locator("dialog.help").inner_text()


def test_a_tag_leads_to_all_that_have_it(questions: Server, page: Any) -> None:
    open_question(questions, page, "count")
    page.locator(".tags a", has_text="category").click()
    page.locator("#shown", has_text="of 8").wait_for()
    assert set(page.locator("#episodes-table tbody th a").all_inner_texts()) == {"match", "count", "name"}
    page.keyboard.press("/")
    page.keyboard.type("room")
    page.locator("#shown", has_text="0 of 8").wait_for()


def test_a_question_is_labelled(questions: Server, page: Any) -> None:
    open_question(questions, page, "nearest")
    page.keyboard.press("l")
    page.get_by_label("Comment").fill("takes 2-D nearness for 3-D")
    page.get_by_label("Your name").fill("Ada")
    page.get_by_role("button", name="Keep label").click()
    page.locator(".given", has_text="takes 2-D nearness for 3-D").wait_for()


def test_a_phone_shows_it_all(questions: Server, browser: Any) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844})
    page = context.new_page()
    for id in ("nearest", "order", "match", "true", "name"):
        open_question(questions, page, id)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, id
    context.close()
