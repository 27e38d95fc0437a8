"""Replies as models write them, messy ones above all, and how each is to be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from models.parsing import Profile, Unreadable, choice, differs, letter, letters, listed, number, proposals, yes_no
from planners.task import Step

SIGNATURES = {"moveblock": ("block", "column"), "wait": ()}
RG = (Step("moveblock", ("r", "c2")), Step("moveblock", ("g", "c1")))
REFUSAL, BOTH, NEITHER, EMPTY = "refusal", "both yes and no", "neither yes nor no", "the reply is empty"

JUDGEMENTS = {
    "Yes, the red block is on top of the blue block.": True,
    "No, the red block is in column c3.": False,
    "The answer is no.": False,
    "The answer is **Yes**.": True,
    "The answer to the question is: yes": True,
    "My answer would be No, because the green block is above it.": False,
    "**No**, it isn't.": False,
    "## Answer\n\n**Yes**": True,
    "Final answer: no": False,
    "Answer: Yes\n\nExplanation: there is no block above it.": True,
    "<think>Is it yes? No. There is no doubt.</think>\n\nYes": True,
    "The picture shows three columns. No block... hmm.\n</think>\nNo": False,
    "<answer>Yes, it is clear</answer>": True,
    "<answer>\nNo</answer>": False,
    '{"answer": "yes"}': True,
    '```json\n{"answer": "No", "confidence": 0.8}\n```': False,
    "$\\boxed{\\text{Yes}}$": True,
    "Yes. There is no block on top of the red block, so it is clear.": True,
    "Yes the red block is clear": True,
    "No there is another block on it": False,
    "The red block is in the leftmost column, so yes.": True,
    "The blue block is on top of it. Therefore, no.": False,
    "Looking at the picture, the red block is at the bottom.\n\nNo": False,
    "It's a clear no.": False,
    "That is correct.": True,
    "False.": False,
    "Nope!": False,
    "✅ Yes": True,
    "Ｙｅｓ": True,
    "「はい」": True,
    "いいえ、赤いブロックは青いブロックの上にありません。": False,
    "是的，红色方块在蓝色方块上面。": True,
    "否。": False,
    "不是，它在第三列。": False,
    "¡Sí!": True,
    "¿Sí? Sí, el bloque rojo está libre.": True,
    "No, el bloque rojo no está libre.": False,
    "نعم، المكعب الأحمر فوق الأزرق.": True,
    "لا؟": False,
    "Да, красный блок находится сверху.": True,
    "Нет.": False,
    "Oui, le bloc rouge est au-dessus.": True,
    "Nein – der rote Block steht in c2.": False,
    "네, 그렇습니다.": True,
    "हाँ, लाल ब्लॉक ऊपर है।": True,
    "Yes and no.": NEITHER,
    "yes no": BOTH,
    "Yes. Wait, let me look again. No.": BOTH,
    "No, yes.": BOTH,
    "Is it red? Yes. Is it clear? No.": BOTH,
    "Yes or no": NEITHER,
    "Yes/No": NEITHER,
    "No block is on top of the red block.": NEITHER,
    "No-one could say.": NEITHER,
    "The red block is not clear.": NEITHER,
    "Nothing is on it.": NEITHER,
    "banana": NEITHER,
    "I cannot determine this from the image.": REFUSAL,
    "I'm sorry, but I can't help with that.": REFUSAL,
    "No, I can't assist with that request.": REFUSAL,
    "I'm sorry, I am unable to see any image. Please upload it.": REFUSAL,
    "I can’t tell whether the answer is yes or no.": REFUSAL,
    "It is unclear from the picture.": REFUSAL,
    "抱歉，我无法判断。": REFUSAL,
    "": EMPTY,
    "<think>Let me see, the red block": EMPTY,
    "😀": EMPTY,
}

BROKEN = '{"plan": [{"action": "moveblock", "parameters": {"block": "r", "column": "c2"}}'
PLANS = {
    '```json\n{"plan": [{"action": "moveblock", "parameters": {"block": "r", "column": "c2"}},]}\n```': 1,
    "{'plan': [{'action': 'moveblock', 'parameters': {'block': 'r', 'column': 'c2'}}]}": 1,
    "Use {r} first:\n" + BROKEN + "]} and then {g}.": 1,
    "{“plan”: [{“action”: “moveblock”, “parameters”: [“r”, “c2”]}]}": 1,
    '{plan: [{action: "moveblock", parameters: ["r", "c2"]}]}': 1,
    '{"plan": [{"action": "moveblock", "parameters": ["r", "c2"]}], "done": False, "note": None}': 1,
    '{"plan": [ // first the red one\n{"action": "moveblock", "parameters": ["r", "c2"]} /* then */ ]}': 1,
    '{\n# the plan\n"plan": [{"action": "moveblock", "parameters": ["r", "c2"]}]\n}': 1,
    BROKEN: 1,
    BROKEN + ', {"action": "moveblock", "parameters": {"block": "g", "col': 1,
    BROKEN + ', {"action": "moveblock", "parameters": ["g", "c1"]}]': 2,
    BROKEN + ', {"action": "moveblock", "parameters": ["g", "c1"]}': 2,
    '{"plan": [{"action": "wait"}]}\nBetter:\n' + BROKEN + "]}": 1,
    BROKEN + ']}\n{"note": "I hope that helps"}': 1,
    '<think>{"plan": [{"action": "wait"}]} no, {</think>' + BROKEN + "]}": 1,
    '{"reasoning": "the goal says "red on blue", so", "plan": [{"action": "moveblock", "parameters": ["r", "c2"]}]}': 1,
    '[{"action": "moveblock", "parameters": ["r", "c2"]}, {"action": "moveblock", "parameters": ["g", "c1"]}]': 2,
    '{"plan": ["moveblock(r, c2)", "moveblock(\'g\', \'c1\')"]}': 2,
    '{"plan": [{"action": "moveblock", "args": ["r", "c2"]},]}': 1,
    '{"plan": [{"action": "moveblock", "parameters": ["r", "c2"]}]}}}': 1,
    '{"plan": [': "broken JSON|no JSON",
    '{"plan": [{"action": "moveblock", "parameters": ["r"': "no JSON",
    "I'm sorry, I can't help with that.": REFUSAL,
    "I would move r to c2.": "no JSON",
    "{'plan': []}": "the plan is empty",
    '{"action": {"action": "wait"}}': "the JSON has no 'plan'",
}

ACTION = "'action': {'action': 'moveblock', 'parameters': {'block': 'r', 'column': 'c2'}}"
ACTIONS = {
    "{" + ACTION + "}": True,
    "{" + ACTION: True,
    '{"action": "moveblock", "parameters": ["r", "c2"],}': True,
    '{"action": "moveblock", "parameters": ["r", "c2"]': True,
    '{"thought": it is clear, "action": {"action": "moveblock", "parameters": ["r", "c2"]}}': True,
    '{"action": "moveblock"': False,
    '{"action": "moveblock", "parameters": ["r", "c2"': False,
    "{'action': {'action': 'moveblock', 'parameters': {'block': 'r'": False,
}

OPTIONS = ["move forward", "turn left", "turn right", 'answer "red"', "pick up the cup", "pick up the cup slowly"]
CHOICES = {
    "Thought: the door is left.\nChoice: [2]": 1,
    "Choice [3]. I had 6 options.": 2,
    "[2]": 1,
    "2": 1,
    "2. turn left": 1,
    "(4)": 3,
    "I choose option 2 out of 6.": 1,
    "Option 5": 4,
    "turn left": 1,
    "**Turn left.**": 1,
    'answer "red"': 3,
    "I think the best is to pick up the cup now.": 4,
    "pick up the cup slowly": 5,
    "B": 1,
    "Option C": 2,
    "<think>1 or 2?</think>\n<answer>3</answer>": 2,
    "Choice: 9": "there is no option 9 of 6",
    "I would turn left or turn right.": "no choice",
    "Either 1 or 2.": "no choice",
    "I am unable to decide.": REFUSAL,
    "": EMPTY,
}

LETTERS = {
    "B": "B",
    "(B)": "B",
    "b)": "B",
    "B.": "B",
    "Answer: B.": "B",
    "\\boxed{B}": "B",
    "$\\boxed{\\text{B}}$": "B",
    "**B**": "B",
    "A) Red cup": "A",
    "C. The gripper moves left.": "C",
    "<think>A moves. B does not. I say D</think><answer>D</answer>": "D",
    "<answer> (c) </answer>": "C",
    "Final Answer: D": "D",
    "The correct option is C because A and B are behind the table": "C",
    "The answer is B, since the cup is red.": "B",
    "I would go with option E": "E",
    "A robot moves the cup, so it must be D": "D",
    "Ｂ": "B",
    "B\n\nThe cup is to the left of the plate.": "B",
    "A or B": "not one letter",
    "A. red\nB. blue": "not one letter",
    "F": "not one letter",
    "the cup": "not one letter",
    "I cannot answer this.": REFUSAL,
    "": EMPTY,
}
SEVERAL = {
    "A, C": ("A", "C"),
    "Final Answer: A, B and D.": ("A", "B", "D"),
    "[A, C]": ("A", "C"),
    "ACD": ("A", "C", "D"),
    "A) cup\nC) plate": ("A", "C"),
    "**B**": ("B",),
    "Answer: A and C": ("A", "C"),
    "none": "no letters",
}

NUMBERS = {
    "4": 4,
    "Final Answer: 4": 4,
    "4 objects (out of 5)": 4,
    "There are 3 cups.": 3,
    "three": 3,
    "There are twelve of them.": 12,
    "1,234": 1234,
    "12 345.5 mm": 12345.5,
    "about 0.35 m": 0.35,
    "-5 degrees": -5,
    "−5°": -5,
    "3/4": 0.75,
    "1 1/2 cups": 1.5,
    "1e-3": 0.001,
    "2 + 3 = 5": 5,
    "**7**": 7,
    "\\boxed{12}": 12,
    "I see 2 red and 3 blue cups. In total 5.": 5,
    "I see 2 red cups.\nAnswer: 5. That is all 9 of them less 4.": 5,
    "４": 4,
    "3-4": "a range",
    "2 red and 3 blue cups": "several numbers",
    "many": "no number",
    "1/0": "no number",
    "I don't know": REFUSAL,
    "": EMPTY,
}

LISTS = {
    "A, B, C": ("a", "b", "c"),
    "[A, B, C]": ("a", "b", "c"),
    "A, B, C.": ("a", "b", "c"),
    "Final Answer: A, C, B": ("a", "c", "b"),
    "Final Answer: [1, 0, 1].": ("1", "0", "1"),
    "1,0,1": ("1", "0", "1"),
    "[true, false]": ("1", "0"),
    "['Red cup', 'Blue cup']": ("redcup", "bluecup"),
    "1. Red cup\n2. Blue cup": ("redcup", "bluecup"),
    "- plate\n- cup": ("plate", "cup"),
    "A -> C -> B": ("a", "c", "b"),
    "A > C > B": ("a", "c", "b"),
    "A→C": ("a", "c"),
    "cup、plate、fork": ("cup", "plate", "fork"),
    "**A**, **B**, and **C**": ("a", "b", "c"),
    "<think>B, A</think> book_1, book_2": ("book_1", "book_2"),
    "Nearest first.\nA, B, C": ("a", "b", "c"),
    "": EMPTY,
}


def check(read: object, right: object) -> None:
    if isinstance(right, str) and isinstance(read, Unreadable):
        assert any(read.reason.startswith(reason) for reason in right.split("|")), read
    else:
        assert read == right
        assert type(read) is type(right) or isinstance(read, float)


@pytest.mark.parametrize("cot", [False, True])
@pytest.mark.parametrize(("text", "right"), JUDGEMENTS.items())
def test_yes_and_no(text: str, right: object, cot: bool) -> None:
    check(yes_no(text, cot=cot), right)


@pytest.mark.parametrize(("text", "right"), PLANS.items())
def test_plans(text: str, right: object) -> None:
    read = proposals(text, "plan", SIGNATURES)
    if isinstance(right, int):
        assert isinstance(read, tuple), read
        assert tuple(proposal.step for proposal in read) == RG[:right]
    else:
        check(read, right)


@pytest.mark.parametrize(("text", "readable"), ACTIONS.items())
def test_actions(text: str, readable: bool) -> None:
    read = proposals(text, "action", SIGNATURES)
    assert isinstance(read, tuple) == readable, read
    if isinstance(read, tuple):
        assert [proposal.step for proposal in read] == [RG[0]]


@pytest.mark.parametrize(("text", "right"), CHOICES.items())
def test_choices(text: str, right: object) -> None:
    check(choice(text, OPTIONS), right)


@pytest.mark.parametrize(("text", "right"), LETTERS.items())
def test_one_letter(text: str, right: str) -> None:
    check(letter(text), right)


@pytest.mark.parametrize(("text", "right"), SEVERAL.items())
def test_several_letters(text: str, right: object) -> None:
    check(letters(text), right)


@pytest.mark.parametrize(("text", "right"), NUMBERS.items())
def test_numbers(text: str, right: object) -> None:
    check(number(text), right)


@pytest.mark.parametrize(("text", "right"), LISTS.items())
def test_lists(text: str, right: object) -> None:
    check(listed(text), right)


@pytest.mark.parametrize(
    ("reader", "text", "official"),
    [
        (letter, "A) Red cup", "not one letter"),
        (letter, "Answer: B. The cup", "B"),
        (letters, "A) Red cup", ("A", "R")),
        (letters, "Answer: A, C", ("A", "C")),
        (number, "4 objects (out of 5)", 5.0),
        (number, "1,234", 234.0),
        (number, "Answer 3 of them", 3.0),
        (listed, "[A, B, C]", ("[a", "b", "c]")),
        (listed, "A, B, C.", ("a", "b", "c.")),
        (listed, "**A**, B", ("a", "b")),
    ],
)
def test_official_reads_as_the_published_code_does(reader: Callable[..., object], text: str, official: object) -> None:
    check(reader(text, profile=Profile.OFFICIAL), official)


@pytest.mark.parametrize(
    ("text", "place"), [("Choice: [2] or Choice: [3]", 1), ("I choose 2 out of 6", 5), ("turn left", "no choice")]
)
def test_official_choices_are_the_first_choice_or_the_last_number(text: str, place: object) -> None:
    check(choice(text, OPTIONS, profile=Profile.OFFICIAL), place)


def test_where_the_profiles_part_can_be_told() -> None:
    assert differs(yes_no, "Yes, it is.")
    assert not differs(yes_no, "Yes.")
    assert not differs(yes_no, "banana")
    assert differs(number, "4 objects (out of 5)")
    assert differs(choice, "I choose 2 out of 6", OPTIONS)
    assert differs(proposals, "{'plan': [{'action': 'wait'}]}", "plan", SIGNATURES)
