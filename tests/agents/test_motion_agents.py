"""Agents for questions about motions: one dimension at a time, and one view of several."""

from __future__ import annotations

import io
import math
from dataclasses import replace

from PIL import Image, ImageDraw

from agents.axes import by_dimension, inferred, phrase_of, predicted
from envs.base import Arrow, Question
from evals.questions import Item
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, always
from tests.question_sets import events, play
from tools.drawing import Part, changed_part, cropped, difference, with_arrows
from tools.events import Answered, Asked, Looked
from tools.questions import laid_out

OPTIONS = (
    "Move along positive X direction, Open gripper", "Move along positive X direction, Close gripper",
    "Move along negative X direction, Open gripper", "Move along negative X direction, Close gripper",
)  # fmt: skip
INFERENCE = Item("m", "Which action?", OPTIONS[2], OPTIONS, ("1", "2"), labels=("Before:", "After:"))
PREDICTION = Item(
    "p",
    "What comes of it?\nThe action: Move along positive Z direction by 11.4 cm, "
    "Tilt upward around Y-axis by 20 degrees",
    "picture 4", tuple(f"picture {number}" for number in range(2, 6)), ("0", "1", "2", "3", "4"),
    labels=("Picture 1, before:", *(f"Picture {number}:" for number in range(2, 6))),
)  # fmt: skip


def image(x: int, size: tuple[int, int] = (200, 100)) -> bytes:
    found = Image.new("RGB", size, "white")
    ImageDraw.Draw(found).rectangle((x, 40, x + 20, 60), fill="black")
    out = io.BytesIO()
    found.save(out, "PNG")
    return out.getvalue()


def opened(png: bytes) -> Image.Image:
    return Image.open(io.BytesIO(png)).convert("RGB")


class Looking(Scripted):
    """A scripted model that needs the pictures themselves."""

    looks = True


def test_the_oracle_is_right_with_both_agents() -> None:
    for item in (INFERENCE, PREDICTION):
        for agent in ("answer_axes", "answer_views"):
            result, _ = play(agent, item, load_model("oracle"))
            assert result.success, (item.id, agent)


def test_options_are_told_apart_by_one_dimension_at_a_time() -> None:
    groups = by_dimension(inferred(Question("", (object(),) * 2, OPTIONS)))  # type: ignore[arg-type]
    assert [sorted(one.values()) for one in groups] == [["A,B", "C,D"], ["A,C", "B,D"]]
    vectors = (
        "[0.100, 0.000, 0.000, 0.000, 0.000, 20.000, 0.000]",
        "[0.100, 0.000, 0.200, 0.000, 0.000, 20.000, 0.010]",
    )
    (only,) = by_dimension(inferred(Question("", (object(),) * 2, vectors)))  # type: ignore[arg-type]
    assert "up (+Z), by about 0.2 m" in only
    assert inferred(Question("", (object(),) * 2, ("the pot", OPTIONS[0]))) == []  # type: ignore[arg-type]
    assert phrase_of(6, -math.inf) == "by closing its fingers"


def test_the_action_is_read_from_the_question() -> None:
    found = predicted(Question(PREDICTION.text, (), PREDICTION.options))
    assert list(found) == [2, 4]
    assert found[2] == "up (+Z)"
    assert predicted(Question("Which?", (), PREDICTION.options)) == {}


def test_each_part_is_asked_once_and_the_likeliest_option_is_handed_in() -> None:
    def script(request: Request) -> str:
        if request.about and request.about.startswith("group"):
            place = next(
                (n for n, option in enumerate(request.options) if "back, towards" in option or "opening" in option), 0
            )
            return "AB"[place]
        return "A"

    _, records = play("answer_axes", INFERENCE, Looking(script))
    asked = events(records, Asked)
    assert [event.about for event in asked] == ["group A,B C,D", "group B,D A,C"]
    (answer,) = events(records, Answered)
    assert answer.value == OPTIONS[2]
    assert len(events(records, Looked)) == 3


def test_candidates_are_compared_by_yes_and_no() -> None:
    def script(request: Request) -> Reply:
        sure = {"option A": 0.9, "option B": 0.2, "option C": 0.95, "option D": 0.5}[str(request.about)]
        return Reply("Yes" if sure > 0.5 else "No", yes=sure, no=1 - sure)

    _, records = play("answer_axes", PREDICTION, Scripted(script))  # type: ignore[arg-type]
    assert len(events(records, Asked)) == 8
    (answer,) = events(records, Answered)
    assert answer.value == "picture 4"


def test_what_cannot_be_read_is_put_whole() -> None:
    result, records = play("answer_axes", INFERENCE, Scripted(always("perhaps")))
    assert events(records, Asked)[-1].phase == "question"
    assert result.failure == "unreadable"


def test_a_single_view_leaves_nothing_to_choose() -> None:
    result, records = play("answer_views", INFERENCE, Looking(lambda request: "C"))
    assert result.success
    assert len(events(records, Asked)) == 1


def test_a_view_is_cut_out_and_changes_are_found() -> None:
    before, after = image(20), image(120)
    assert opened(cropped(before, Part(0.0, 0.0, 0.5, 1.0))).size == (480, 480)
    part = changed_part(before, after, 0.0)
    assert (part.left, part.right) == (0.1, 0.705)
    assert part.top >= 0.39
    assert changed_part(before, before) == (0.0, 0.0, 1.0, 1.0)
    shown = opened(difference(before, after))
    gone, new, same = (shown.getpixel((x, 50)) for x in (30, 130, 80))
    assert gone[0] > gone[2]  # white again: brighter, red
    assert new[2] > new[0]  # black now: darker, blue
    assert max(same) - min(same) < 3


def test_arrows_are_drawn_with_their_names() -> None:
    drawn = opened(
        with_arrows(image(20, (300, 300)), (Arrow("+X", 0.5, 0.5, 0.9, 0.5), Arrow("+Y", 0.5, 0.5, 0.5, 0.1)), "10 cm")
    )
    assert drawn.size == (1024, 1024)
    assert drawn.getpixel((700, 512))[0] > 200 > drawn.getpixel((700, 512))[1]


def test_pictures_stand_behind_their_letters() -> None:
    pictures = tuple(f"<{number}>" for number in range(1, 6))
    question = Question("q", pictures, PREDICTION.options, labels=PREDICTION.labels)  # type: ignore[arg-type]
    order = ("picture 4", "picture 2", "picture 5", "picture 3")
    parts = laid_out(question, pictures, order)  # type: ignore[arg-type]
    assert parts == [
        "Picture 1, before:", "<1>", "A. picture 4:", "<4>", "B. picture 2:", "<2>", "C. picture 5:", "<5>",
        "D. picture 3:", "<3>",
    ]  # fmt: skip
    assert laid_out(replace(question, labels=()), pictures, order) == list(pictures)  # type: ignore[arg-type]
    assert laid_out(question, (*pictures, "<6>"), order)[-1] == "<6>"  # type: ignore[arg-type]
    assert Kind.CHOICE is question.kind
