"""The tools of an agent in any world: look, and attempt an action.

`OptionTools` is for worlds that list the current options, without a symbolic model.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from envs.base import Environment, Observation, Options, Stepped
from models.base import Kind, Part, Picture
from planners.outcome import Planner, PlanOutcome
from planners.task import Task
from tools.base import Reading, Tools
from tools.events import Acted, Observed, Planned, Reason


@dataclass(kw_only=True, eq=False)
class WorldTools(Tools):
    """Looking and acting. `reached` says whether the world has reported the goal as reached.

    `over` says whether the world allows no further attempts: the task is done, or has failed for good.
    """

    env: Environment
    planner: Planner | None = None
    planning_seconds: float = 60.0
    reached: bool = False
    over: bool = False
    _seen: Observation | None = None
    _before: Observation | None = None
    _shown: list[Picture] = field(default_factory=list)

    async def look(self) -> Observation:
        """The current observation; the same one until the next attempt."""
        if self._seen is None:
            seen = self.env.observe()
            drawn: list[str] = []
            if self.draw_all or self.model.looks:
                drawn = await asyncio.to_thread(lambda: [picture.sha256 for picture in seen.pictures])
            first, others = (drawn[0], drawn[1:]) if drawn else (None, [])
            self.emit(
                Observed(
                    step=self.attempts,
                    picture=seen.picture.key,
                    sha256=first,
                    visible=None if seen.visible is None else tuple(sorted(seen.visible)),
                    more=tuple(others) or tuple(picture.key for picture in seen.pictures[1:]),
                )
            )
            self._seen = seen
        return self._seen

    async def view(self) -> str:
        """What tells the present view from others: its bytes, or its key where nobody looks at bytes."""
        picture = (await self.look()).picture
        if self.draw_all or self.model.looks:
            return await asyncio.to_thread(lambda: picture.sha256)
        return picture.key

    def earlier(self) -> tuple[Picture, ...]:
        """The pictures of earlier steps that the run shows to models, the oldest first."""
        return tuple(self._shown[len(self._shown) - min(self.frames, len(self._shown)) :])

    async def unchanged(self) -> bool:
        """Whether the picture is the same as before the last attempt, if the agent looked.

        Keys may depend on what is out of sight, so pictures with different keys are compared by their bytes.
        """
        before, new = self._before, (await self.look()).picture
        if before is None:
            return False
        old = before.picture
        return old.key == new.key or await asyncio.to_thread(lambda: old.sha256 == new.sha256)

    def end(self, reason: Reason, detail: str = "", *, announced: bool = False) -> None:
        """End the episode. `finished` is the agent's claim to be done, unless the world has `announced` the goal."""
        self._end(reason, detail, claimed=not announced if reason is Reason.FINISHED else None)

    async def solve(self, task: Task) -> PlanOutcome:
        """Plan, and emit what came of it; `PlannerUnavailable` if the planner failed."""
        return (await self.try_to_solve(task)).checked()

    async def try_to_solve(self, task: Task) -> PlanOutcome:
        """Plan, and emit what came of it, whatever it is."""
        if self.planner is None:
            raise ValueError("this toolbox has no planner; give the agent plans=True, or its file PLANS = True")
        outcome = await self.planner.plan(task, timeout=self.planning_seconds)
        self.emit(
            Planned(
                step=self.attempts,
                belief=tuple(sorted(map(str, task.init))),
                status=outcome.status,
                plan=tuple(map(str, outcome.plan)),
                engine=outcome.engine,
                seconds=outcome.seconds,
                cached=outcome.cached,
                message=outcome.message,
            )
        )
        return outcome

    def attempt(self, action: Any) -> Stepped:
        """Attempt an action of the world."""
        self._count()
        stepped = self.env.step(action)
        self.reached = stepped.terminated
        self.over = stepped.terminated or stepped.over
        self._acted(str(action), stepped.outcome, stepped.feedback)
        return stepped

    def _acted(self, action: str, outcome: str, feedback: str = "", *, refused: bool = False) -> None:
        if self._seen is not None and self.frames:
            self._shown.append(self._seen.picture)
        self._before, self._seen = self._seen, None
        self.emit(Acted(step=self.attempts - 1, action=action, outcome=outcome, feedback=feedback, refused=refused))


@dataclass(kw_only=True, eq=False)
class OptionTools(WorldTools):
    """The tools of an agent in a world that lists its options."""

    env: Options
    _film: list[Picture] = field(default_factory=list)
    _album: dict[str, Picture] = field(default_factory=dict)

    def options(self) -> tuple[str, ...]:
        """The current options, in the world's own words."""
        return tuple(self.env.options())

    async def choose(
        self,
        prompt: str,
        *,
        options: Sequence[str] | None = None,
        cot: bool = False,
        pictures: Sequence[Picture] | None = None,
    ) -> Reading:
        """Show the model the current observation and have it choose one of the options.

        `pictures` replace those of the observation and of earlier steps.
        """
        seen = await self.look()
        listed = self.options() if options is None else tuple(options)
        numbered = "\n".join(f"{number}. {option}" for number, option in enumerate(listed, 1))
        text = "\n\n".join([prompt, *(["\n".join(seen.hints)] if seen.hints else []), numbered])
        shown = (*self.earlier(), *seen.pictures) if pictures is None else pictures
        parts: list[Part] = [*shown, text]
        return await self.ask(parts, kind=Kind.CHOICE, options=listed, phase="choice", cot=cot)

    def act(self, option: str) -> Stepped:
        """Do what an option says."""
        if self._seen is not None:
            self._add(self._seen.picture)
        stepped = self.attempt(option)
        for picture in getattr(self.env, "frames", tuple)():
            self._add(picture)
        return stepped

    def _add(self, picture: Picture) -> None:
        """Add a frame to the clip, unless nothing has changed."""
        if not self._film or self._film[-1].key != picture.key:
            self._film.append(picture)

    def remember(self, picture: Picture) -> None:
        """Keep a picture for later. Graphs keep its key only."""
        self._album[picture.key] = picture

    def remembered(self, keys: Iterable[str]) -> tuple[Picture, ...]:
        """The kept pictures with these keys."""
        return tuple(self._album[key] for key in keys)

    async def clip(self, most: int) -> tuple[Picture, ...]:
        """Frames of everything seen so far, evenly spaced if there are more than `most`; the last one is of now."""
        self._add((await self.look()).picture)
        step = max(1.0, (len(self._film) - 1) / (most - 1))
        return tuple(self._film[round(place * step)] for place in range(min(most, len(self._film))))
