"""Prompt files, ours and in the original's format, filled in once and left alone otherwise."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from models.base import Message
from tests.small_worlds import Sketch
from tools.prompts import Prompt, PromptSet, read_prompt

THEIRS = ("yes_no", "yes_no_cot", "plan", "plan_cot", "action", "action_cot")
NAMES = (*THEIRS, "problem", "problem_cot", "domain", "state_text")
PICTURE = Sketch()
ASKING = {"environment", "question", "image"}
PLANNING = {"environment", "actions", "goal_string", "privileged_info", "previous_actions", "image"}
WRITING = {"domain", "objects", "known"}


def prompt(*turns: tuple[str, str]) -> Prompt:
    return Prompt("some", turns)


@pytest.mark.parametrize("name", NAMES)
def test_ours_have_a_place_for_all_there_is_to_say(name: str) -> None:
    ours = PromptSet.ours()[name]
    places = {place for place in ours.places if place in ASKING | PLANNING | WRITING}
    expected = ASKING if name.startswith("yes_no") else PLANNING
    if name.startswith("problem"):
        expected = PLANNING - {"actions"} | WRITING
    assert places == (PLANNING | WRITING if name == "domain" else expected)
    assert [role for role, _ in ours.turns] == ["system", "user"]


def test_ours_are_the_files_beside_the_agents() -> None:
    assert set(PromptSet.ours().fingerprints()) == set(NAMES)
    assert len(set(PromptSet.ours().fingerprints().values())) == len(NAMES)


def test_filling_in_keeps_the_order_of_words_and_pictures() -> None:
    messages = prompt(("system", "Be brief."), ("user", "In {environment}:\n{image}\n{question}")).fill(
        PICTURE, environment="a room", question="Is it dark?"
    )
    assert messages == (Message("system", ("Be brief.",)), Message("user", ("In a room:", PICTURE, "Is it dark?")))


def test_a_question_without_a_place_comes_last() -> None:
    (message,) = prompt(("user", "Look: {image}")).fill(PICTURE, question="Is it dark?")
    assert message.parts == ("Look:", PICTURE, "Question: Is it dark?")


def test_an_empty_value_leaves_no_empty_part() -> None:
    (message,) = prompt(("user", "{privileged_info}{image}")).fill(PICTURE, privileged_info="")
    assert message.parts == (PICTURE,)


def test_a_turn_without_words_sends_no_empty_text() -> None:
    system, user = prompt(("system", ""), ("user", "Look.")).fill(PICTURE)
    assert (system.parts, user.parts) == ((), ("Look.",))


def test_braces_that_are_no_place_are_left_alone() -> None:
    text = 'Reply with {"plan": []} or {nothing}.'
    (message,) = prompt(("user", text)).fill(PICTURE, environment="x")
    assert message.parts == (text,)


@given(st.text(alphabet="{}imageqston", min_size=1).map(lambda text: f"<{text}>"))
def test_a_value_is_never_filled_in_itself(value: str) -> None:
    (message,) = prompt(("user", "{environment} and {question}")).fill(PICTURE, environment=value, question="why?")
    assert message.parts == (f"{value} and why?",)


def test_the_fingerprint_follows_the_wording() -> None:
    one, other = prompt(("user", "Look.")), prompt(("user", "Look!"))
    assert one.fingerprint != other.fingerprint
    assert one.fingerprint == Prompt("another name", one.turns).fingerprint


@pytest.mark.parametrize(
    ("text", "turns"),
    [
        ("<system>\nA\n</system>\n<user>\nB\n</user>\n", (("system", "A"), ("user", "B"))),
        ("<system>\nA\n<user>\nB\n{image}\n", (("system", "A"), ("user", "B\n{image}"))),
        ("<user>B</user>", (("user", "B"),)),
        ("A comment.\n<user>with <b>tags</b></user>", (("user", "with <b>tags</b>"),)),
    ],
)
def test_parts_end_at_their_tag_or_at_the_next(tmp_path: Path, text: str, turns: tuple[tuple[str, str], ...]) -> None:
    file = tmp_path / "prompt.md"
    file.write_text(text)
    assert read_prompt(file).turns == turns


@pytest.mark.parametrize("text", ["", "Just words.", "<system>A</system>"])
def test_a_file_without_a_user_part_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "prompt.md"
    file.write_text(text)
    with pytest.raises(ValueError, match=r"prompt\.md: a prompt file needs a <user> part"):
        read_prompt(file)


def checkout(root: Path, world: str) -> Path:
    """The prompt files of a checkout of the original, as far as they matter here."""
    asking, planning = root / "data/prompts/benchmark" / world, root / "data/prompts/planning"
    for folder in (asking, planning):
        folder.mkdir(parents=True)
    for name in ("prompt.md", "prompt_cot.md"):
        (asking / name).write_text(f"<system>\n{name}\n<user>\n{{image}}\n")
    for name in ("json", "json_cot", "json_action", "json_action_cot"):
        text = f"<system>\n{name}\n<user>\n{{image}} {{goal_string}} {{previous_actions}}\n"
        (planning / f"vila_{world}_{name}.md").write_text(text)
    return root


@pytest.mark.parametrize(("ours", "theirs"), [("blocksworld", "blocksworld"), ("household", "igibson")])
def test_a_checkout_of_the_original_can_be_used_instead(tmp_path: Path, ours: str, theirs: str) -> None:
    prompts = PromptSet.of_original(checkout(tmp_path, theirs), ours)
    assert set(prompts.fingerprints()) == set(THEIRS)
    heads = {name: prompts[name].turns[0][1] for name in THEIRS}
    assert heads == {
        "yes_no": "prompt.md",
        "yes_no_cot": "prompt_cot.md",
        "plan": "json",
        "plan_cot": "json_cot",
        "action": "json_action",
        "action_cot": "json_action_cot",
    }
    messages = prompts["yes_no"].fill(PICTURE, environment="x", question="Is it dark?")
    assert messages[-1].parts == (PICTURE, "Question: Is it dark?")


def test_a_prompt_that_is_not_there_is_named(tmp_path: Path) -> None:
    prompts = PromptSet.of_original(tmp_path, "blocksworld")
    assert prompts.fingerprints() == {}
    with pytest.raises(FileNotFoundError, match=r"no prompt 'plan': .*vila_blocksworld_json\.md is missing"):
        prompts["plan"]
    with pytest.raises(FileNotFoundError, match="no prompt 'sing'"):
        prompts["sing"]


@settings(max_examples=50)
@given(st.text())
def test_any_text_is_a_prompt_or_is_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("prompts") / "prompt.md"
    file.write_text(text, encoding="utf-8", newline="")
    try:
        read = read_prompt(file)
    except ValueError:
        assert "<user>" not in text
    else:
        assert any(role == "user" for role, _ in read.turns)
