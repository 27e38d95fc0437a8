"""The tools of an agent that answers a question: ask the model, look closer, answer."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from envs.base import Question
from envs.pictures import PictureStore
from models.base import Kind, Part, Picture
from models.parsing import Unreadable
from tools.base import Reading, Tools
from tools.events import Answered, Looked, Reason, Value

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FORMS = {
    Kind.CHOICE: ("the letter of the right option", "B"),
    Kind.CHOICES: ("the letter of the right option, or the letters of all right ones separated by commas", "A,C"),
    Kind.ORDER: ("the letters of all options in the right order, separated by commas", "C,A,D,B"),
    Kind.MATCHING: ("for each numbered item in turn the letter that belongs to it, separated by commas", "B,A,C"),
    Kind.JUDGEMENTS: ("a list with 1 for each statement that is true and 0 for each that is false", "[1,0,1]"),
    Kind.NUMBER: ("one number in digits", "4"),
    Kind.YES_NO: ("Yes or No", "Yes"),
    Kind.TEXT: ("a few words", "a wooden chair"),
}
"""What answers of each form look like, with an example."""
DIRECT_TOKENS, COT_TOKENS = 2048, 4096
"""How long a reply may be. Some models reason without being asked to."""

ANSWER = "Final Answer: "
"""The words before an answer."""

Draw: TypeAlias = Callable[[str, Callable[[], bytes]], Picture]
"""Makes a picture from its name and a function that draws it."""


@dataclass(kw_only=True, eq=False)
class QuestionTools(Tools):
    """The tools for one question, which is answered once, by `answer`.

    `draw` makes further pictures, such as an enlarged part of one; they are stored with the run.
    """

    task: Question
    step_limit: int = 1
    draw: Draw = PictureStore().picture
    _made: dict[str, Picture] = field(default_factory=dict)

    async def put(
        self,
        instruction: str = "",
        *,
        pictures: Sequence[Picture] | None = None,
        options: Sequence[str] | None = None,
        lead: str = "",
        phase: str = "question",
        about: str = "",
        cot: bool = False,
        max_tokens: int | None = None,
    ) -> Reading:
        """Ask the model the question, with its pictures and options; the reply is read in the question's form.

        `lead` comes before the question and `instruction` after it. Letters in the value are those of `options`.
        """
        question = self.task
        listed = question.options if options is None else tuple(options)
        shown = question.pictures if pictures is None else tuple(pictures)
        parts: list[Part] = [*laid_out(question, shown, listed), worded(question, listed, lead, instruction)]
        return await self.ask(
            parts,
            kind=question.kind,
            options=listed,
            items=question.items,
            about=about,
            phase=phase,
            cot=cot,
            max_tokens=max_tokens or (COT_TOKENS if cot else DIRECT_TOKENS),
        )

    async def look(self, picture: Picture, name: str, drawing: Callable[[bytes], bytes], what: str) -> Picture:
        """A picture made from another one. The same `name` makes the same picture, with one event."""
        key = f"{picture.key} {name}"
        if key in self._made:
            return self._made[key]
        made = self._made[key] = self.draw(key, lambda: drawing(picture.png()))
        sha256 = await asyncio.to_thread(lambda: made.sha256) if self.model.looks or self.draw_all else None
        self.emit(Looked(step=self.attempts, picture=made.key, sha256=sha256, source=picture.key, what=what))
        return made

    @property
    def made(self) -> tuple[Picture, ...]:
        """The pictures made so far, in order."""
        return tuple(self._made.values())

    def read(self, text: str) -> Value | Unreadable:
        """The answer in a text, in the question's form."""
        question = self.task
        return self._reader(question.kind, question.options, question.items, cot=True, lettered=True)(text)

    def answer(self, value: Value, detail: str = "", *, text: str = "") -> None:
        """Give the final answer, which ends the episode. `text` is what is scored; by default `value` in words."""
        self._count()
        self.emit(Answered(step=0, value=value, text=text or written(value, self.task)))
        self.end(Reason.FINISHED, detail)


