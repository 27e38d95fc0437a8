"""The replies of simulated models to questions: right, or wrong where the mind errs.

A request is about the whole question, or about a part of it, named by `about`:

    option C            does the option under that letter hold
    group A,C B,D       to which group the right option belongs
    match 2 C           does the option under that letter belong to the second item
    before A C          does option A come before option C
    count 0 .1 .2 .5 .6 how many there are in a part of the first picture: left, top, right, bottom, from 0 to 1
    refute C            does something in the pictures refute the answer C, or A,C, or 4
    point               where in the pictures the things are that the question is about
    look                which part of a picture to look at closer

Letters are those of the question as its task states it, regardless of the order of options in the request.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from envs.base import Question
from models.base import Kind, Mind, Request, Unanswerable
from tools.events import Value
from tools.questions import LETTERS, named, relettered

if TYPE_CHECKING:
    from evals.judges.question import QuestionJudge

UNKNOWN = "I do not know where they are."
"""The reply about places if the spots are not known; an agent has to do without."""
LIKELY_COUNTS = range(2, 13)
"""The range of guesses for a count."""
WRONG_BY = (1, -1, 2, -2)
"""The errors of a wrong count."""
MOST_LISTED = 2000
"""With more possible answers than this, not all are listed."""


def chance(question: Question) -> float:
    """The expected success of guessing, by the form of the answer; 0 for open forms."""
    options, items = len(question.options), len(question.items)
    match question.kind:
        case Kind.YES_NO:
            return 0.5
        case Kind.CHOICE if options:
            return 1 / options
        case Kind.CHOICES if options:
            return 1 / float(2**options - 1)
        case Kind.ORDER if options:
            return 1 / math.factorial(options)
        case Kind.MATCHING if options and items:
            return 1 / math.perm(options, items) if items <= options else float(options) ** -items
        case Kind.JUDGEMENTS if options:
            return float(0.5**options)
    return 0.0


def reply(judge: QuestionJudge, request: Request, mind: Mind) -> str:
    """The reply of a model with this mind."""
    part, *rest = (request.about or "question").split()
    if part in PARTS:
        return PARTS[part](judge, request, mind, rest)
    described = request.kind is Kind.TEXT and not request.place.startswith("question ")
    if request.kind is not judge.question.kind or described:
        raise Unanswerable(f"a stand-in cannot compute a reply of the kind {request.kind} to this question")
    guess, wrong = mind.blunders(), not sees(mind, judge.answer)
    return _whole(judge, request, mind, guess=guess, wrong=wrong and not guess)


def sees(mind: Mind, answer: Value) -> bool:
    """Whether the mind perceives what the answer depends on; one without rates for questions always does."""
    try:
        return mind.sees(f"answer {answer}", True)
    except ValueError:
        return True


def _whole(judge: QuestionJudge, request: Request, mind: Mind, *, guess: bool, wrong: bool) -> str:
    """The answer to the question itself."""
    question, answer = judge.question, judge.answer
    match request.kind, answer:
        case Kind.CHOICE, str() if request.options or question.options:
            return _chosen(request.options or question.options, answer, mind, guess=guess, wrong=wrong)
        case Kind.YES_NO, bool():
            return "Yes" if (bool(mind.pick(2)) if guess else answer != wrong) else "No"
        case Kind.NUMBER, int() | float():
            if guess and not float(answer).is_integer():
                return f"{answer + 1:g}"
            number = LIKELY_COUNTS[mind.pick(len(LIKELY_COUNTS))] if guess else answer
            return f"{_off(number, mind) if wrong else number:g}"
        case Kind.TEXT, str():
            return "nothing of the kind" if guess or wrong else answer
        case (Kind.CHOICES | Kind.ORDER | Kind.MATCHING | Kind.JUDGEMENTS) as kind, tuple():
            others = possible(question, answer)
            chosen = _pick(others, answer, mind, guess=guess, wrong=wrong)
            if request.options and request.options != question.options:
                if sorted(request.options) != sorted(question.options):
                    raise Unanswerable("the right answer is not among the options that were asked about")
                chosen = relettered(chosen, kind, question.options, request.options)
            text = ",".join(chosen)
            return f"[{text}]" if kind is Kind.JUDGEMENTS else text
    raise Unanswerable(f"a stand-in cannot compute a reply of the kind {request.kind} to this question")


def _off(number: float, mind: Mind) -> float:
    """A wrong number nearby."""
    others = [number + by for by in WRONG_BY if number + by >= 0]
    return others[mind.pick(len(others))]


def _chosen(options: Sequence[str], answer: str, mind: Mind, *, guess: bool, wrong: bool) -> str:
    """The letter of an option, chosen regardless of their order."""
    if answer not in options:
        raise Unanswerable("the right answer is not among the options that were asked about")
    chosen = _pick([(option,) for option in sorted(options)], (answer,), mind, guess=guess, wrong=wrong)
    return LETTERS[options.index(chosen[0])]


def _pick(
    possible: Sequence[tuple[str, ...]], answer: tuple[str, ...], mind: Mind, *, guess: bool, wrong: bool
) -> tuple[str, ...]:
    if not guess and not wrong:
        return answer
    others = possible if guess else [one for one in possible if one != answer]
    return others[mind.pick(len(others))] if others else answer


def possible(question: Question, answer: tuple[str, ...]) -> list[tuple[str, ...]]:
    """All answers of this form, or, if these are too many, those with two places swapped."""
    letters = LETTERS[: len(question.options)]
    match question.kind:
        case Kind.CHOICES:
            sizes = range(1, len(letters) + 1)
            return [one for size in sizes for one in combinations(letters, size)]
        case Kind.JUDGEMENTS:
            count = len(question.options) or len(answer)
            return [tuple(f"{number:0{count}b}") for number in range(2**count)]
        case Kind.ORDER if math.factorial(len(letters)) <= MOST_LISTED:
            return list(permutations(letters))
        case Kind.MATCHING if len(answer) <= len(letters) and math.perm(len(letters), len(answer)) <= MOST_LISTED:
            return list(permutations(letters, len(answer)))
    found = [answer]
    for first, second in combinations(range(len(answer)), 2):
        other = list(answer)
        other[first], other[second] = other[second], other[first]
        found.append(tuple(other))
    return found


def _yes(mind: Mind, fact: str, true: bool) -> str:
    """The mind's yes or no to a part of the question."""
    if mind.blunders():
        return "Yes" if mind.pick(2) else "No"
    return "Yes" if _believes(mind, fact, true) else "No"


