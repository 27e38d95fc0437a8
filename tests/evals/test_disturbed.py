"""Disturbances that should not matter: other words, other names, other looks, and nothing else."""

from __future__ import annotations

import asyncio
import io
import re
from pathlib import Path

import pytest
from PIL import Image

from envs.blocksworld.texts import COLOURS
from envs.blocksworld.texts import DESCRIPTION as BLOCKS_DESCRIPTION
from envs.blocksworld.texts import question as blocks_question
from envs.blocksworld.world import Blocksworld
from envs.household.texts import DESCRIPTION as HOME_DESCRIPTION
from envs.household.texts import question as home_question
from envs.household.world import Household
from evals.judges.disturbed import PROMPTS, disturb, disturbed, paraphrased_lines, without_paraphrase
from evals.run.controls import PICTURES, REWORDED, WORDS
from models.base import Kind, Message, Reply, Request
from planners.formula import Atom
from tests.models.asking import Painted
from tools.prompts import PromptSet, read_prompt

VERSIONS = [control.partition("-")[2] for control in REWORDED]
NAMES = sorted(path.stem for path in PROMPTS.glob("*.md"))


class Listener:
    """A model that keeps what it is asked, and has one reply."""

    identity = "listener"
    looks = True
    simulated = False
    cacheable = True

    def __init__(self, says: str = "Yes") -> None:
        self.asked: list[Request] = []
        self.says = says

    async def ask(self, request: Request) -> Reply:
        self.asked.append(request)
        return Reply(self.says)


def picture(size: tuple[int, int] = (40, 20)) -> Painted:
    file = io.BytesIO()
    Image.linear_gradient("L").resize(size).convert("RGB").save(file, "PNG")
    painted = Painted()
    painted._png = file.getvalue()
    return painted


def named(text: str) -> list[str]:
    """The things that a question is about."""
    return re.findall(r"\b(?:\w+_\d|c\d|(?:red|green|blue|yellow) block)\b", text)


def under(control: str, request: Request, says: str = "Yes", rewordings: Path | None = None) -> tuple[Request, Reply]:
    """What the model is asked under a control, and what the agent hears."""
    listener = Listener(says)
    reply = asyncio.run(disturbed(control, listener, rewordings).ask(request))
    return listener.asked[0], reply


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_paraphrase_says_the_same_in_other_words(name: str, version: str) -> None:
    ours, other = read_prompt(PROMPTS / f"{name}.md"), read_prompt(PROMPTS / "paraphrases" / version / f"{name}.md")
    assert other.places == ours.places
    assert [role for role, _ in other.turns] == [role for role, _ in ours.turns]
    for (_, old), (_, new) in zip(ours.turns, other.turns, strict=True):
        kept = [line for line in old.splitlines() if line.lstrip().startswith(("{", "(", "<answer>", ":"))]
        assert [line for line in new.splitlines() if line in kept] == kept, "forms of replies stay"
        sentences = [line for line in old.splitlines() if len(line) > 60 and line not in kept]
        assert not set(sentences) & set(new.splitlines())


def test_every_prompt_has_its_paraphrases() -> None:
    assert without_paraphrase(tuple(NAMES)) == []
    assert without_paraphrase(("yes_no", "no_such_prompt")) == ["no_such_prompt"]


@pytest.mark.parametrize("version", VERSIONS)
def test_a_filled_prompt_is_the_paraphrase_filled(version: str) -> None:
    painted, world, asked = picture(), "A world.\nWith two lines.", "Is it?"
    told = PromptSet.ours()["yes_no"].fill(painted, environment=world, question=asked)
    heard, _ = under(f"reworded-{version}", Request(told, Kind.YES_NO))
    other = read_prompt(PROMPTS / "paraphrases" / version / "yes_no.md")
    assert heard.messages == other.fill(painted, environment=world, question=asked)


