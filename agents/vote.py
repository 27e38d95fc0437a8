"""Ask the question several times, with its options in different orders, and hand in the majority.

Votes are mapped back to the question's own letters. For forms without options, the words before the question differ.
Voting helps against independent errors; an error made in every order wins the vote, too. A run reports how often two
wrong votes are the same (`same wrong`).
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from agents.base import END, Builder, Graph, go
from agents.posing import QuestionState, build_graph, fault_of, put, question_agent
from envs.base import Question
from tools.base import Reading, gathered
from tools.consensus import settled
from tools.questions import QuestionTools, restated

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

LEADS = (
    "",
    "Here is a question about what can be seen.",
    "Study what is shown before you decide.",
    "Please answer the following.",
    "Take a fresh look at what is shown.",
    "Answer by what you see, not by what is usual.",
    "A careful observer is asked this.",
)
"""Words before the question that should make no difference."""


@dataclass(frozen=True)
class Voter:
    """Ask several times and count the votes."""

    votes: int = 5
    cot: bool = False

    def __post_init__(self) -> None:
        if self.votes < 1:
            raise ValueError(f"votes is at least 1, not {self.votes}")

    async def vote(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Ask the question several times, each time in a different form."""
        tools, question = runtime.context, runtime.context.task
        ways = ballots(question, self.votes)
        readings: list[Reading] = await gathered(
            put(state, tools, options=options, lead=lead, cot=self.cot) for options, lead in ways
        )
        read = tuple(
            restated(one.value, question.kind, options, question.options)
            for one, (options, _) in zip(readings, ways, strict=True)
            if one.value is not None
        )
        return go("settle", QuestionState(votes=read, fault=fault_of(readings[-1])))

    async def settle(self, state: QuestionState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Hand in the majority."""
        tools, votes = runtime.context, state["votes"]
        value = settled(votes, tools.task)
        if value is None:
            tools.end(*state["fault"])
        else:
            tools.answer(value, f"{votes.count(value)} of {len(votes)} votes")
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the nodes `vote` and `settle`."""
        graph.add_node("vote", self.vote, destinations=("settle",))
        graph.add_node("settle", self.settle, destinations=(END,))

    def graph(self) -> Graph:
        """Vote and settle."""
        return build_graph("vote", self)


def ballots(question: Question, count: int) -> list[tuple[tuple[str, ...], str]]:
    """`count` different forms of a question: an order of its options, first its own, and a lead.

    Orders come in rounds. In each round every option is in every place once; later rounds are shuffled.
    """
    found: list[tuple[tuple[str, ...], str]] = []
    used: Counter[tuple[str, ...]] = Counter()
    dice, options = random.Random(question.text), list(question.options)
    for number in range(count):
        turn = number % max(len(options), 1)
        if number and not turn:
            dice.shuffle(options)
        order = (*options[turn:], *options[:turn])
        lead = LEADS[used[order] % len(LEADS)]
        if used[order] >= len(LEADS):
            lead = f"{lead} (Reading {used[order] + 1}.)".strip()
        used[order] += 1
        found.append((order, lead))
    return found


AGENTS = (question_agent("answer_vote", "five answers with the options in other orders, and a vote", Voter().graph),)
