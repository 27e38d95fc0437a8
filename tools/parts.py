"""Split a question into parts: smaller questions that are answered by yes or no, each with a name.

A name (`about` of a request) tells simulated models which part is asked: `option C`, `before A C`, `match 2 C`.
Letters are those of the question as its task states it.
"""

from __future__ import annotations

import re
from itertools import combinations

from envs.base import Question
from models.base import Kind
from tools.questions import LETTERS

COUNTING = re.compile(r"\bhow many\b|\bcount\b|\bnumber of\b", re.IGNORECASE)


def parts(question: Question) -> dict[str, str]:
    """The question about each part, by name; empty for a form that cannot be split."""
    options, items = dict(zip(LETTERS, question.options, strict=False)), question.items
    match question.kind:
        case Kind.CHOICE:
            asked = {f"option {at}": f"Is option {at} ({text}) the right answer?" for at, text in options.items()}
        case Kind.CHOICES:
            asked = {f"option {at}": f"Is option {at} ({text}) right? Several may be." for at, text in options.items()}
        case Kind.JUDGEMENTS:
            asked = {
                f"option {at}": f"Is statement {number} ({text}) true?"
                for number, (at, text) in enumerate(options.items(), 1)
            }
        case Kind.ORDER:
            asked = {
                f"before {one} {other}": f"In the right order, does option {one} ({options[one]}) come before option "
                f"{other} ({options[other]})?"
                for one, other in combinations(options, 2)
            }
        case Kind.MATCHING:
            asked = {
                f"match {number} {at}": f"Does option {at} ({text}) belong to item {number} ({item})?"
                for number, item in enumerate(items, 1)
                for at, text in options.items()
            }
        case _:
            asked = {}
    return {name: f"{text} Reply with Yes or No." for name, text in asked.items()}


def counts(question: Question) -> bool:
    """Whether a question asks how many there are of something, in a single picture."""
    return question.kind is Kind.NUMBER and len(question.pictures) == 1 and bool(COUNTING.search(question.text))
