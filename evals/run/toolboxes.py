"""Create the toolbox for each kind of task."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

from agents.base import Needs
from envs.base import Options, Question, Symbolic, Task
from envs.pictures import PictureStore
from evals.run.episodes import Episode
from models.base import Model, Request
from models.parsing import Profile
from planners.outcome import Planner
from tools.base import Conduct, Feedback, Tools
from tools.events import Event
from tools.prompts import PromptSet
from tools.questions import Draw, QuestionTools
from tools.toolbox import Toolbox
from tools.worlds import OptionTools


@dataclass(frozen=True)
class Rules:
    """The rules of all episodes of a run: the protocol, how replies are read, what prompts contain."""

    conduct: Conduct = Conduct.MENDED
    parsing: Profile | None = None
    temperature: float = 0.0
    reask: int | None = None
    window: int | None = None
    frames: int = 0
    feedback: Feedback = Feedback.FULL
    planning_seconds: float = 60.0
    draw_all: bool = False

    @property
    def profile(self) -> Profile:
        """How replies are read; by default as the protocol defines."""
        return self.parsing or (Profile.OFFICIAL if self.conduct.official else Profile.ROBUST)

    @property
    def asks_again(self) -> int:
        """How often to ask again for an unreadable reply; by default never under official rules."""
        return self.reask if self.reask is not None else int(not self.conduct.official)


def kind_of(task: Task) -> Needs:
    """The kind of a task."""
    if isinstance(task, Question):
        return Needs.QUESTION
    return Needs.SYMBOLIC if hasattr(task, "domain") else Needs.OPTIONS


def toolbox_for(
    task: Task,
    model: Model,
    planner: Planner | None,
    rules: Rules,
    episode: Episode,
    *,
    prompts: PromptSet,
    emit: Callable[[Event], None],
    keep: Callable[[Request], str | None] = lambda request: None,
    draw: Draw | None = None,
) -> Tools:
    """The tools of an agent in one episode. `draw` makes pictures that are stored with the run."""
    common: dict[str, Any] = {
        "model": model,
        "prompts": prompts,
        "emit": emit,
        "keep": keep,
        "step_limit": episode.step_limit,
        "conduct": rules.conduct,
        "parsing": rules.profile,
        "draw_all": rules.draw_all,
        "temperature": rules.temperature,
        "repeat": int(episode.tags.get("repeat", 0)),
        "reask": rules.asks_again,
        "window": rules.window,
        "frames": rules.frames,
        "feedback": rules.feedback,
    }
    planning: dict[str, Any] = {"planner": planner or NoPlanner(), "planning_seconds": rules.planning_seconds}
    match kind_of(task):
        case Needs.QUESTION:
            return QuestionTools(task=cast(Question, task), draw=draw or PictureStore().picture, **common)
        case Needs.OPTIONS:
            return OptionTools(env=cast(Options, task), **planning, **common)
        case Needs.SYMBOLIC:
            return Toolbox(env=cast(Symbolic, task), **planning, **common)


class NoPlanner:
    """The planner of agents that declare to need none."""

    engine = "none"

    def solve(self, task: object, *, timeout: float = 60.0) -> Any:
        """Refuse: the agent has no planner."""
        raise ValueError("the agent declares no planner; set plans=True in its Agent, or PLANS = True in its file")

    async def plan(self, task: object, *, timeout: float = 60.0) -> Any:
        """Refuse: the agent has no planner."""
        return self.solve(task)

    def close(self) -> None:
        """Do nothing."""
