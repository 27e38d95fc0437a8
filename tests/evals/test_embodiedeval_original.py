"""The original EmbodiedEval's files: its tasks, results, scores, conditions and published tables."""

from __future__ import annotations

import csv
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from evals.embodiedeval import published
from evals.embodiedeval.categories import COUNTS
from evals.embodiedeval.original import command
from evals.embodiedeval.original.conditions import Condition, Conditions, as_recorded, done
from evals.embodiedeval.original.results import Episode, Step, read_run, write_run
from evals.embodiedeval.original.scores import figures
from evals.embodiedeval.original.tasks import read_task, read_tasks, summary
from evals.questions.arithmetic import examine
from evals.questions.readers.rows import BadData
from models.parsing import Profile, Unreadable, choice

OPTIONS = [f"option {number}" for number in range(1, 31)]


@pytest.fixture(scope="session")
def original(shared: Path) -> Path:
    return shared / "data" / "embodiedeval"


# The reader of choices


def as_published(text: str) -> int | None:
    """The number that the published parser reads, written down anew; None where there is none it accepts."""
    found = re.search(r"Choice:?\s*\[?(\d+)", text, re.IGNORECASE)
    numbers = [found[1]] if found else re.findall(r"\d+", text)
    number = int(numbers[-1]) if numbers else 0
    return number - 1 if 0 < number <= len(OPTIONS) else None


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("My choice 2 is better.\nChoice: [5]", 2),
        ("Choice: **[4]** (2 m)", 2),
        ("Choice - 4, then 7", 7),
        ("Choice：[4] 7", 7),
        ("CHOICE[3]", 3),
        ("Choice:\n[12", 12),
    ],
)
def test_official_choices_are_read_with_the_originals_quirks(text: str, number: int) -> None:
    assert choice(text, OPTIONS, profile=Profile.OFFICIAL) == number - 1 == as_published(text)


def test_official_choices_agree_with_the_published_parser_on_ten_thousand_replies() -> None:
    dice = random.Random(7)
    pieces = [
        "Choice",
        "choice",
        ":",
        " ",
        "\n",
        "[",
        "]",
        "**",
        "4",
        "17",
        "0",
        "031",
        "Thought: ",
        "turn left",
        "9.5",
    ]
    for _ in range(10_000):
        text = "".join(dice.choices(pieces, k=dice.randrange(12)))
        read = choice(text, OPTIONS, profile=Profile.OFFICIAL)
        assert (None if isinstance(read, Unreadable) else read) == as_published(text), text


# Tasks


def test_all_original_tasks_are_read_with_the_published_counts(original: Path) -> None:
    found = summary(read_tasks(original / "tasks"))
    assert found["tasks"] == COUNTS
    assert found["scenes"] == {"all": 125}
    options = {"Answer": 1213, "PickUp": 134, "PlaceTo": 91, "SpecialAction": 76, "OpenDoor": 11}
    assert found["options"] == {**options, "CloseDoor": 3, "OpenDrawer": 3, "CloseDrawer": 2}
    predicates = {"choose": 153, "grab_once": 102, "at": 95, "agent_pass": 76, "special_action_success": 73}
    assert found["predicates"] == {**predicates, "agent_at": 57, "grab": 13, "agent_near": 6}
    assert found["points"] == {"navigation": 8584, "special": 280, "navigation-target": 206}
    assert found["people"] == {"stand": 21, "sit": 14, "lay": 3}


def test_tasks_are_read_without_an_index_too(original: Path, tmp_path: Path) -> None:
    (tmp_path / "SpatialQA").symlink_to(original / "tasks" / "SpatialQA")
    found = read_tasks(tmp_path)
    assert len(found) == 52
    assert {entry.category for entry in found} == {"spatial_qa"}


