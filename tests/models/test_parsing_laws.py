"""Laws of reading: nothing raises, robust extends official, and what was cut off is not made up."""

from __future__ import annotations

import json
import random
import signal
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from models.base import Kind
from models.parsing import (
    Profile,
    Proposal,
    Unreadable,
    choice,
    letter,
    letters,
    listed,
    number,
    proposals,
    read_form,
    yes_no,
)
from tests.models.messy_replies import (
    ACTIONS,
    CHOICES,
    JUDGEMENTS,
    LETTERS,
    LISTS,
    NUMBERS,
    OPTIONS,
    PLANS,
    SIGNATURES,
)

Reader = Callable[[str, Profile], object]

THINGS = ("the red cup", "mark 4", "A red plate", "on the left", "")


def form(kind: Kind, **more: Sequence[str]) -> Reader:
    return lambda text, profile: read_form(text, kind, profile=profile, **more)  # type: ignore[arg-type]


FORMS: dict[str, tuple[Reader, type]] = {
    "form_choice": (form(Kind.CHOICE, options=THINGS), str),
    "form_letter": (form(Kind.CHOICE, letters="ABCD"), str),
    "form_choices": (form(Kind.CHOICES, options=THINGS), tuple),
    "form_order": (form(Kind.ORDER), tuple),
    "form_order_of_options": (form(Kind.ORDER, options=THINGS), tuple),
    "form_matching": (form(Kind.MATCHING, options=THINGS, items=("the cup", "a [fork]", "b", "C")), tuple),
    "form_judgements": (form(Kind.JUDGEMENTS, options=THINGS), tuple),
    "form_judgements_of_any_number": (form(Kind.JUDGEMENTS), tuple),
    "form_number": (form(Kind.NUMBER), float),
    "form_text": (form(Kind.TEXT), str),
    "form_yes_no": (form(Kind.YES_NO), bool),
}
READERS: dict[str, Reader] = {
    "yes_no": lambda text, profile: yes_no(text, profile=profile),
    "yes_no_cot": lambda text, profile: yes_no(text, cot=True, profile=profile),
    "plan": lambda text, profile: proposals(text, "plan", SIGNATURES, profile=profile),
    "action": lambda text, profile: proposals(text, "action", SIGNATURES, profile=profile),
    "choice": lambda text, profile: choice(text, OPTIONS, profile=profile),
    "no_choice": lambda text, profile: choice(text, [], profile=profile),
    "letter": lambda text, profile: letter(text, profile=profile),
    "letters": lambda text, profile: letters(text, profile=profile),
    "number": lambda text, profile: number(text, profile=profile),
    "listed": lambda text, profile: listed(text, profile=profile),
    **{name: reader for name, (reader, _) in FORMS.items()},
}
KINDS: dict[str, type] = {
    **{name: kind for name, (_, kind) in FORMS.items()},
    "yes_no": bool,
    "yes_no_cot": bool,
    "plan": tuple,
    "action": tuple,
    "choice": int,
    "no_choice": int,
    "letter": str,
    "letters": tuple,
    "number": float,
    "listed": tuple,
}

MESSY = [*JUDGEMENTS, *PLANS, *ACTIONS, *CHOICES, *LETTERS, *NUMBERS, *LISTS]
PIECES: list[str] = (  # noqa: SIM905
    "<answer> </answer> <ANSWER> <think> </think> <explanation> Answer: answer is Final Choice choice option \\boxed{ "
    "\\text{ yes Yes No no NO. Sí нет 是 否、 or and if cannot tell sorry A B. (C) D) e a I 1 2. 3) [4] 5,000 1/2 1/0 "
    "-7 1e400 1e-5 ٣ ² ½ three twelve out of - – → -> > { } [ ] ( ) “ ” ' \" ` ** _ # // /* */ : , ; 、 ، ؟ 。 ！ "
    '"plan" "action" "parameters" plan action "moveblock" "r" "c2" True None null \\ \\u \\ud83d \\" \u200f \ud800 \0'
).split()
pieces = st.lists(st.sampled_from([*PIECES, " ", "\n", "\t"]) | st.text(max_size=3), max_size=40)
torn = st.tuples(st.sampled_from(MESSY), st.integers(0, 200), st.sampled_from(MESSY), st.integers(0, 200)).map(
    lambda cut: cut[0][: cut[1]] + cut[2][cut[3] :]
)
replies = st.text() | pieces.map("".join) | pieces.map(" ".join) | torn

