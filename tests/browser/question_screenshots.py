"""Takes the pictures of `docs/questions.md`: a person answers, another reviews, and the answers are looked at.

python -m tests.browser.question_screenshots [FOLDER]
"""

from __future__ import annotations

import io
import shutil
import sys
import tempfile
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from evals.questions import Item, QuestionSet
from evals.questions.people.chosen import Chosen
from evals.questions.people.desk import Desk, Mode
from evals.questions.people.entries import Book
from evals.questions.people.server import PeopleServer
from evals.view.server import Server
from evals.view.shown import find_runs
from models.base import Kind
from tests.conftest import ROOT
from tests.small_sets import played

PLACES = ((296, 352), (205, 245), (352, 352), (72, 160))
MARKS = ("mark 1", "mark 2", "mark 3", "mark 4")
TAGS = {"category": "spatial", "sub_category": "distance", "scene": "playroom"}
COUNTED = {**TAGS, "sub_category": "counting"}
NEAREST_FIRST = ("A", "C", "B", "D")
SEEN = ("playroom",)
ITEMS = (
    Item("playroom_1", "Which mark is farthest from the camera?", "mark 4", MARKS, SEEN, tags=TAGS),
    Item("playroom_2", "Order the marks, the nearest first.", NEAREST_FIRST, MARKS, SEEN, Kind.ORDER, tags=TAGS),
    Item("playroom_3", "How many marks are on toys?", 2.0, (), SEEN, Kind.NUMBER, tags=COUNTED),
)
COLOURS = 160
"""Few enough for small files, and enough for a drawn room."""


class Playroom(QuestionSet):
    """Questions about a picture of the documentation."""

    name = "playroom"

    def items(self, settings: Any) -> Sequence[Item]:
        return ITEMS

    def picture(self, name: str, settings: Any) -> bytes:
        from PIL import Image, ImageDraw

        image = Image.open(ROOT / "docs" / "pictures" / "household.png").convert("RGB").crop((0, 0, 480, 400))
        pen = ImageDraw.Draw(image)
        for number, (x, y) in enumerate(PLACES, 1):
            pen.ellipse((x - 12, y - 12, x + 12, y + 12), fill="white", outline="black", width=2)
            pen.text((x, y), str(number), fill="black", anchor="mm", font_size=17)
        file = io.BytesIO()
        image.save(file, "PNG")
        return file.getvalue()


def taken(page: Any, path: Path) -> None:
    """A picture of the page, once all of its own are there."""
    from PIL import Image

    page.evaluate("Promise.all([...document.images].map((one) => one.decode()))")
    image = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures").resolve()
    benchmark = Playroom()
    settings = benchmark.settings()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        player = threading.Thread(
            target=played,
            args=(benchmark, Path(place) / "run"),
            kwargs={"model": "scripted:Final Answer: B", "pictures": True, "limit": 1},
        )
        player.start()
        player.join()
        desks = [
            Desk(
                Chosen(benchmark, settings, benchmark.episodes(settings)),
                Book(Path(place) / f"{mode}.jsonl"),
                mode,
                who,
            )
            for mode, who in ((Mode.ANSWER, "anna"), (Mode.REVIEW, "bea"))
        ]
        answering, reviewing, viewing = (
            PeopleServer(desks[0]),
            PeopleServer(desks[1]),
            Server(find_runs([Path(place) / "run"])),
        )
        for server in (answering, reviewing, viewing):
            threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1180, "height": 620})
        page.goto(answering.url)
        page.locator(".question-text").wait_for()
        for key in ("d", "Enter"):
            page.keyboard.press(key)
        page.locator(".ordering").wait_for()
        for key in ("a", "c", "b"):
            page.keyboard.press(key)
        taken(page, folder / "people_answer.png")
        page.goto(reviewing.url)
        page.locator(".given-answer").wait_for()
        page.keyboard.press("a")
        taken(page, folder / "people_review.png")
        page.goto(f"{viewing.url}run/episodes/playroom_1.html")
        page.locator(".question-text").wait_for()
        taken(page, folder / "view_question.png")
        browser.close()


if __name__ == "__main__":
    main()