@pytest.mark.parametrize("version", VERSIONS)
def test_every_question_of_a_world_has_other_words(version: str) -> None:
    blocks = [Atom("on", ("r", "b")), Atom("incolumn", ("g", "c2")), Atom("clear", ("y",))]
    blocks += [Atom("leftof", ("c1", "c2")), Atom("rightof", ("c1", "c2"))]
    home = [Atom(name, ("cup_1",)) for name in ("reachable", "holding", "open")]
    home += [Atom(name, ("cup_1", "table_2")) for name in ("ontop", "nextto", "inside")]
    asked = [
        (Blocksworld.rewordings, [*map(blocks_question, blocks), BLOCKS_DESCRIPTION]),
        (Household.rewordings, [*map(home_question, home), HOME_DESCRIPTION]),
    ]
    for rewordings, texts in asked:
        heard = []
        for text in texts:
            request = Request((Message("user", (text,)),), Kind.YES_NO)
            heard.append(under(f"reworded-{version}", request, rewordings=rewordings)[0].text)
            assert heard[-1] != text
            if text not in (BLOCKS_DESCRIPTION, HOME_DESCRIPTION):
                assert sorted(named(heard[-1])) == sorted(named(text))
        assert len(set(heard)) == len(texts)


def test_the_two_versions_differ_everywhere() -> None:
    first, second = map(paraphrased_lines, VERSIONS)
    assert first.keys() == second.keys()
    assert all(first[line] != second[line] for line in first if len(line) > 20)


def test_other_names_go_there_and_back() -> None:
    text = 'Move the red block (r). Red is on "b". A reader, a c2 and Robert stay: {"block": "r", "column": "c2"}'
    request = Request((Message("user", (text, picture(), "Is the blue block clear?")),), Kind.PLAN)
    heard, reply = under("renamed", request, '{"block": "k1", "column": "c2"} the crimson one', Blocksworld.rewordings)
    first, last = (part for part in heard.messages[0].parts if isinstance(part, str))
    assert first == (
        'Move the crimson block (k1). Crimson is on "k3". A reader, a c2 and Robert stay: '
        '{"block": "k1", "column": "c2"}'
    )
    assert last == "Is the azure block clear?"
    assert reply.text == '{"block": "r", "column": "c2"} the red one'


def test_all_blocks_have_another_name() -> None:
    for letter, colour in COLOURS.items():
        request = Request((Message("user", (f"{letter}: the {colour} block",)),))
        heard, _ = under("renamed", request, rewordings=Blocksworld.rewordings)
        assert letter not in re.findall(r"\w+", heard.text)
        assert colour not in heard.text


def test_names_that_stand_in_pictures_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="stand in the pictures"):
        disturbed("renamed", Listener(), Household.rewordings)


@pytest.mark.parametrize("name", sorted(PICTURES))
def test_a_disturbed_picture_is_another_one_every_time_the_same(name: str) -> None:
    png = picture().png()
    once = disturb(png, name)
    assert once == disturb(png, name)
    assert once != png
    request = Request((Message("user", ("a", picture(), "b")),), Kind.YES_NO)
    heard, _ = under(name, request)
    assert heard.pictures[0].png() == once
    assert heard.pictures[0].sha256 != request.pictures[0].sha256
    assert heard.text == request.text


def test_a_picture_is_disturbed_once_for_all_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr("evals.judges.disturbed.disturb", lambda png, name: done.append(name) or b"new")
    listener = Listener()
    model = disturbed("noise", listener)
    for text in ("Is it?", "Is it not?"):
        asyncio.run(model.ask(Request((Message("user", (picture(), text)),), Kind.YES_NO)))
    assert [request.pictures[0].png() for request in listener.asked] == [b"new"] * 2
    assert done == ["noise"]


def test_what_disturbances_do() -> None:
    def seen(name: str) -> Image.Image:
        return Image.open(io.BytesIO(disturb(picture().png(), name)))

    def mean(image: Image.Image) -> float:
        pixels = list(image.convert("L").tobytes())
        return sum(pixels) / len(pixels)

    usual = mean(Image.open(io.BytesIO(picture().png())))
    assert mean(seen("dark")) == pytest.approx(0.6 * usual, rel=0.02)
    assert mean(seen("bright")) > 1.2 * usual
    assert seen("noise").size == (40, 20)
    assert seen("crop").size == (36, 18)
    assert seen("small").size == (20, 10)


@pytest.mark.parametrize("control", [*PICTURES, *WORDS])
def test_answers_under_a_control_are_kept_apart(control: str) -> None:
    model = disturbed(control, Listener(), Blocksworld.rewordings)
    assert model.identity.startswith(f"listener, control {control}")
    assert model.looks
