"""Worlds of options, without PDDL, through the whole engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.run.directory import RunDirectory
from evals.run.scores import score_run
from models.base import Request
from models.scripted import Scripted
from tests.small_sets import Staircases, played
from tools.events import Acted, Asked, Observed

SET = Staircases()


def scripted(monkeypatch: Any, reply: str) -> Scripted:
    model = Scripted(lambda request: reply)
    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: model)
    return model


def events(run: RunDirectory, id: str) -> list[Any]:
    return [record.event for record in run.records(id)]


@pytest.mark.parametrize("agent", ["choose", "choose_direct", "choose_video"])
def test_an_oracle_reaches_every_top(tmp_path: Path, agent: str) -> None:
    run = played(SET, tmp_path / "run", agent=agent)
    scores = score_run(run.results(), run.splits, run.episodes, run.judging)
    assert scores.success == 1.0
    assert scores.splits["all"].measures == {"progress": 1.0, "refused": 0.0, "steps": 3.0}
    assert [event.action for event in events(run, "stairs_3") if isinstance(event, Acted)] == ["go up"] * 3


def test_an_observation_has_several_views_and_the_model_gets_them_all(tmp_path: Path, monkeypatch: Any) -> None:
    model = scripted(monkeypatch, "Choice: [1]")
    run = played(SET, tmp_path / "run", limit=2)
    observed = [event for event in events(run, "stairs_2") if isinstance(event, Observed)]
    assert [(event.picture, event.more) for event in observed[:1]] == [("front 0", ("side 0",))]
    assert [picture.key for picture in model.asked[0].pictures] == ["front 0", "side 0"]
    assert "You are on step 0." in model.asked[0].text
    assert "1. go up\n2. jump" in model.asked[0].text


def test_half_the_way_is_worth_half_and_the_steps_are_few(tmp_path: Path, monkeypatch: Any) -> None:
    short = played(SET, tmp_path / "short", steps=2).results()
    assert [(result.success, result.value) for result in short[1:]] == [
        (True, 1.0), (False, 2 / 3), (False, 0.5), (False, 0.4),
    ]  # fmt: skip
    scripted(monkeypatch, "jump")
    run = played(SET, tmp_path / "run", steps=3)
    assert {(result.failure, result.value) for result in run.results()} == {("step_limit", 0.0)}
    assert all(result.counts("attempts") == {"not legal": 3} for result in run.results())


def test_what_a_model_is_told_of_its_attempts_is_a_setting(tmp_path: Path, monkeypatch: Any) -> None:
    def texts(**options: Any) -> list[str]:
        model = scripted(monkeypatch, "jump")
        played(SET, tmp_path / str(len(list(tmp_path.iterdir()))), limit=1, steps=4, **options)
        return [request.text for request in model.asked]

    assert texts()[-1].count("- jump: You cannot jump that high.") == 3
    assert texts(window=1)[-1].count("- jump: You cannot jump that high.") == 1
    assert texts(feedback="actions")[-1].count("- jump") == 3
    assert "high" not in texts(feedback="actions")[-1]
    assert "- jump" not in texts(feedback="none")[-1]


def test_earlier_pictures_are_shown_when_wanted(tmp_path: Path, monkeypatch: Any) -> None:
    model = scripted(monkeypatch, "Choice: [1]")
    played(SET, tmp_path / "run", limit=3, frames=1)
    shown = [[picture.key for picture in request.pictures] for request in model.asked]
    assert ["front 0", "front 1", "side 1"] in shown
    assert not any(len(keys) > 3 for keys in shown)


def test_the_same_question_asked_again_is_another_sample(tmp_path: Path, monkeypatch: Any) -> None:
    replies = iter(["hm", "Choice: [1]"])
    asked: list[Request] = []

    def script(request: Request) -> str:
        asked.append(request)
        return next(replies)

    monkeypatch.setattr("evals.run.equipment.load_model", lambda spec: Scripted(script))
    run = played(SET, tmp_path / "run", limit=1)
    assert [request.attempt for request in asked] == [0, 1]
    keys = {request.fingerprint("x", looks=False) for request in asked}
    assert len(keys) == 2
    assert sum(isinstance(event, Asked) for event in events(run, "stairs_1")) == 2


def test_choose_video_shows_one_clip_of_all_that_was_seen(tmp_path: Path, monkeypatch: Any) -> None:
    model = scripted(monkeypatch, "Thought: up.\nChoice: [1]")
    played(SET, tmp_path / "run", limit=3, agent="choose_video")
    shown = [[picture.key for picture in request.pictures] for request in model.asked]
    assert ["front 0", "front 1", "front 2"] in shown
    assert all(keys == [f"front {number}" for number in range(len(keys))] for keys in shown)
    assert "frames of one clip" in model.asked[0].text


def test_a_long_clip_is_thinned_evenly_and_ends_now() -> None:
    import asyncio

    from envs.base import Observation, Outcome, Stepped
    from tests.small_worlds import Sketch
    from tools.worlds import OptionTools

    class Way:
        """A way of many steps; every step is filmed from its start to its end."""

        name = description = goal_text = "way"
        here = 0.0

        def observe(self) -> Observation:
            return Observation(Sketch(str(self.here)))

        def options(self) -> list[str]:
            return ["on"]

        def step(self, option: str) -> Stepped:
            self.here += 1.0
            return Stepped(Outcome.EXECUTED, over=self.here == 20.0)

        def frames(self) -> list[Any]:
            return [Sketch(str(self.here - 0.5)), Sketch(str(self.here))]

    tools = OptionTools(env=Way(), model=Scripted(lambda request: ""))

    async def walk() -> tuple[Any, ...]:
        for _ in range(20):
            await tools.look()
            tools.act("on")
        return await tools.clip(5)

    assert [picture.key for picture in asyncio.run(walk())] == ["0.0", "5.0", "10.0", "15.0", "20.0"]
    assert tools.over
    assert not tools.reached