TASK: dict[str, Any] = {
    "scene_name": "hall",
    "task_text": "Wake the man.",
    "agent_position": [0, 0, 0],
    "agent_rotation": [0, 90, 0],
    "options": [{"option_type": "SpecialAction", "option_text": "wake him"}],
    "predicates": [{"predicate_type": "special_action_success", "right_special_action": "wake him"}],
    "special_points": [],
}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"options": [{"option_type": "Fly", "option_text": "fly"}]}, "options.0.option_type"),
        ({"predicates": []}, "predicates"),
        ({"agent_position": [0, 0]}, "agent_position"),
        ({"options": []}, "'wake him', which is no option"),
        ({"special_points": "none"}, "special_points"),
    ],
)
def test_a_wrong_task_is_named_with_its_file_and_field(tmp_path: Path, change: dict[str, Any], fault: str) -> None:
    path = tmp_path / "task.json"
    path.write_text(json.dumps({**TASK, **change}))
    with pytest.raises(BadData, match=fault) as raised:
        read_task(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_folder_without_tasks_and_paths_out_of_it_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="has no tasks"):
        read_tasks(tmp_path)
    for name in ("../Navigation/a.json", "/Navigation/a.json", "Elsewhere/a.json", "a.json"):
        (tmp_path / "tasks.json").write_text(json.dumps([{"index": 0, "task_file": name}]))
        with pytest.raises(BadData, match="is not in one of the folders"):
            read_tasks(tmp_path)


# Results and scores


def step(number: int, done_: int, predicates: tuple[int, ...], feedback: str = "", choice_: int = 1) -> Step:
    return Step(
        step=number,
        options=("idle", "move forward"),
        action_choice=choice_,
        action="move forward",
        done_after_action=done_,
        feedback=feedback,
        predicates_done=predicates,
    )


def episode(index: int, category: str, predicates: int, *steps: Step) -> Episode:
    folder = {"attribute_qa": "AttributeQA", "navigation": "Navigation", "object_interaction": "ObjectInteraction"}
    return Episode(index, f"{folder[category]}/{index}.json", category, predicates, steps)


EPISODES = (
    episode(0, "attribute_qa", 1, step(0, 0, (0,)), step(1, 1, (1,))),
    episode(1, "attribute_qa", 3, step(0, -1, (1, -1))),
    episode(2, "object_interaction", 2, step(0, 0, (0, 0), "failed: too far"), step(1, 0, (1, 0), "success")),
    episode(3, "object_interaction", 1, step(0, 0, (0,), "failed"), step(1, 0, (0,))),
    episode(4, "object_interaction", 2, step(0, 1, (1, 1), "success")),
)


def test_scores_as_they_are_meant() -> None:
    references = {one.task_id: 1 for one in EPISODES}
    found = figures(EPISODES, references)
    assert list(found) == ["attribute_qa", "object_interaction", "overall"]
    question, acting, overall = found.values()
    assert question.success == 50
    assert question.gcs == pytest.approx(100 * (1 + 1 / 3) / 2)
    assert question.spl == 25  # two choices where one was enough
    assert acting.success == pytest.approx(100 / 3)
    assert acting.gcs == pytest.approx(50)
    assert acting.interactions == pytest.approx(4 / 3)
    assert acting.interaction_success == 50
    assert overall.success == 40
    assert overall.length == pytest.approx(8 / 5)


def test_official_scores_keep_the_quirks_of_the_published_code() -> None:
    references = {one.task_id: 1 for one in EPISODES}
    question, acting, overall = figures(EPISODES, references, Profile.OFFICIAL).values()
    assert question.gcs == 75  # [1, -1] of three conditions counts as a half
    assert acting.interaction_success == 75  # `failed: too far` is a success
    rounded = (50 * 2 + 33.33 * 3) / 5
    assert overall.success == rounded
    assert overall.interaction_success == (0 * 2 + 75 * 3) / 5


def test_without_all_references_there_is_no_spl_and_officially_zero() -> None:
    references = {one.task_id: 1 for one in EPISODES[:4]}
    meant, official = (figures(EPISODES, references, profile) for profile in (Profile.ROBUST, Profile.OFFICIAL))
    assert (meant["attribute_qa"].spl, official["attribute_qa"].spl) == (25, 25)
    assert (meant["object_interaction"].spl, official["object_interaction"].spl) == (None, 0)
    assert figures([]) == {}


