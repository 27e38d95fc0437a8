"""The original's wire: a game of our own connects over loopback, as the original's does, and is played."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

pytest.importorskip("grpc", reason="grpcio is not installed: pip install -e '.[game]'")

from envs.base import Outcome, WorldUnavailable
from envs.pictures import PictureStore
from evals.embodiedeval.original.game import Game, GameWorld
from evals.embodiedeval.original.wire import Listener, connect, messages

SCENE = {
    "task_instance": {
        "task_text": "Is the lamp on? ",
        "options": [{"option_type": "Answer", "option_text": "yes"}, {"option_type": "Answer", "option_text": "no"}],
    }
}
MOVES = ["idle", "move forward", "turn left"]
ANSWERS = ['answer "yes"', 'answer "no"']


class Hall:
    """A game with one lamp at (2, 0). `move forward` is a metre along x; what it was sent is kept."""

    def __init__(self, predicates: tuple[str, ...] = ('choose  answer "no"',)) -> None:
        self.predicates = predicates
        self.options = [*MOVES, *ANSWERS]
        self.sent: list[Any] = []
        self.x, self.feedback = 0.0, ("", "")
        self.states: Callable[[], str] = self._state

    def __call__(self, action: Any) -> Any:
        self.sent.append(action)
        if action.type == "RESET":
            self.x = 0.0
        if action.type == "STEP":
            chosen = self.options[int(action.float_actions[-1])]
            self.x += chosen == "move forward"
            self.feedback = ("failed", "there is a wall") if chosen == "turn left" else ("", "")
            self.options = [*MOVES, *reversed(self.options[3:])]  # lists change from step to step
        return messages()[0](type="STEP", image=f"picture at {self.x}".encode(), game_states=self.states())

    def _state(self) -> str:
        info = {"options": self.options, "predicates": list(self.predicates)}
        return json.dumps(
            {
                "agent": {"position": {"x": self.x, "y": 0.0, "z": 0.0}},
                "instances": [{"position": {"x": 2.0, "y": 1.0, "z": 0.0}}],
                "agent_grab_instance": -1,
                "option_mode_info": {**info, "feedback": self.feedback[0], "feedback_content": self.feedback[1]},
            }
        )


@contextmanager
def playing(respond: Callable[[Any], Any], seconds: float = 20.0) -> Iterator[Game]:
    """A game of ours that a client plays with in a thread."""
    game = Game(0, seconds=seconds)
    ended: list[BaseException | None] = []

    def client() -> None:
        try:
            connect(f"127.0.0.1:{game.listener.port}", respond, seconds=20.0)
            ended.append(None)
        except BaseException as error:
            ended.append(error)

    thread = threading.Thread(target=client, daemon=True)
    thread.start()
    try:
        yield game
    finally:
        game.close()
        thread.join(20)
        assert not thread.is_alive()


def world_of(game: Game) -> GameWorld:
    return GameWorld(game, SCENE, PictureStore())


def test_an_episode_is_set_up_and_played_to_the_right_answer() -> None:
    hall = Hall()
    with playing(hall) as game:
        world = world_of(game)
        assert world.goal_text == "Is the lamp on?"
        assert world.options() == [*MOVES[1:], *ANSWERS]
        assert world.observe().picture.png() == b"picture at 0.0"
        moved = world.step("move forward")
        assert (moved.outcome, moved.terminated, moved.feedback) == (Outcome.EXECUTED, False, "")
        assert world.observe().picture.png() == b"picture at 1.0"
        turned = world.step("turn left")
        assert (turned.outcome, turned.feedback) == (Outcome.FAILED, "failed: there is a wall")
        assert world.step(ANSWERS[1]).terminated  # although the options stand in another order by now
        assert world.reached()
        assert world.worth() == 1
    setup, reset, first, *_ = hall.sent
    assert [action.type for action in hall.sent] == ["INIT", "RESET", "STEP", "STEP", "STEP"]
    lens = json.loads(setup.json_actions)
    assert (lens["camera_resolution_width"], lens["camera_field_of_view"], lens["action_mode"]) == (448, 90, 1)
    assert json.loads(reset.json_actions) == SCENE
    assert (len(first.float_actions), len(first.int_actions), first.api_calls) == (10, 2, '{"calls": []}')


def test_a_wrong_answer_ends_the_episode_and_places_count() -> None:
    hall = Hall(('choose answer "no"', "agent_near 0"))
    with playing(hall) as game:
        world = world_of(game)
        world.step("move forward")
        assert world.predicates() == (0, 1)
        assert world.state() == ["agent_near 0"]
        ended = world.step(ANSWERS[0])
        assert (ended.over, ended.terminated) == (True, False)
        assert world.lost()
        assert not world.reached()
        # A second episode in the same game sets nothing up again.
        again = world_of(game)
        assert again.predicates() == (0, 0)
    assert [action.type for action in hall.sent].count("INIT") == 1


def test_an_option_that_is_not_there_is_never_sent() -> None:
    hall = Hall()
    with playing(hall) as game:
        world = world_of(game)
        assert world.step("fly").outcome is Outcome.NOT_LEGAL
    assert all(action.type != "STEP" for action in hall.sent)


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        ("{", "cannot be read"),
        ("[" * 50_000, "cannot be read"),
        ("{}", "option_mode_info"),
        (json.dumps({"option_mode_info": {"options": [], "predicates": ["agent_at 0"]}}), "no options"),
    ],
)
def test_a_state_that_cannot_be_read_is_the_worlds_fault(state: str, fault: str) -> None:
    hall = Hall()
    hall.states = lambda: state
    with playing(hall) as game, pytest.raises(WorldUnavailable, match=fault):
        world_of(game)


def test_conditions_that_are_unknown_or_about_nothing_are_the_worlds_fault() -> None:
    with playing(Hall(("levitate 0",))) as game, pytest.raises(WorldUnavailable, match="unknown condition: 'levitate"):
        world_of(game)
    with playing(Hall(("agent_at 7",))) as game:
        world = world_of(game)
        with pytest.raises(WorldUnavailable, match="which a condition is about"):
            world.step("move forward")


def test_silence_is_the_worlds_fault() -> None:
    with pytest.raises(WorldUnavailable, match=r"did not connect to port \d+ within 0.2 s"):
        Listener(0, seconds=0.2).first()
    silent, asked = threading.Event(), threading.Event()
    hall = Hall()

    def respond(action: Any) -> Any:
        if action.type == "STEP":
            asked.set()
            silent.wait(20)
        return hall(action)

    with playing(respond, seconds=5) as game:
        world = world_of(game)
        game.listener._seconds = 0.3
        with pytest.raises(WorldUnavailable, match=r"has not answered for 0.3 s"):
            world.step("move forward")
        assert asked.is_set()
        silent.set()


def test_a_dropped_connection_is_the_worlds_fault() -> None:
    hall = Hall()

    def respond(action: Any) -> Any:
        return None if action.type == "STEP" else hall(action)

    with playing(respond, seconds=5) as game:
        world = world_of(game)
        game.listener._seconds = 0.3
        with pytest.raises(WorldUnavailable, match="has not answered"):
            world.step("move forward")


def test_after_a_lost_connection_the_game_connects_again_and_is_set_up_anew() -> None:
    """A late answer must not pass for the answer to the next action."""
    late = threading.Event()
    hall = Hall()

    def respond(action: Any) -> Any:
        if action.type == "STEP" and not late.is_set():
            late.wait(20)
            return None  # this game has crashed
        return hall(action)

    game = Game(0, seconds=10)
    address = f"127.0.0.1:{game.listener.port}"

    def client() -> None:
        with contextlib.suppress(WorldUnavailable):
            connect(address, respond, seconds=10)

    crashed = threading.Thread(target=client, daemon=True)
    crashed.start()
    world = world_of(game)
    game.listener._seconds = 0.3
    with pytest.raises(WorldUnavailable, match="has not answered"):
        world.step("move forward")
    with pytest.raises(WorldUnavailable, match="was lost"):
        world.step("move forward")
    late.set()
    crashed.join(10)
    again = threading.Thread(target=client, daemon=True)
    threading.Timer(0.2, again.start).start()
    world = world_of(game)
    assert world.step("move forward").outcome is Outcome.EXECUTED
    assert [action.type for action in hall.sent] == ["INIT", "RESET", "INIT", "RESET", "STEP"]
    game.close()
    again.join(10)


def test_a_port_that_is_taken_and_an_address_without_anybody_are_named() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(WorldUnavailable, match=f"port {port} is taken"):
            Listener(port)
    started = time.monotonic()
    with pytest.raises(WorldUnavailable, match=rf"nothing answers at 127.0.0.1:{port}"):
        connect(f"127.0.0.1:{port}", lambda action: None, seconds=0.3)
    assert time.monotonic() - started < 20
