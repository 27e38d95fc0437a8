"""The embodied world: its frozen tasks are solved by the expert, and its rules refuse what cannot be done."""

from dataclasses import replace

import pytest

from envs.base import Outcome
from envs.embodied.model import Act, Option
from envs.embodied.tasks import from_json, tasks, to_json
from envs.embodied.world import EmbodiedWorld

TASKS = tasks()
SAMPLE = TASKS[:: max(1, len(TASKS) // 12)]


@pytest.mark.parametrize("task", SAMPLE, ids=lambda task: task.id)
def test_the_expert_solves_a_task_in_the_stated_number_of_steps(task):
    world = EmbodiedWorld(task)
    for _ in range(task.steps):
        assert not world.over()
        option = world.best()
        assert option in world.options()
        stepped = world.step(option)
        assert stepped.outcome is Outcome.EXECUTED
    assert world.reached()
    assert stepped.terminated
    assert world.worth() == 1.0


@pytest.mark.parametrize("task", SAMPLE, ids=lambda task: task.id)
def test_a_task_is_written_and_read(task):
    assert from_json(to_json(task)) == task


def test_a_wrong_answer_ends_the_episode_without_success():
    task = next(task for task in TASKS if task.answer)
    world = EmbodiedWorld(task)
    wrong = next(answer for answer in task.answers if answer != task.answer)
    stepped = world.step(wrong)
    assert stepped.over
    assert not stepped.terminated
    assert -1 in world.predicates()


def test_an_option_that_is_not_listed_is_not_legal():
    world = EmbodiedWorld(TASKS[0])
    assert world.step("fly").outcome is Outcome.NOT_LEGAL


def test_feedback_gives_the_reason_only_where_it_is_wanted():
    task = next(task for task in TASKS if any(option.act is Act.PLACE_TO for option in task.options))
    place = next(option.text for option in task.options if option.act is Act.PLACE_TO)
    heard = {level: EmbodiedWorld(task, feedback=level).step(place) for level in ("none", "official", "reasons")}
    assert all(stepped.outcome is Outcome.FAILED for stepped in heard.values())
    assert [stepped.feedback for stepped in heard.values()] == ["", "failed", "failed: you hold nothing"]


def test_a_snapshot_brings_the_moment_back():
    world = EmbodiedWorld(TASKS[0])
    before, picture = world.save(), world.observe().picture.key
    world.step("turn left")
    assert world.observe().picture.key != picture
    world.restore(before)
    assert world.observe().picture.key == picture


def test_a_right_answer_is_forgotten_while_another_predicate_is_open():
    task = next(task for task in TASKS if task.answer and len(task.predicates) == 1)
    other = replace(
        task,
        options=(*task.options, Option(Act.SPECIAL, "sing")),
        predicates=(*task.predicates, replace(task.predicates[0], check="special_action_success", value="sing")),
    )
    world = EmbodiedWorld(other)
    stepped = world.step(task.answer)
    assert not stepped.terminated
    assert not stepped.over
    assert world.predicates() == (1, 0)
    world.step("turn left")
    assert world.predicates() == (0, 0)