def closing_of(question: Question, *, cot: bool = False) -> str:
    """How a reply to a question has to end: in its own words, else in those of its form."""
    return (question.reply_cot if cot else question.reply) or closing(question.kind)


def closing(kind: Kind) -> str:
    """The instruction on how a reply has to end."""
    form, example = FORMS[kind]
    return (
        f"End your reply with a line that says `Final Answer:` and then {form}, for example:\nFinal Answer: {example}"
    )


def laid_out(question: Question, pictures: Sequence[Picture], options: Sequence[str]) -> list[Part]:
    """The pictures with the question's labels before them; those that are options follow in the order of the letters.

    Pictures beyond the question's own have no labels.
    """
    count = min(len(question.labels), len(pictures))
    if not count:
        return list(pictures)
    lettered = {option: f"{LETTERS[place]}. {option}:" for place, option in enumerate(options)}
    names = [f"picture {number + 1}" for number in range(count)]
    parts: list[Part] = []
    for place in (place for place, name in enumerate(names) if name not in lettered):
        parts += [question.labels[place], pictures[place]]
    for option in options:
        if option in names:
            parts += [lettered[option], pictures[names.index(option)]]
    return [*parts, *pictures[count:]]


def worded(question: Question, options: Sequence[str], lead: str = "", instruction: str = "") -> str:
    """The question as a model reads it: its text, its items by number, its options by letter."""
    items = [f"{number}. {item}" for number, item in enumerate(question.items, 1)]
    by_number = question.kind is Kind.JUDGEMENTS
    listed = [f"{place + 1 if by_number else LETTERS[place]}. {option}" for place, option in enumerate(options)]
    parts = ["\n".join([question.text, *items, *listed]), instruction]
    return "\n\n".join(part for part in (lead, *parts) if part)


def restated(value: Value, kind: Kind, shown: Sequence[str], own: Sequence[str]) -> Value:
    """A value in letters of the options as shown, in letters of the question's own options."""
    return relettered(value, kind, shown, own) if isinstance(value, tuple) else value


def relettered(value: tuple[str, ...], kind: Kind, before: Sequence[str], after: Sequence[str]) -> tuple[str, ...]:
    """Letters, or judgements, of options in one order, translated to another order of the same options."""
    if tuple(before) == tuple(after) or sorted(before) != sorted(after):
        return value
    places = _places(before, after)
    if kind is Kind.JUDGEMENTS:
        by_place = dict(zip(places, value, strict=False))
        return tuple(by_place[place] for place in sorted(by_place))
    moved = tuple(LETTERS[places[place]] for place in map(LETTERS.find, value) if 0 <= place < len(places))
    return tuple(sorted(moved)) if kind is Kind.CHOICES else moved


def _places(before: Sequence[str], after: Sequence[str]) -> list[int]:
    """For each option its place in the other order; equal options keep their order."""
    waiting: defaultdict[str, list[int]] = defaultdict(list)
    for place, option in enumerate(after):
        waiting[option].append(place)
    return [waiting[option].pop(0) for option in before]


def named(value: Value, question: Question) -> str:
    """An answer as `about` of a request names it: `C`, `A,C`, `4`, `Yes`."""
    return written(value, question).removeprefix(ANSWER).strip("[] ")


def written(value: Value, question: Question) -> str:
    """An answer in the form that questions ask for."""
    match value:
        case None:
            return ""
        case bool():
            text = "Yes" if value else "No"
        case int() | float():
            text = f"{value:g}"
        case tuple():
            text = f"[{','.join(value)}]" if question.kind is Kind.JUDGEMENTS else ",".join(value)
        case _ if question.kind is Kind.CHOICE and value in question.options:
            text = LETTERS[question.options.index(value)]
        case _:
            text = value
    return f"{ANSWER}{text}"
