"""Serve our tasks to the original's evaluation script: connect to it and play the game's part.

    python -m evals.embodiedeval export --tasks data/tasks
    python run_eval.py --agent random --remote                 # the original's
    python -m evals.embodiedeval serve 127.0.0.1:50051

The script resets the game with a task file; ours carry their own name, by which the task is found here.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from typing import Any

from envs.base import WorldUnavailable
from envs.embodied import tasks as embedded
from envs.embodied.world import EmbodiedWorld
from evals.embodiedeval.answers import quoted
from evals.embodiedeval.original.convert import IDENTITY, IDLE, lines_of, numbered, up_is_y, yaw_in_degrees
from evals.embodiedeval.original.wire import connect, messages

NOTHING_HELD = -1
NOWHERE = (-1000.0, -1000.0, 0.0)
"""The position of a held thing: far from every place, as in our rules."""
KEEP_ALIVE = -1
"""The choice that changes nothing. The script sends it while a model thinks."""


class Server:
    """The game's part. Call it with an action of the script for the next observation."""

    def __init__(self) -> None:
        self.world: EmbodiedWorld | None = None
        self.resets = 0
        self._numbers: dict[str, int] = {}
        self._feedback = ""

    def __call__(self, action: Any) -> Any:
        """The observation after an action."""
        match action.type:
            case "INIT":
                return messages()[0](type="STEP")
            case "RESET":
                self._reset(action)
            case "STEP":
                self._step(action)
        if self.world is None:
            return messages()[0](type="STEP")
        return self._observation(self.world)

    def _reset(self, action: Any) -> None:
        try:
            name = str(json.loads(action.json_actions)["task_instance"][IDENTITY])
            task = quoted(embedded.task(name))
        except (ValueError, KeyError, TypeError) as error:
            raise WorldUnavailable(
                f"the script asks for a task that is none of ours ({error}): write them with "
                "python -m evals.embodiedeval export --tasks DIR"
            ) from None
        self.world = EmbodiedWorld(task)
        self._numbers, self._feedback = numbered(task, self.world.scene), ""
        self.resets += 1

    def _step(self, action: Any) -> None:
        if self.world is None or not action.float_actions:
            return
        place, listed = int(action.float_actions[-1]), self._listed(self.world)
        if place == KEEP_ALIVE or not 0 < place < len(listed):
            return
        self._feedback = self.world.step(listed[place]).feedback

    def _listed(self, world: EmbodiedWorld) -> list[str]:
        return [IDLE, *world.options()]

    def _observation(self, world: EmbodiedWorld) -> Any:
        return messages()[0](
            type="STEP", image=world.observe().picture.png(), game_states=json.dumps(self.state(world))
        )

    def state(self, world: EmbodiedWorld) -> Mapping[str, Any]:
        """The state in the form of the game."""
        word, _, more = self._feedback.partition(": ")
        held = self._numbers[world.held] if world.held else NOTHING_HELD
        return {
            "agent": {"position": _point(world.position()), "rotation": [0.0, yaw_in_degrees(world.yaw()), 0.0]},
            "instances": [{"position": _point(world.where(name) or NOWHERE)} for name in self._numbers],
            "agent_grab_instance": held,
            "option_mode_info": {
                "options": self._listed(world),
                "predicates": lines_of(world.task, self._numbers),
                "feedback": word,
                "feedback_content": more,
            },
        }


def _point(position: Sequence[float]) -> dict[str, float]:
    x, y, z = up_is_y(position)
    return {"x": x, "y": y, "z": z}


def serve(words: Sequence[str]) -> int:
    """Play the game's part for the original's evaluation script, with our tasks."""
    parser = argparse.ArgumentParser(prog="python -m evals.embodiedeval serve", description=serve.__doc__)
    parser.add_argument("address", nargs="?", default="127.0.0.1:50051", metavar="HOST:PORT", help="of the script")
    parser.add_argument("--seconds", type=float, default=600.0, metavar="S", help="how long to wait for the script")
    chosen = parser.parse_args(words)
    server = Server()
    try:
        connect(chosen.address, server, seconds=chosen.seconds)
    except WorldUnavailable as error:
        raise ValueError(str(error)) from None
    print(f"{server.resets} tasks were played")
    return 0
