"""Open answers: the question without its options, and how close a reply is to the right one.

The published measure is the cosine of sentence embeddings with the right option, times 100. It is high for wrong
answers, too: `floor` is the mean score of the wrong options, and `nearest` says whether the reply is closer to the
right option than to any wrong one. Success is `nearest`.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from evals.judges.question import Marked, Marking
from evals.questions.reference import Reference
from evals.questions.sets import Item
from evals.run.judging import Measure
from models.base import Kind
from models.parsing.answer import final_answer
from tools.events import Value

if TYPE_CHECKING:
    from evals.questions.similarity import Encoder

EVALUATOR = "similarity"
MOST_WORDS = 20
ASKED = f"Answer in at most {MOST_WORDS} words, without an explanation."
NEEDS_OPTIONS = ("of these", "Which arrow", "Which point", "Which marked line")
"""Words of questions that make no sense without their options. Their options are listed in the text, shuffled."""
MEASURES = (
    Measure(
        "sbert", "mean", "SBERT", "100 x the cosine of the reply and the right option: the published measure",
        of=("sbert",), column=1,
    ),
    Measure(
        "floor", "mean", "floor", "the same for a wrong option in place of the reply, on average",
        of=("floor",), column=2,
    ),
    Measure("nearest", "mean", "nearest", "the reply is nearest to the right option of all", of=("nearest",)),
    Measure("long", "mean", "too long", f"replies of more than {MOST_WORDS} words", of=("long",), column=5),
)  # fmt: skip
"""The measures of open answers. Success is `nearest`."""


def opened(item: Item) -> Item:
    """The question without options; its answer is the text of the right one."""
    if item.kind is not Kind.CHOICE or len(item.options) < 2:
        raise ValueError(f"{item.id} cannot be asked open-ended: it has no options of which one is right")
    text = item.text
    if any(words in text for words in NEEDS_OPTIONS):
        listed = "; ".join(option.rstrip(".") for option in sorted(item.options))
        text = f"{text} There are these to choose from: {listed}."
    right = str(item.answer)
    reference = Reference(EVALUATOR, {"options": item.options}, Kind.TEXT, (), right)
    facts = replace(item.facts, chance=1 / len(item.options))
    return replace(
        item, text=f"{text} {ASKED}", options=(), kind=Kind.TEXT, answer=right, reference=reference, facts=facts
    )


@cache
def encoder() -> Encoder:
    """The sentence encoder, loaded once; `FileNotFoundError` says how to install it."""
    from evals.questions.similarity import Encoder

    return Encoder()


def marking(item: Item) -> Marking:
    """Marks a reply to an open question by how close it is to each of the options that are not shown."""
    assert item.reference is not None
    right = item.reference.text
    wrong = [option for option in item.reference.kwargs["options"] if option != right]

    def mark(text: str, value: Value) -> Marked:
        reply = answer_in(text)
        if not reply:
            return Marked(0.0, "the reply is empty", {"sbert": 0.0, "floor": floor(right, wrong)})
        meant, *others = similarities(reply, [right, *wrong])
        nearest = float(meant > max(others))
        long = float(len(reply.split()) > MOST_WORDS)
        counts = {"sbert": 100 * meant, "floor": floor(right, wrong), "nearest": nearest, "long": long}
        return Marked(nearest, "", counts, {"similarity": f"{100 * meant:.1f}: {reply:.120}"})

    return mark


def answer_in(text: str) -> str:
    """The final answer in a reply, without reasoning and without a marker such as `Final Answer:`."""
    return final_answer(text)[0].partition("\n")[0].strip()


def similarities(reply: str, options: list[str]) -> list[float]:
    """The cosines between the embeddings of a reply and of some options."""
    vectors = encoder().embed([reply, *options])
    return [float(vectors[0] @ vector) for vector in vectors[1:]]


def floor(right: str, wrong: list[str]) -> float:
    """The mean score of the wrong options as replies."""
    return 100 * sum(similarities(right, wrong)) / len(wrong)
