"""Act in a world of options: look, let the model choose an option, do it, repeat.

`choose` asks for a thought before the choice, `choose_direct` for the choice alone. The prompt lists earlier choices
and their outcomes. `choose_video` is `choose` with one clip of everything seen so far instead of single pictures; a
world without clips is shown by its pictures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from agents.base import END, Agent, Graph, Needs, go
from models.base import Kind
from tools.base import Feedback
from tools.events import Reason
from tools.worlds import OptionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command


FRAMES = 32
"""The most frames of a clip that are shown, evenly spaced."""


class ChooseState(TypedDict, total=False):
    """The history of options and outcomes, and the option to take now."""

    history: tuple[tuple[str, str], ...]
    option: str


@dataclass(frozen=True)
class Chooser:
    """Choose and act, in turns."""

    cot: bool = True
    video: bool = False

    async def choose(self, state: ChooseState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Have the model choose an option."""
        tools = runtime.context
        clip = await tools.clip(FRAMES) if self.video else None
        reading = await tools.choose(self.prompt(state.get("history", ()), tools), cot=self.cot, pictures=clip)
        if reading.value is None:
            tools.end(Reason.TRUNCATED if reading.truncated else Reason.UNREADABLE, reading.fault)
            return go(END)
        return go("act", ChooseState(option=str(reading.value)))

    async def act(self, state: ChooseState, runtime: Runtime[OptionTools]) -> Command[str]:
        """Take the option, and remember its outcome."""
        tools, option = runtime.context, state["option"]
        stepped = tools.act(option)
        if tools.over or tools.spent:
            tools.end(Reason.FINISHED if tools.over else Reason.STEP_LIMIT, announced=tools.over)
            return go(END)
        done = (option, stepped.feedback or str(stepped.outcome))
        return go("choose", ChooseState(history=(*state.get("history", ()), done)))

    def prompt(self, history: tuple[tuple[str, str], ...], tools: OptionTools) -> str:
        """The task, the history, and the form of the reply."""
        earlier = () if tools.feedback is Feedback.NONE else history
        if tools.window is not None:
            earlier = earlier[len(earlier) - min(tools.window, len(earlier)) :]
        full = tools.feedback is Feedback.FULL
        lines = [f"- {option}: {outcome}" if full else f"- {option}" for option, outcome in earlier]
        done = ["What you did so far:", *lines, ""] if lines else []
        form = "Reply with two lines, Thought: and Choice: [number]." if self.cot else "Reply with Choice: [number]."
        seen = ["The pictures are frames of one clip, from the start until now.", ""] if self.video else []
        left = f"You can choose {tools.step_limit} times in all; this is number {tools.attempts + 1}."
        asked = f"{left} Choose what to do now from the options below. {form}"
        return "\n".join([tools.env.description, "", f"Your task: {tools.env.goal_text}", "", *seen, *done, asked])

    def graph(self) -> Graph:
        """Choose and act until the world ends the task or the steps are used up."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(ChooseState, context_schema=OptionTools)
        graph.add_node("choose", self.choose, destinations=("act", END))
        graph.add_node("act", self.act, destinations=("choose", END))
        graph.add_edge(START, "choose")
        return graph.compile()


def _agent(name: str, summary: str, method: Chooser) -> Agent:
    return Agent(name, summary, method.graph, "planner", needs=Needs.OPTIONS, plans=False, asks=(Kind.CHOICE,))


AGENTS = (
    _agent("choose", "worlds of options: the model thinks and chooses one option at a time", Chooser()),
    _agent("choose_direct", "choose without a thought", Chooser(cot=False)),
    _agent("choose_video", "choose from one clip of all that was seen", Chooser(video=True)),
)
