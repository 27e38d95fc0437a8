"""The original's game as a world of options: we listen, the user's game connects, and agents act in it.

The game shows pictures, lists options and moves; whether the task is done is decided here, from the positions that the
game sends. A game that is silent, or sends something unreadable, ends an episode as `world_unavailable`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from envs.base import Observation, Outcome, Stepped, WorldUnavailable
from envs.pictures import PictureStore
from evals.embodiedeval.original.conditions import WRONG, Condition, Conditions, done
from evals.embodiedeval.original.wire import Listener, messages

SIZE, FIELD = 448, 90
_FLOATS, _INTEGERS = 10, 2


class Game:
    """The game on a port. It plays one episode at a time; the connection is made when the first one begins."""

    def __init__(self, port: int, *, seconds: float = 600.0) -> None:
        self.listener = Listener(port, seconds=seconds)
        self._seconds, self._ready = seconds, False

    def reset(self, scene: Mapping[str, Any]) -> Any:
        """Begin an episode; return its first observation. After a lost connection the game has to connect again."""
        action = messages()[1]
        if self.listener.lost:
            port = self.listener.port
            self.listener.close()
            self.listener, self._ready = Listener(port, seconds=self._seconds), False
        if not self._ready:
            self.listener.first()
            lens = {"camera_resolution_width": SIZE, "camera_resolution_height": SIZE, "camera_field_of_view": FIELD}
            setup = {**lens, "action_mode": 1, "use_animation": False, "width": 768, "height": 768}
            self.listener.exchange(action(type="INIT", json_actions=json.dumps(setup)))
            self._ready = True
        calls = json.dumps({"calls": []})
        return self.listener.exchange(action(type="RESET", json_actions=json.dumps(scene), api_calls=calls))

    def choose(self, index: int) -> Any:
        """Choose an option by its place in the game's own list, or none; return the next observation."""
        floats = [0.0] * (_FLOATS - 1) + [float(index)]
        action = messages()[1](
            type="STEP", float_actions=floats, int_actions=[0] * _INTEGERS, api_calls=json.dumps({"calls": []})
        )
        return self.listener.exchange(action)

    def close(self) -> None:
        """End the game and stop listening."""
        self.listener.close()


class GameWorld:
    """One task in the original's game."""

    name = "embodiedeval game"
    description = "You are in a room or a home. You see it through your own eyes, and choose what to do from options."

    def __init__(self, game: Game, scene: Mapping[str, Any], pictures: PictureStore) -> None:
        self._game, self._pictures = game, pictures
        instance = scene["task_instance"]
        self.goal_text = str(instance["task_text"]).strip()
        self._seen = game.reset(scene)
        self._state = self._read_state()
        lines = self._state["option_mode_info"]["predicates"]
        try:
            self._conditions = Conditions([Condition.parse(line) for line in lines], self._state)
        except ValueError as error:
            raise WorldUnavailable(str(error)) from None
        self._values: tuple[int, ...] = (0,) * len(lines)

    def observe(self) -> Observation:
        """The present picture."""
        png = bytes(self._seen.image)
        key = f"game {hashlib.sha256(png).hexdigest()}"
        return Observation(self._pictures.picture(key, lambda: png))

    def options(self) -> Sequence[str]:
        """The options that can be chosen: all except `idle`, which is first in the game's list."""
        return self._listed()[1:]

    def step(self, option: str) -> Stepped:
        """Choose an option."""
        listed = self._listed()
        if option not in listed:
            return Stepped(Outcome.NOT_LEGAL, feedback="There is no such option.")
        self._seen = self._game.choose(listed.index(option))
        self._state = self._read_state()
        try:
            self._values = self._conditions.after(option, self._state)
        except (KeyError, IndexError, TypeError) as error:
            raise WorldUnavailable(f"the game's state has no {error}, which a condition is about") from None
        info = self._state["option_mode_info"]
        feedback = ": ".join(text for text in (info.get("feedback"), info.get("feedback_content")) if text)
        outcome = Outcome.FAILED if str(info.get("feedback", "")).startswith("failed") else Outcome.EXECUTED
        return Stepped(outcome, self.reached(), feedback=feedback, over=self.lost())

    def _read_state(self) -> Mapping[str, Any]:
        """The state of the game; one that cannot be read may belong to a game that has just been started anew."""
        try:
            return _state(self._seen)
        except WorldUnavailable:
            self._game.listener.lost = True
            raise

    def _listed(self) -> list[str]:
        return [str(option) for option in self._state["option_mode_info"]["options"]]

    # Only the judge calls the methods below: they tell the truth.

    def reached(self) -> bool:
        """Whether all conditions hold."""
        return done(self._values) == 1

    def lost(self) -> bool:
        """Whether a wrong answer was given."""
        return WRONG in self._values

    def predicates(self) -> Sequence[int]:
        """Each condition: 1 if it holds, 0 if not, -1 after a wrong answer."""
        return self._values

    def state(self) -> Sequence[str]:
        """The conditions that hold now, in the game's words."""
        lines = self._state["option_mode_info"]["predicates"]
        return [" ".join(line.split()) for line, value in zip(lines, self._values, strict=False) if value == 1]

    def best(self) -> str | None:
        """None: the game does not know a solution."""
        return None

    def worth(self) -> float:
        """The share of conditions that hold."""
        return sum(value == 1 for value in self._values) / len(self._values)


def _state(seen: Any) -> Mapping[str, Any]:
    """The state in an observation; `WorldUnavailable` if it cannot be read."""
    try:
        state = json.loads(seen.game_states)
        info = state["option_mode_info"]
        if not info["options"] or not info["predicates"]:
            raise ValueError("it lists no options or no conditions")
        state["agent"]["position"]
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise WorldUnavailable(f"the game sent a state that cannot be read: {error!r}") from None
    found: Mapping[str, Any] = state
    return found