parameters = st.lists(st.text(max_size=6), max_size=3) | st.dictionaries(
    st.sampled_from(["block", "column", "x"]), st.text(max_size=6) | st.integers() | st.none(), max_size=3
)
actions = st.fixed_dictionaries(
    {"action": st.sampled_from(["moveblock", "wait"]) | st.text(max_size=6), "parameters": parameters}
)
plans = st.fixed_dictionaries({"plan": st.lists(actions, min_size=1, max_size=4)}, optional={"thought": st.text()})


def check_one(name: str, text: str) -> None:
    official, robust = (READERS[name](text, profile) for profile in Profile)
    assert isinstance(official, KINDS[name] | Unreadable), (name, text)
    assert isinstance(robust, KINDS[name] | Unreadable), (name, text)
    for read in (official, robust):
        if isinstance(read, Unreadable):
            assert read.reason
            assert len(read.reason) < 400
    if name in ("yes_no", "yes_no_cot", "plan", "action") and not isinstance(official, Unreadable):
        assert robust == official, (name, text)


def check_all(text: str) -> None:
    for name in READERS:
        check_one(name, text)


@given(replies)
@settings(max_examples=100, deadline=None)
def test_no_reply_raises_and_robust_extends_official(text: str) -> None:
    check_all(text)


def torn_or_put_together(dice: random.Random) -> str:
    """A reply by chance. Hypothesis would take longer to think of ten thousand than all readers to read them."""
    match dice.randrange(4):
        case 0:
            return "".join(chr(dice.randrange(0x2FFFF)) for _ in range(dice.randrange(40)))
        case 1:
            one, other = dice.choice(MESSY), dice.choice(MESSY)
            return one[: dice.randrange(200)] + other[dice.randrange(200) :]
        case _:
            return dice.choice(("", " ", "\n")).join(dice.choices(PIECES, k=dice.randrange(40)))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
def test_ten_thousand_replies_raise_nothing_in_any_reader(seed: int) -> None:
    dice = random.Random(seed)
    for _ in range(1_000):
        check_all(torn_or_put_together(dice))


@pytest.fixture
def processor_seconds() -> Iterator[Callable[[float], object]]:
    """Sets how much processor time the test may take: unlike a clock, it does not run while others work."""

    def spent(number: int, frame: object) -> None:
        raise AssertionError("the processor time is used up")

    before = signal.signal(signal.SIGPROF, spent)
    yield lambda seconds: signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_PROF, 0)
    signal.signal(signal.SIGPROF, before)


PIECES_OF_LONG_REPLIES = [
    "{",
    "[",
    '{"a ',
    "{'",
    "<think>",
    "</think>",
    "<answer>",
    "1,000",
    "1 ",
    "A ",
    "a, ",
    "no, ",
    "if ",
    "\\boxed{",
    "A-B, ",
    "(",
    "Answer: ",
    "1. A\n",
    "the cup: C, ",
    "A or ",
    "1-2 ",
    "yes: ",
    "- ",
    "A. x ",
    "not A ",
    "\\text{",
    "is ",
    "so A. ",
]


def long_replies() -> Iterator[Any]:
    """Every reader with every piece; the quick tests take a seventh of them, in which every reader has four."""
    for row, name in enumerate(READERS):
        for quick in (True, False):
            pieces = [
                piece for column, piece in enumerate(PIECES_OF_LONG_REPLIES) if ((row + column) % 7 == 0) is quick
            ]
            marks = () if quick else pytest.mark.slow
            yield pytest.param(name, pieces, marks=marks, id=f"{name}-{'some' if quick else 'others'}")


@pytest.mark.parametrize(("name", "pieces"), [*long_replies()])
def test_a_long_reply_is_read_in_one_pass(
    name: str, pieces: list[str], processor_seconds: Callable[[float], object]
) -> None:
    """A reader that goes over the rest of the reply for each of 20,000 pieces would take minutes; all take 0.1 s."""
    for piece in pieces:
        processor_seconds(20)
        check_one(name, piece * 20_000)


