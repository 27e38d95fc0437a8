"""A question set with every form of answer, for the tests and pictures of what people see."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

from evals.questions import Item, QuestionSet
from models.base import Kind

MARKS = ("mark 1", "mark 2", "mark 3", "mark 4")
ROOM = {"category": "room", "scene": "room"}
TABLE = {"category": "table", "scene": "table"}
ITEMS = (
    Item("nearest", "Which mark is nearest to the camera?", "mark 3", MARKS, ("room",), tags=ROOM),
    Item("red", "Which marks are on something red?", ("A", "C"), MARKS, ("room",), Kind.CHOICES, tags=ROOM),
    Item("order", "Order the marks from left to right.", ("B", "A", "D", "C"), MARKS, ("room",), Kind.ORDER, tags=ROOM),
    Item(
        "match",
        "Which thing of the first picture is which of the second?",
        ("C", "A", "B"),
        ("the mug at mark 1", "the bowl at mark 2", "the box at mark 3"),
        ("room", "table"),
        Kind.MATCHING,
        tags=TABLE,
        items=("mark 1", "mark 2", "mark 3"),
    ),
    Item(
        "true",
        "Which statements are true?",
        ("1", "0", "1"),
        ("Mark 1 is higher than mark 4.", "Mark 2 is on the floor.", "Two marks are on the same thing."),
        ("room",),
        Kind.JUDGEMENTS,
        tags=ROOM,
    ),
    Item("count", "How many marks are in the picture?", 4.0, (), ("table",), Kind.NUMBER, tags=TABLE),
    Item("door", "Is the door open?", False, (), ("room",), Kind.YES_NO, tags=ROOM),
    Item("name", "What stands at mark 2 of picture 2?", "a mug", (), ("room", "table"), Kind.TEXT, tags=TABLE),
)  # fmt: skip
PLACES = {
    "room": ((130, 330), (60, 120), (520, 250), (330, 160)),
    "table": ((100, 100), (250, 300), (420, 180), (560, 380)),
}


class EveryForm(QuestionSet):
    """Eight questions about two pictures."""

    name = "every_form"
    dimensions = {"category": "category"}  # noqa: RUF012

    def items(self, settings: Any) -> Sequence[Item]:
        return ITEMS

    def picture(self, name: str, settings: Any) -> bytes:
        return drawn(name)


def drawn(name: str) -> bytes:
    """A room of boxes with numbered marks on them."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (640, 480), "#d9d2c5" if name == "room" else "#b7c4cf")
    pen = ImageDraw.Draw(image)
    pen.rectangle((0, 300, 640, 480), fill="#9a8b74")
    for number, (x, y) in enumerate(PLACES[name], 1):
        colour = "#b23a34" if number % 2 else "#3d6ea5"
        pen.rectangle((x - 55, y - 20, x + 55, y + 70), fill=colour, outline="#20242a", width=2)
        pen.ellipse((x - 17, y - 17, x + 17, y + 17), fill="white", outline="black", width=3)
        pen.text((x, y), str(number), fill="black", anchor="mm", font_size=22)
    file = io.BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


BENCHMARK = EveryForm()