def test_runs_that_are_written_are_read_back(tmp_path: Path) -> None:
    instance = {"task_text": "Wake the man.", "predicates": [{}, {}, {}]}
    folder = tmp_path / "run"
    assert write_run(folder, {"agent": "choose"}, [(EPISODES[1], instance)]) == 1
    assert read_run(folder) == [EPISODES[1]]
    (folder / "traj0001" / "traj.json").unlink()  # as the original leaves it before it has been scored
    assert read_run(folder) == [EPISODES[1]]
    assert json.loads((folder / "traj0001" / "result.json").read_text()) == {"result": "failed", "steps_taken": 1}


def test_result_folders_of_the_original_are_read(original: Path) -> None:
    random_ = read_run(original / "sample_run" / "random")
    assert [(one.category, len(one.steps)) for one in random_] == [("attribute_qa", 3), ("social_interaction", 24)]
    assert figures(random_)["overall"].success == 50
    (constant,) = read_run(original / "sample_run" / "always_option_1")
    assert len(constant.steps) == 24
    assert constant.last is not None
    assert constant.last.options[0].startswith("answer")  # only answers in the last step, the first out of reach


def test_steps_without_a_list_of_them_come_in_their_own_order(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write_run(folder, {}, [(EPISODES[0], {"predicates": [{}]})])
    one = folder / "traj0000"
    (one / "traj.json").unlink()
    last, first = (one / "0001a.json").read_bytes(), (one / "0000a.json").read_bytes()
    for name, content in (("0001a.json", last), ("0000a.json", first)):  # the later one is made first
        (one / name).unlink()
        (one / name).write_bytes(content)
    assert figures(read_run(folder))["overall"].success == 100


def test_damaged_result_folders_are_named(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no folder trajNNNN"):
        read_run(tmp_path)
    write_run(tmp_path / "run", {}, [(EPISODES[0], {"predicates": [{}]})])
    (tmp_path / "run" / "traj0000" / "traj.json").write_text('[{"step": 0}]')
    with pytest.raises(BadData, match=r"traj\.json: 0\.options"):
        read_run(tmp_path / "run")
    (tmp_path / "run" / "traj0000" / "task.json").write_text('{"task_id": "Somewhere/a.json"}')
    with pytest.raises(BadData, match="no task_id in a category folder"):
        read_run(tmp_path / "run")


def test_the_commands_print_tables(original: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.tasks([str(original / "tasks")]) == 0
    assert re.search(r"predicates +all +575", capsys.readouterr().out)
    sample = original / "sample_run" / "random"
    assert command.scores([str(sample), "--human", str(sample)]) == 0
    assert re.search(r"Attribute QA +1 +100.00 +100.00 +100.00 +3.00", capsys.readouterr().out)


# Conditions


def state(agent: tuple[float, float], *things: tuple[float, float, float], hand: int = -1) -> dict[str, Any]:
    return {
        "agent": {"position": {"x": agent[0], "y": 0.0, "z": agent[1]}},
        "instances": [{"position": {"x": x, "y": y, "z": z}} for x, y, z in things],
        "agent_grab_instance": hand,
        "option_mode_info": {"feedback": ""},
    }


@pytest.mark.parametrize(
    ("line", "distance", "holds"),
    [
        ("agent_at 0", 0.299, True),
        ("agent_at 0", 0.3, False),
        ("agent_near 0", 1.499, True),
        ("agent_near 0", 1.5, False),
        ("at 0 1", 0.299, True),
        ("at 0 1", 0.3, False),
        ("near 0 1", 1.499, True),
        ("near 0 1", 1.5, False),
        ("not_near 0 1", 1.501, True),
        ("not_near 0 1", 1.5, False),
        ("not_at 0 1", 0.301, True),
        ("not_at 0 1", 0.3, False),
        ("closer 0 1", 2.999, True),
        ("closer 0 1", 3.0, False),
        ("further 0 1", 6.001, True),
        ("further 0 1", 6.0, False),
    ],
)
def test_distances_are_compared_strictly(line: str, distance: float, holds: bool) -> None:
    # The agent stands where thing 1 is; `closer` and `further` begin at five metres.
    start = state((0, 0), (5, 0, 0), (0, 0, 0))
    now = state((0, 0), (distance, 0, 0), (0, 0, 0))
    assert Conditions([Condition.parse(line)], start).after("idle", now) == (int(holds),)


def test_only_not_at_looks_at_heights() -> None:
    above = state((0, 0), (0, 2.0, 0), (0, 0, 0))
    lines = ("at 0 1", "not_at 0 1", "agent_at 0")
    assert Conditions([Condition.parse(line) for line in lines], above).after("idle", above) == (1, 1, 1)


def test_some_conditions_last() -> None:
    here, gone = state((0, 0), (0, 0, 0), hand=0), state((3, 0), (0, 0, 0))
    lines = ("agent_pass 0", "agent_at 0", "grab_once 0", "grab 0", "special_action_success wash the cup")
    conditions = Conditions([Condition.parse(line) for line in lines], gone)
    here["option_mode_info"]["feedback"] = "success"
    assert conditions.after("turn left", here) == (1, 1, 1, 1, 0)
    assert conditions.after("wash the cup", gone) == (1, 0, 1, 0, 0)
    gone["option_mode_info"]["feedback"] = "success"
    assert conditions.after("wash the cup", gone) == (1, 0, 1, 0, 1)
    gone["option_mode_info"]["feedback"] = "failed"
    assert conditions.after("turn left", gone) == (1, 0, 1, 0, 1)


def test_answers_are_right_wrong_or_not_given() -> None:
    now = state((0, 0), (9, 0, 9))
    conditions = Conditions([Condition.parse('choose answer  "two"'), Condition.parse("agent_at 0")], now)
    assert conditions.after('answer "two"', now) == (1, 0)
    assert conditions.after("move forward", now) == (0, 0)
    wrong = conditions.after('answer "three"', now)
    assert wrong == (-1, 0)
    assert (done(wrong), done((1, 0)), done((1, 1))) == (-1, 0, 1)
    assert (as_recorded((1, -1, 0)), as_recorded((1, 0))) == ((1, -1), (1, 0))


@pytest.mark.parametrize("line", ["hover 3", "agent_at", "at 1", "at 1 x", "grab -1", ""])
def test_conditions_that_cannot_be_read_are_named(line: str) -> None:
    with pytest.raises(ValueError, match="condition"):
        Condition.parse(line)


# Published tables


def test_the_published_tables_add_up_but_for_known_cells(original: Path) -> None:
    found = examine(published.read(original / "published_tables.csv").cells, published.RULES)
    held = {one.rule: (len(one.checks), len(one.checks) - len(one.deviations)) for one in found}
    assert held["table 2: overall success from the categories"] == (22, 21)
    assert held["table 2: overall GcS from the categories"] == (22, 19)
    assert held["table 2: successes are whole"] == (110, 110)
    assert published.report(original / "published_tables.csv") == 0


def test_a_changed_cell_is_noticed_and_bad_files_are_named(
    original: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (original / "published_tables.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    place = next(place for place, row in enumerate(rows) if row[:4] == ["table2", "GPT-4o", "navigation", "success"])
    rows[place][4] = "32.03"
    path = tmp_path / "tables.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    assert published.report(path) == 1
    assert "not known before" in capsys.readouterr().out
    rows[place][4] = "many"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    with pytest.raises(BadData, match=f"row {place + 1}: the value 'many' is no number"):
        published.read(path)
    path.write_text("table,model\n")
    with pytest.raises(BadData, match="no column 'category'"):
        published.read(path)