@given(plans | actions.map(lambda action: {"action": action}) | actions, st.data())
@settings(deadline=None)
def test_a_plan_that_is_cut_off_holds_no_other_action(content: dict[str, object], data: st.DataObject) -> None:
    key = "plan" if "plan" in content else "action"
    text = json.dumps(content, ensure_ascii=data.draw(st.booleans()), indent=data.draw(st.none() | st.just(1)))
    whole = proposals(text, key, SIGNATURES)
    read = proposals(text[: data.draw(st.integers(0, len(text)))], key, SIGNATURES)
    if not isinstance(read, Unreadable):
        assert isinstance(whole, tuple)
        assert read == whole[: len(read)]


@given(plans)
@settings(deadline=None)
def test_of_a_plan_cut_off_at_its_end_every_whole_action_is_kept(content: dict[str, list[object]]) -> None:
    text = json.dumps(content)
    whole = proposals(text, "plan", SIGNATURES)
    if list(content) == ["plan"]:
        assert proposals(text[:-1], "plan", SIGNATURES) == whole
        assert proposals(text[:-2], "plan", SIGNATURES) == whole


@given(plans, st.sampled_from(["Here: ", "<think>{hm</think>", "```json\n", "I move {r}.\n"]))
@settings(deadline=None)
def test_quotes_of_python_say_the_same(content: dict[str, object], before: str) -> None:
    read = proposals(f"{before}{content!r}\nDone {{}}.", "plan", SIGNATURES)
    assert isinstance(read, tuple | Unreadable)
    plain = all(char.isalnum() for char in json.dumps(content, ensure_ascii=False) if char not in ' {}[]":,_-')
    if plain:
        assert [_said(proposal) for proposal in read] == [_said(one) for one in content["plan"]]  # type: ignore[union-attr, attr-defined]


def _said(proposal: object) -> tuple[object, object]:
    if isinstance(proposal, Proposal):
        return proposal.action, proposal.parameters
    assert isinstance(proposal, dict)
    return proposal["action"].strip(), proposal["parameters"]


WRAPPERS = [
    "{}",
    " {}\n",
    "Final Answer: {}",
    "The cup is red.\nFinal Answer: {}",
    "<think>A, 3 or B</think><answer>{}</answer>",
]


@given(st.sampled_from("ABCDE"), st.sampled_from(["{}", "{}.", "({})", "{}. the cup"]), st.sampled_from(WRAPPERS))
def test_a_letter_in_the_form_asked_for_is_read_alike(one: str, form: str, wrapper: str) -> None:
    text = wrapper.format(form.format(one))
    assert letter(text) == letter(text, profile=Profile.OFFICIAL) == one
    assert letters(text) == (one,)


@given(
    st.lists(st.sampled_from("ABCDE"), min_size=1, unique=True), st.sampled_from([", ", ","]), st.sampled_from(WRAPPERS)
)
def test_letters_in_the_form_asked_for_are_read_alike(some: list[str], comma: str, wrapper: str) -> None:
    text = wrapper.format(comma.join(some))
    assert letters(text) == letters(text, profile=Profile.OFFICIAL) == tuple(some)
    assert listed(text) == listed(text, profile=Profile.OFFICIAL) == tuple(map(str.lower, some))


@given(
    st.integers(-999, 999) | st.decimals(-999, 999, places=2),
    st.sampled_from(["", ".", " cm"]),
    st.sampled_from(WRAPPERS),
)
def test_a_number_in_the_form_asked_for_is_read_alike(value: object, unit: str, wrapper: str) -> None:
    text = wrapper.format(f"{value}{unit}")
    assert number(text) == number(text, profile=Profile.OFFICIAL) == float(str(value))


@given(
    st.integers(1, 6),
    st.sampled_from(["Choice: [{}]", "Thought: 9 doors.\nChoice: {}", "Choice [{}]. Or 2?", "{}", "[{}]"]),
)
def test_a_choice_in_the_form_asked_for_is_read_alike(one: int, form: str) -> None:
    text = form.format(one)
    official = choice(text, OPTIONS, profile=Profile.OFFICIAL)
    assert choice(text, OPTIONS) == official == one - 1


@given(st.sampled_from(OPTIONS), st.sampled_from(["{}", "{}.", "**{}**", "Answer: {}", "<answer>{}</answer>", '"{}"']))
@example('answer "red"', "{}")
def test_an_options_own_words_choose_it(option: str, form: str) -> None:
    assert choice(form.format(option), OPTIONS) == OPTIONS.index(option)
