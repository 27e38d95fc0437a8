from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from models.base import Reply
from models.registry import load_model
from models.scripted import Scripted, always, by_fact, in_order
from tests.small_worlds import about, request


def said(model: Scripted, *facts: str) -> list[str]:
    async def ask() -> list[str]:
        return [(await model.ask(about(fact))).text for fact in facts]

    return asyncio.run(ask())


def test_the_same_words_whatever_is_asked() -> None:
    assert said(Scripted(always("banana")), "on r,b", "clear r") == ["banana", "banana"]


def test_one_reply_after_the_other() -> None:
    assert said(Scripted(in_order(["Yes", "No"])), "on r,b", "on r,b") == ["Yes", "No"]


def test_by_fact_then_by_question_then_for_the_rest() -> None:
    model = Scripted(by_fact({"on r,b": "Yes", "Is it true that clear r?": "No", "*": "banana"}))
    assert said(model, "on r,b", "clear r", "clear b") == ["Yes", "No", "banana"]
    assert said(Scripted(by_fact({})), "on r,b") == [""]


@pytest.mark.parametrize("written", ["on(r, b)", "On R B", "'on r,b'"])
def test_a_fact_may_be_written_in_other_ways(written: str) -> None:
    assert said(Scripted(by_fact({written: "Yes", "*": "No"})), "on r,b", "on b,r") == ["Yes", "No"]


def test_it_keeps_what_it_was_asked() -> None:
    model = Scripted(always("Yes"))
    said(model, "on r,b", "clear r")
    assert [str(asked.about) for asked in model.asked] == ["on r,b", "clear r"]


def test_a_script_may_give_a_whole_reply() -> None:
    reply = Reply("Yes", truncated=True)
    assert asyncio.run(Scripted(lambda request: reply).ask(request())) is reply


def test_text_behind_the_colon_is_said_always() -> None:
    model = load_model("scripted:No")
    assert model.identity == "scripted:No"
    assert asyncio.run(model.ask(request())).text == "No"
    assert asyncio.run(load_model("scripted").ask(request())).text == "Yes"


def test_answers_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "answers.json"
    file.write_text(json.dumps({"on r,b": "Yes", "*": "No"}))
    model = load_model(f"scripted:{file}")
    assert isinstance(model, Scripted)
    assert said(model, "on r,b", "clear r") == ["Yes", "No"]


@pytest.mark.parametrize("content", ['["Yes"]', '{"on r,b": true}', "{broken", ""])
def test_a_file_that_is_no_script_is_named_in_the_error(tmp_path: Path, content: str) -> None:
    file = tmp_path / "answers.json"
    file.write_text(content)
    with pytest.raises(ValueError, match=r"answers\.json"):
        load_model(f"scripted:{file}")


def test_a_file_that_is_not_there_is_named_in_the_error(tmp_path: Path) -> None:
    with pytest.raises((FileNotFoundError, ValueError), match=r"answers\.json"):
        load_model(f"scripted:{tmp_path / 'answers.json'}")
