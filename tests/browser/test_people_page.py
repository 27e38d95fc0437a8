"""Somebody answers questions in a browser: by keyboard, by hand, on a phone, and although the server is killed."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.questions.people.desk import Mode
from evals.questions.people.entries import Answer, Book, Review
from evals.questions.people.server import PeopleServer
from tests.conftest import ROOT
from tests.evals.people import HANDS, SET, desk_of, served
from tests.every_form import ITEMS

pytestmark = pytest.mark.slow
IDS = [item.id for item in ITEMS]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PeopleServer]:
    with served(desk_of(tmp_path / "answers.jsonl")) as server:
        yield server


def at_question(page: Any, id: str) -> None:
    page.locator(".place-line", has_text=re.compile(rf"^question {IDS.index(id) + 1} of")).wait_for()


def go_to(page: Any, url: str, id: str) -> None:
    page.goto(f"{url}#question={IDS.index(id) + 1}")
    at_question(page, id)


def answer(page: Any, id: str) -> None:
    """Give the right answer by keyboard, without keeping it."""
    hands = HANDS[id]
    if isinstance(hands, str):
        page.get_by_label("Your answer").fill(hands)
    else:
        for key in hands:
            page.keyboard.press(key)


def kept(server: PeopleServer) -> dict[str, Answer]:
    return {one.question: one for one in Book(server.desk.book.path).entries if isinstance(one, Answer)}


def test_everything_is_answered_by_keyboard(server: PeopleServer, page: Any) -> None:
    page.goto(server.url)
    for number, item in enumerate(ITEMS):
        at_question(page, item.id)
        assert page.locator("#progress").inner_text() == f"{number} of 8 done · {8 - number} left"
        assert len(kept(server)) == number  # what was answered is on disk before the next question is shown
        answer(page, item.id)
        page.keyboard.press("Enter")
    page.locator(".finish", has_text="All 8 are done").wait_for()
    assert {id: one.value for id, one in kept(server).items()} == {item.id: item.answer for item in ITEMS}
    assert all(one.seconds > 0 for one in kept(server).values())
    page.locator(".numbers-list button", has_text="3").click()
    at_question(page, "order")
    assert "You have answered this" in page.locator("#message").inner_text()
    assert page.locator(".placed .card-row").all_inner_texts()[0].split()[:1] == ["1"]


def test_nothing_is_kept_without_an_answer(server: PeopleServer, page: Any) -> None:
    page.goto(server.url)
    at_question(page, "nearest")
    page.keyboard.press("Enter")
    page.locator("#message.bad", has_text="Answer first").wait_for()
    page.keyboard.press("-")  # cannot tell
    at_question(page, "red")
    assert kept(server)["nearest"].value is None


def test_questions_are_walked_and_drafts_stay(server: PeopleServer, page: Any) -> None:
    go_to(page, server.url, "red")
    page.keyboard.press("a")
    page.keyboard.press("/")
    page.keyboard.type("is pink red?")
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowRight")
    at_question(page, "order")
    page.keyboard.press("ArrowLeft")
    at_question(page, "red")
    assert page.locator(".option[aria-pressed=true]").count() == 1
    assert page.get_by_label("Comment").input_value() == "is pink red?"
    page.keyboard.press("c")
    page.keyboard.press("Enter")
    at_question(page, "order")
    assert (kept(server)["red"].value, kept(server)["red"].comment) == (("A", "C"), "is pink red?")
    page.keyboard.press(".")
    at_question(page, "nearest")


def test_arrows_choose_and_move(server: PeopleServer, page: Any) -> None:
    go_to(page, server.url, "nearest")
    for _ in range(3):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    assert page.locator(".option[aria-pressed=true]").get_attribute("data-letter") == "B"
    go_to(page, server.url, "order")
    for key in ("a", "b", "c", "d", "Shift+ArrowUp", "Shift+ArrowUp"):
        page.keyboard.press(key)
    assert order(page) == ["A", "D", "B", "C"]
    page.keyboard.press("d")  # taken back
    assert order(page) == ["A", "B", "C"]
    go_to(page, server.url, "true")
    for key in ("ArrowDown", "t", "ArrowUp", "ArrowUp", "f"):
        page.keyboard.press(key)
    pressed = page.locator(".line [aria-pressed=true]").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert pressed == ["1: false", "2: true"]


def order(page: Any) -> list[str]:
    return [
        str(one)
        for one in page.locator(".placed .card-row").evaluate_all("(all) => all.map((one) => one.dataset.letter)")
    ]


def drag(page: Any, letter: str, above: str) -> None:
    """Drag a card to a little above the middle of another."""
    start = page.locator(f'.card-row[data-letter="{letter}"]').bounding_box()
    aim = page.locator(f'.card-row[data-letter="{above}"]').bounding_box()
    page.mouse.move(start["x"] + 90, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(aim["x"] + 90, aim["y"] + aim["height"] / 2, steps=4)
    page.mouse.move(aim["x"] + 90, aim["y"] + 3, steps=2)
    page.mouse.up()


def test_an_order_is_made_by_dragging(server: PeopleServer, page: Any) -> None:
    go_to(page, server.url, "order")
    for letter in "ABCD":
        page.locator(f'.card-row[data-letter="{letter}"]').click()
    drag(page, "B", "A")
    assert order(page) == ["B", "A", "C", "D"]
    drag(page, "D", "C")
    assert order(page) == ["B", "A", "D", "C"]
    page.get_by_label("earlier: C").click()
    page.get_by_label("later: C").click()
    page.locator("#keep").click()
    at_question(page, "match")
    assert kept(server)["order"].value == ("B", "A", "D", "C")


def test_pictures_are_enlarged(server: PeopleServer, page: Any) -> None:
    go_to(page, server.url, "match")
    assert page.locator(".pictures img").count() == 2
    page.get_by_label("enlarge picture 2").click()
    page.locator("dialog.lightbox", has_text="2 of 2").wait_for()
    page.keyboard.press("ArrowLeft")
    page.locator("dialog.lightbox", has_text="1 of 2").wait_for()
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    assert page.locator(".line [aria-pressed=true]").count() == 1
    page.keyboard.press("?")
    assert "keep and go to the next open one" in page.locator("dialog.help").inner_text()


def test_two_people_in_two_browsers(tmp_path: Path, browser: Any) -> None:
    with served(desk_of(tmp_path / "answers.jsonl", annotator="")) as server:
        pages = []
        for who in ("anna", "bea"):
            page = browser.new_context().new_page()
            page.goto(server.url)
            page.get_by_label("Your name").fill(who)
            page.keyboard.press("Enter")
            at_question(page, "nearest")
            pages.append(page)
        for id in IDS:
            for page in pages:
                at_question(page, id)
                answer(page, id)
                page.keyboard.press("Enter")
        for page in pages:
            page.locator(".finish", has_text="All 8 are done").wait_for()
        found = Book(server.desk.book.path).entries
        assert sorted((one.who, one.question) for one in found) == sorted(
            (who, id) for who in ("anna", "bea") for id in IDS
        )


@pytest.mark.parametrize("id", IDS)
def test_a_phone_shows_it_all(server: PeopleServer, browser: Any, id: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    go_to(page, server.url, id)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    keep = page.locator("#keep").bounding_box()
    assert keep["y"] + keep["height"] <= 844
    assert keep["height"] >= 40
    hands = HANDS[id]
    if isinstance(hands, str):
        page.get_by_label("Your answer").fill(hands)
    elif id in ("order", "nearest", "red", "door"):
        letters = {"3": "C"}
        for key in hands:
            page.locator(f'[data-letter="{letters.get(key, key.upper())}"]').first.tap()
    else:
        for number, key in enumerate(hands, 1):
            page.locator(f'[data-line="{number}"] [data-value="{key.upper()}"]').tap()
    page.locator("#keep").tap()
    at_question(page, IDS[(IDS.index(id) + 1) % len(IDS)])
    assert kept(server)[id].value == ITEMS[IDS.index(id)].answer
    context.close()


def test_a_question_is_reviewed(tmp_path: Path, page: Any) -> None:
    with served(desk_of(tmp_path / "reviews.jsonl", Mode.REVIEW)) as server:
        page.goto(server.url)
        at_question(page, "nearest")
        assert "C. mark 3" in page.locator(".given-answer").inner_text()
        page.keyboard.press("a")
        page.keyboard.press("Enter")
        at_question(page, "red")
        page.keyboard.press("f")
        page.keyboard.press("Enter")
        page.locator("#message.bad", has_text="Nothing is fixed yet").wait_for()
        page.get_by_role("textbox", name="Question").fill("Which marks are on red things?")
        page.locator('.fixing .option[data-letter="C"]').click()
        page.locator("#keep").click()
        at_question(page, "order")
        page.keyboard.press("d")
        page.keyboard.press("/")
        page.keyboard.type("two are level")
        page.keyboard.press("Enter")
        at_question(page, "match")
        found = [one for one in Book(server.desk.book.path).entries if isinstance(one, Review)]
    assert [one.decision for one in found] == ["accept", "fix", "drop"]
    assert found[1].fixed == {"text": "Which marks are on red things?", "answer": ["A"]}
    assert found[2].comment == "two are level"


class Command:
    """The command itself, in a process that can be killed."""

    def __init__(self, path: Path, port: int = 0) -> None:
        words = ["people", SET, "--annotator", "anna", "--file", str(path), "--port", str(port)]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "evals.questions", *words],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert self.process.stdout is not None
        said = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", said)
        assert found, said + self.process.stdout.read()
        self.url, self.port = found[0], int(found[1])

    def end(self, sign: int) -> str:
        self.process.send_signal(sign)
        told, _ = self.process.communicate(timeout=30)
        return told


def test_a_killed_server_goes_on_where_it_was(tmp_path: Path, browser: Any) -> None:
    path = tmp_path / "answers.jsonl"
    page = browser.new_context().new_page()
    first = Command(path)
    try:
        page.goto(first.url)
        for id in ("nearest", "red"):
            at_question(page, id)
            answer(page, id)
            page.keyboard.press("Enter")
        at_question(page, "order")
        answer(page, "order")
    finally:
        first.end(signal.SIGKILL)
    page.keyboard.press("Enter")
    page.locator("#message.bad", has_text="The server does not answer").wait_for()
    second = Command(path, first.port)
    try:
        page.keyboard.press("Enter")  # the page still has what was chosen
        at_question(page, "match")
        assert page.locator("#progress").inner_text() == "3 of 8 done · 5 left"
        fresh = browser.new_context().new_page()
        fresh.goto(second.url)
        at_question(fresh, "match")
    finally:
        told = second.end(signal.SIGINT)
    assert "anna: 3 of 8" in told
    assert "python -m evals.questions convert" in told
    entries = Book(path).entries
    assert [one.question for one in entries] == ["nearest", "red", "order"]
    assert len(Book(path).sessions) == 2
