"""Faults that are planted in sound questions about our own pictures, and what is known of a question about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

from evals.curation.drafts import LETTERS, Candidate

LABEL, TWO_RIGHT, NO_RIGHT = "wrong label", "two right options", "no right option"
CUE, EQUAL, FORM, FRAMES = "cue in the text", "equal options", "broken form", "shuffled pictures"


@dataclass(frozen=True, slots=True)
class Known:
    """A question about our own pictures whose options are known to be right or wrong.

    `shuffled` means that its pictures are not shown in the order in which they were taken.
    """

    question: str
    right: str
    wrong: tuple[str, ...]
    sub_type: str
    explanation: str
    shuffled: bool = False

    def sound(self, dice: Random) -> Candidate:
        """The question as it should be, with its options in an order from the dice."""
        options = [self.right, *self.wrong[: len(LETTERS) - 1]]
        dice.shuffle(options)
        answer = LETTERS[options.index(self.right)]
        return Candidate(self.sub_type, self.question, tuple(options), answer, self.explanation)


Planter = Callable[[Candidate, Random], Candidate]


def _wrong_label(candidate: Candidate, dice: Random) -> Candidate:
    return replace(candidate, answer=dice.choice([letter for letter in LETTERS if letter != candidate.answer]))


def _two_right(candidate: Candidate, dice: Random) -> Candidate:
    return _with_other(candidate, f"{candidate.right.rstrip('.')}, as one can see", dice)


def _no_right(candidate: Candidate, dice: Random) -> Candidate:
    right = candidate.right
    choices = [dice.choice(ODD) if one == right else one for one in candidate.choices]
    return replace(candidate, choices=tuple(choices))


ODD = ("something out of view", "what is not there", "somewhere else")


def _cue(candidate: Candidate, dice: Random) -> Candidate:
    hint = dice.choice(("Hint: it is {}.", "The correct answer is {}.", "Note that one can see {} here."))
    return replace(candidate, question=f"{candidate.question} {hint.format(candidate.right.rstrip('.'))}")


def _equal(candidate: Candidate, dice: Random) -> Candidate:
    wrong = [one for one in candidate.choices if one != candidate.right]
    return _with_other(candidate, f"The {wrong[0].removeprefix('the ')}", dice, spare=wrong[0])


def _form(candidate: Candidate, dice: Random) -> Candidate:
    broken = (
        replace(candidate, choices=candidate.choices[:3], answer="D"),
        replace(candidate, answer="E"),
        replace(candidate, explanation=""),
        replace(candidate, choices=(*candidate.choices[:3], "All of the above")),
    )
    return dice.choice(broken)


def _with_other(candidate: Candidate, text: str, dice: Random, spare: str = "") -> Candidate:
    """One wrong option replaced."""
    places = [place for place, one in enumerate(candidate.choices) if one not in (candidate.right, spare)]
    choices = list(candidate.choices)
    choices[dice.choice(places)] = text
    return replace(candidate, choices=tuple(choices))


PLANTERS: Mapping[str, Planter] = {
    LABEL: _wrong_label,
    TWO_RIGHT: _two_right,
    NO_RIGHT: _no_right,
    CUE: _cue,
    EQUAL: _equal,
    FORM: _form,
}
"""A function for each fault of the text. Pictures in the wrong order are planted where pictures are chosen."""


def known_of(candidate: Candidate, known: Sequence[Known]) -> Known | None:
    """The question that a candidate is a version of; the longest where several are."""
    found = [one for one in known if candidate.question.startswith(one.question)]
    return max(found, key=lambda one: len(one.question), default=None)


def true_defects(candidate: Candidate, known: Sequence[Known]) -> tuple[str, ...] | None:
    """What is wrong with a version; None of a question that is not known."""
    from evals.curation.checks import examined

    one = known_of(candidate, known)
    if one is None:
        return None
    checks = {"form": FORM, "equal options": EQUAL, "cue": CUE}
    found = {checks[finding.check] for finding in examined(candidate)}
    if one.shuffled:
        found.add(FRAMES)
    if one.right not in candidate.choices:
        found.add(NO_RIGHT)
    elif candidate.right != one.right and candidate.right:
        found.add(LABEL)
    if sum(choice.startswith(one.right.rstrip(".")) for choice in candidate.choices) > 1 and EQUAL not in found:
        found.add(TWO_RIGHT)
    return tuple(sorted(found))
