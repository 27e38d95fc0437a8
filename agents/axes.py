"""Questions about motions, split by dimension: ahead or back, left or right, up or down, each turn, the opening.

The model sees axes of the scene drawn on the pictures where cameras are known, with a ruler, what changed between two
pictures, and the changed part enlarged. It is asked about one dimension at a time; the option with the highest product
of probabilities is the answer. A question that names no motion is asked as a whole, with the drawn pictures.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, build_graph, hand_in, question_agent
from agents.split import chance_of
from envs.arm.reading import read_low, read_mid
from envs.base import Question
from models.base import Kind, Picture
from tools.base import gathered
from tools.drawing import changed_part, difference, enlarged, with_arrows
from tools.questions import LETTERS, QuestionTools, closing_of

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

WAYS = (
    ("ahead, away from the robot's base (+X)", "back, towards the robot's base (-X)"),
    ("to the robot's left (+Y)", "to the robot's right (-Y)"),
    ("up (+Z)", "down (-Z)"),
    (
        "by a turn about X that swings the finger tips to the robot's left (+roll)",
        "by a turn about X that swings the finger tips to the robot's right (-roll)",
    ),
    (
        "by a turn about Y that swings the finger tips back to the robot's base (+pitch)",
        "by a turn about Y that swings the finger tips away from the robot's base (-pitch)",
    ),
    ("by a turn counterclockwise as seen from above (+yaw)", "by a turn clockwise as seen from above (-yaw)"),
    ("by opening its fingers", "by closing its fingers"),
)
"""What a positive and a negative change of each dimension looks like."""
UNITS = ("m", "m", "m", "degrees", "degrees", "degrees", "of its opening")
NOTABLE = (0.02, 0.02, 0.02, 4.0, 4.0, 4.0, 0.08)
"""Smaller changes than these count as no change."""
SURE = 0.85
"""The assumed probability that a choice is right, where the reply states none."""
LEAST, UNDECIDED = 0.02, 0.5
ACTION = "The action: "
"""The words of a question in front of the action whose outcome is asked for."""
RULER = "arrows are 10 cm long and start at the gripper"


@dataclass(frozen=True)
class Axes:
    """Draw, ask about each dimension, and answer."""

    async def draw(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Draw the pictures that show the motion, and find out whether the question names motions."""
        tools = runtime.context
        if len(tools.task.pictures) > 1:
            await drawn(tools)
        return go("ask" if inferred(tools.task) or predicted(tools.task) else "answer")

    async def ask(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask about one dimension at a time. The score of an option is the product over its dimensions."""
        tools = runtime.context
        chances = await (self._inferring(tools) if inferred(tools.task) else self._predicting(tools))
        best = max(chances.values(), default=0.0)
        likeliest = [letter for letter, chance in chances.items() if math.isclose(chance, best, rel_tol=1e-6)]
        if len(likeliest) != 1:
            return go("answer")
        tools.answer(tools.task.options[LETTERS.index(likeliest[0])], f"likeliest by dimensions ({best:.2f})")
        return go(END)

    async def answer(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the question as a whole, with the drawn pictures."""
        tools = runtime.context
        extra, notes = await drawn(tools) if len(tools.task.pictures) > 1 else ((), "")
        pictures = (*tools.task.pictures, *extra)
        hand_in(tools, await tools.put(closing_of(tools.task), pictures=pictures, lead=notes))
        return go(END)

    async def _inferring(self, tools: QuestionTools) -> dict[str, float]:
        """Which action led from picture 1 to picture 2: a choice for each dimension in which options differ."""
        extra, notes = await drawn(tools)
        letters = LETTERS[: len(tools.task.options)]
        scores = dict.fromkeys(letters, 1.0)
        asked = by_dimension(inferred(tools.task))
        choices = await gathered(self._chosen(tools, extra, notes, groups) for groups in asked)
        for groups, choice in zip(asked, choices, strict=True):
            others = max(len(groups) - 1, 1)
            for phrase, members in groups.items():
                share = 1 / len(groups) if choice is None else SURE if phrase == choice else (1 - SURE) / others
                for letter in members.split(","):
                    scores[letter] *= share
        return scores if any(choice is not None for choice in choices) else {}

    async def _chosen(
        self, tools: QuestionTools, extra: Sequence[Picture], notes: str, groups: Mapping[str, str]
    ) -> str | None:
        """Which phrase about a dimension describes the motion; None if the reply cannot be read."""
        phrases = tuple(groups)
        listed = "\n".join(f"{LETTERS[place]}. {phrase}" for place, phrase in enumerate(phrases))
        prompt = (
            "Picture 1 shows a robot arm before a motion, picture 2 after it. Look only at the gripper and at one "
            f"thing.{' ' if notes else ''}{notes}\nHow did it move?\n{listed}\nReply with one letter only."
        )
        about = f"group {' '.join(groups.values())}"
        reading = await tools.ask(
            [*tools.task.pictures, *extra, prompt], kind=Kind.CHOICE, options=phrases, about=about, phase="part"
        )
        return str(reading.value) if reading.value in phrases else None

    async def _predicting(self, tools: QuestionTools) -> dict[str, float]:
        """Which candidate shows the outcome of an action: yes or no for each candidate and each dimension of it."""
        motion = predicted(tools.task)
        pairs = [(place, dimension) for place in range(len(tools.task.options)) for dimension in motion]
        chances = await gathered(self._agrees(tools, place, motion[dimension]) for place, dimension in pairs)
        scores = dict.fromkeys(LETTERS[: len(tools.task.options)], 1.0)
        for (place, _), chance in zip(pairs, chances, strict=True):
            scores[LETTERS[place]] *= max(UNDECIDED if chance is None else chance, LEAST)
        return scores if any(chance is not None for chance in chances) else {}

    async def _agrees(self, tools: QuestionTools, place: int, phrase: str) -> float | None:
        """How probable it is that a candidate shows this part of the action."""
        number = int(tools.task.options[place].rpartition(" ")[2])
        first, second = tools.task.pictures[0], tools.task.pictures[number - 1]
        extra, notes = await _axes_on(tools, 0)
        prompt = (
            "The first picture shows a robot arm before a motion, the second a candidate for the scene after it."
            f"{' ' if notes else ''}{notes}\nLook only at the gripper and at one thing: from the first picture to the "
            f"second, did the gripper move {phrase}? Reply with Yes or No."
        )
        reading = await tools.ask(
            [first, second, *extra, prompt], kind=Kind.YES_NO, about=f"option {LETTERS[place]}", phase="part"
        )
        return chance_of(reading)

    def add_to(self, graph: Builder) -> None:
        """Add the nodes `draw`, `ask` and `answer`."""
        graph.add_node("draw", self.draw, destinations=("ask", "answer"))
        graph.add_node("ask", self.ask, destinations=("answer", END))
        graph.add_node("answer", self.answer, destinations=(END,))

    def graph(self) -> Graph:
        """Draw, then ask by dimension or as a whole."""
        return build_graph("draw", self)


async def drawn(tools: QuestionTools) -> tuple[tuple[Picture, ...], str]:
    """At most five pictures drawn from the question's own, with notes that say what each of them is."""
    own = tools.task.pictures
    made, notes = await _axes_on(tools, 0)
    pictures, lines = list(made), [notes] if notes else []
    for place in range(1, min(len(own), 5)):
        what = f"what changed from picture 1 to picture {place + 1}"
        pictures.append(await tools.look(own[0], f"change to {own[place].key}", _changes(own[place]), what))
        lines.append(f"Picture {len(own) + len(pictures)} shows {what}: brighter in red, darker in blue.")
    if len(own) == 2:
        for place, one in enumerate(own):
            what = f"the changed part of picture {place + 1}, enlarged"
            pictures.append(await tools.look(one, "changed part", _part_of_change(own[1 - place]), what))
            lines.append(f"Picture {len(own) + len(pictures)} is {what}.")
    return tuple(pictures), " ".join(lines)


def _changes(other: Picture) -> Callable[[bytes], bytes]:
    return lambda png: difference(png, other.png())


def _part_of_change(other: Picture) -> Callable[[bytes], bytes]:
    return lambda png: enlarged(png, changed_part(png, other.png()))


async def _axes_on(tools: QuestionTools, place: int) -> tuple[tuple[Picture, ...], str]:
    """A picture with the axes of the scene, if cameras are known."""
    known = tools.task.arrows() if tools.task.arrows is not None else {}
    if place not in known:
        return (), ""
    one = tools.task.pictures[place]
    what = f"picture {place + 1} with the axes of the robot's base"
    picture = await tools.look(one, "axes", lambda png: with_arrows(png, known[place], RULER), what)
    return (picture,), f"One more picture shows picture {place + 1} with the axes of the robot's base: {RULER}."


def inferred(question: Question) -> list[tuple[float, ...]]:
    """The motions that the options describe; of labels only the signs. Empty if they describe none."""
    if question.kind is not Kind.CHOICE or len(question.pictures) < 2:
        return []
    found = [_motion(option) for option in question.options]
    return [one for one in found if one is not None] if found and None not in found else []


def predicted(question: Question) -> dict[int, str]:
    """The dimensions of the action whose outcome is asked for, each in words; empty if it is no motion."""
    pictured = bool(question.options) and all(option.startswith("picture ") for option in question.options)
    line = next((line for line in question.text.splitlines() if line.startswith(ACTION)), "")
    motion = _motion(line.removeprefix(ACTION)) if pictured and line and question.kind is Kind.CHOICE else None
    if motion is None:
        return {}
    return {number: phrase_of(number, value) for number, value in enumerate(motion) if abs(value) >= NOTABLE[number]}


def _motion(text: str) -> tuple[float, ...] | None:
    """The seven changes in a vector; of labels 1 and -1."""
    signs = read_mid(text)
    if signs is not None:
        return tuple(math.inf * signs[number] if number in signs else 0.0 for number in range(len(WAYS)))
    return read_low(text)


def by_dimension(motions: Sequence[Sequence[float]]) -> list[dict[str, str]]:
    """For each dimension in which motions differ: its phrases, each with the letters of the options that have it."""
    found = []
    for number in range(len(WAYS)):
        groups: dict[str, list[str]] = {}
        for place, motion in enumerate(motions):
            groups.setdefault(phrase_of(number, motion[number]), []).append(LETTERS[place])
        if len(groups) > 1:
            found.append({phrase: ",".join(letters) for phrase, letters in sorted(groups.items())})
    return found


def phrase_of(number: int, value: float) -> str:
    """A change of a dimension in words, with its amount where that is known."""
    if abs(value) < NOTABLE[number]:
        return f"hardly at all in this way: {WAYS[number][0]} or the opposite"
    way = WAYS[number][0 if value > 0 else 1]
    return way if math.isinf(value) else f"{way}, by about {abs(value):.2g} {UNITS[number]}"


AGENTS = (
    question_agent(
        "answer_axes", "motions: axes and changes drawn, one dimension asked about at a time", Axes().graph,
        Kind.YES_NO, Kind.CHOICE,
    ),
)  # fmt: skip