def _believes(mind: Mind, fact: str, true: bool) -> bool:
    """What the mind perceives of a part; one without rates for questions is right."""
    try:
        return mind.sees(f"part {fact}", true)
    except ValueError:
        return true


def _option(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    place, answer = LETTERS.index(rest[0]), judge.answer
    match judge.question.kind, answer:
        case Kind.CHOICE, str():
            true = judge.question.options[place] == answer
        case Kind.CHOICES, tuple():
            true = rest[0] in answer
        case Kind.JUDGEMENTS, tuple():
            true = answer[place] == "1"
        case _:
            raise Unanswerable("the question has no options that hold or do not hold")
    return _yes(mind, f"option {rest[0]}", true)


def _group(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    """The letter of the group with the right option, or of another one."""
    if judge.question.kind is not Kind.CHOICE or judge.answer not in judge.question.options:
        raise Unanswerable("the question has no options that could be grouped")
    letter = LETTERS[judge.question.options.index(str(judge.answer))]
    right = next((place for place, group in enumerate(rest) if letter in group.split(",")), 0)
    if mind.blunders():
        return LETTERS[mind.pick(len(rest))]
    others = [place for place in range(len(rest)) if place != right]
    if others and not _believes(mind, " ".join(["group", *rest]), True):
        return LETTERS[others[mind.pick(len(others))]]
    return LETTERS[right]


def _match(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    if judge.question.kind is not Kind.MATCHING or not isinstance(judge.answer, tuple):
        raise Unanswerable("the question has nothing to match")
    return _yes(mind, " ".join(["match", *rest]), judge.answer[int(rest[0]) - 1] == rest[1])


def _before(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    if judge.question.kind is not Kind.ORDER or not isinstance(judge.answer, tuple):
        raise Unanswerable("the question has nothing to put in order")
    first, second = (judge.answer.index(letter) if letter in judge.answer else 99 for letter in rest)
    return _yes(mind, " ".join(["before", *rest]), first < second)


def _count(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    if not judge.facts.spots:
        return UNKNOWN
    picture, (left, top, right, bottom) = int(rest[0]), map(float, rest[1:])
    true = sum(number == picture and left <= x < right and top <= y < bottom for number, x, y in judge.facts.spots)
    if mind.blunders():
        return str(mind.pick(true + 2))
    return f"{true if _believes(mind, ' '.join(['count', *rest]), True) else _off(true, mind):g}"


def _refute(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    """Whether the answer after `refute`, in the letters of the question, is wrong."""
    given, right = " ".join(rest), " ".join(named(judge.answer, judge.question).split())
    return _yes(mind, f"refute {given}", given.casefold() != right.casefold())


def _point(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    if not judge.facts.spots:
        return UNKNOWN
    return json.dumps([[number + 1, round(x, 3), round(y, 3)] for number, x, y in judge.facts.spots])


def _look(judge: QuestionJudge, request: Request, mind: Mind, rest: list[str]) -> str:
    """Any part of the picture: it makes no difference to a simulated model."""
    return LETTERS[mind.pick(len(request.options))] if request.options else "none"


PARTS = {
    "option": _option,
    "group": _group,
    "match": _match,
    "before": _before,
    "count": _count,
    "refute": _refute,
    "point": _point,
    "look": _look,
}
