"""The benchmark: what is chosen, what is asked, what is counted, and what damaged rows cost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from envs.base import WorldUnavailable
from envs.pictures import PictureStore
from evals.actioneqa.__main__ import main
from evals.actioneqa.benchmark import BENCHMARK
from evals.actioneqa.export import write_hub
from evals.actioneqa.judge import Swapped, Withheld
from evals.actioneqa.results import tables_of
from evals.actioneqa.settings import ActionSettings
from evals.run.benchmark import Supplies
from evals.run.directory import RunDirectory
from models.base import Kind, Message, Request
from models.scripted import Scripted
from tests.evals.action_entries import entries


@pytest.fixture(scope="module")
def hub(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hub")
    write_hub(folder, entries(4))
    return folder


def settings(hub: Path, **chosen: Any) -> ActionSettings:
    return ActionSettings(**{"model": "oracle", "data": str(hub), **chosen})


def test_the_configurations_are_the_splits(hub: Path) -> None:
    assert len(BENCHMARK.splits(settings(hub))) == 14
    assert BENCHMARK.splits(settings(hub, views="2")) == [
        f"bridge_{level}_{way}" for level in ("high", "mid", "low") for way in ("forward", "inverse")
    ]
    assert {item.tags["source"] for item in BENCHMARK.items(settings(hub, source="droid", level="mid,low"))} == {
        "droid"
    }
    with pytest.raises(ValueError, match="--views 2 is for bridge, not for droid"):
        BENCHMARK.items(settings(hub, views="2", source="droid"))
    with pytest.raises(ValueError, match=r"swapped .* takes --direction inverse"):
        BENCHMARK.check(settings(hub, control="swapped"))
    with pytest.raises(ValueError, match="is for our own questions"):
        BENCHMARK.items(settings(hub, distractors="official"))


def test_a_question_says_what_is_shown(hub: Path) -> None:
    chosen = settings(hub, source="bridge", level="low", views="3")
    forward, inverse = (
        next(one for one in BENCHMARK.episodes(chosen) if one.split == f"bridge_low_{way}")
        for way in ("forward", "inverse")
    )
    question, judge = BENCHMARK.open(forward, chosen, Supplies(PictureStore()))
    assert question.options == ("picture 2", "picture 3", "picture 4", "picture 5")
    assert question.views == 3
    assert "3 views side by side" in question.text
    assert "The action: [0.100, 0.000" in question.text
    assert len(question.labels) == len(question.pictures) == 5
    assert judge.answer == "picture 2"
    assert question.arrows is None
    question, judge = BENCHMARK.open(inverse, chosen, Supplies(PictureStore()))
    assert len(question.pictures) == 2
    assert "+yaw (about Z, `counterclockwise`)" in question.text
    assert question.reply.startswith("Reply with one capital letter")
    high = settings(hub, level="high", source="rt1")
    text = BENCHMARK.open(BENCHMARK.episodes(high)[0], high, Supplies(PictureStore()))[0].text
    assert "+yaw" not in text


def run(hub: Path, out: Path, *words: str) -> tuple[int, RunDirectory]:
    return main(["--data", str(hub), "--out", str(out), *words]), RunDirectory.open(out)


def test_a_run_has_the_published_mean_and_its_own_tables(
    hub: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, played = run(hub, tmp_path / "run", "--model", "oracle", "--json")
    told = capsys.readouterr()
    assert code == 0
    assert json.loads(told.out)["success"] == 1.0
    assert "Errors by kind of motion" in told.err
    results = played.results()
    assert {result.tags["task"] for result in results} == {"H-SP", "M-SP", "L-SP", "H-AI", "M-AI", "L-AI"}
    assert [table.name for table in tables_of(results)] == ["tasks", "levels", "kinds"]


def test_the_mean_is_over_tasks_of_the_mean_over_sources(hub: Path, tmp_path: Path) -> None:
    code, played = run(hub, tmp_path / "run", "--model", "sim:gpt-4.1", "--seed", "2")
    assert code == 0
    by_task: dict[str, dict[str, list[bool]]] = {}
    for result in played.results():
        by_task.setdefault(result.tags["task"], {}).setdefault(result.tags["source"], []).append(result.success)
    tasks = [sum(sum(some) / len(some) for some in sources.values()) / len(sources) for sources in by_task.values()]
    from evals.run.scores import score_run

    scores = score_run(played.results(), played.splits, played.episodes, played.judging)
    assert scores.success == pytest.approx(sum(tasks) / 6)


def test_damaged_rows_are_named_and_make_the_table_partial(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (path, *_) = write_hub(tmp_path / "hub", entries(4, ("rt1_high_inverse", "rt1_high_forward")))
    path.write_bytes(path.read_bytes()[:-9])
    code, played = run(tmp_path / "hub", tmp_path / "run", "--model", "oracle")
    told = capsys.readouterr()
    assert code == 1
    assert f"not asked: {path} is no parquet file, or it is cut off" in told.err
    assert "PARTIAL: 4 of 5 episodes are scored" in told.out
    assert [result.failure for result in played.results() if result.failure] == ["infrastructure"]


def test_a_damaged_picture_is_no_fault_of_the_model(tmp_path: Path) -> None:
    (path,) = write_hub(tmp_path / "hub", entries(1, ("rt1_high_inverse",)))
    data = bytearray(path.read_bytes())
    data[data.index(b"IDAT") + 8] ^= 0xFF
    path.write_bytes(bytes(data))
    chosen = settings(tmp_path / "hub", source="rt1", direction="inverse")
    (episode,) = BENCHMARK.episodes(chosen)
    question, _ = BENCHMARK.open(episode, chosen, Supplies(PictureStore()))
    with pytest.raises(WorldUnavailable, match=r"row 1"):
        [picture.png() for picture in question.pictures]


class Seen(Scripted):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        super().__init__(lambda request: "A")
        self.requests: list[Request] = []

    async def ask(self, request: Request) -> Any:
        self.requests.append(request)
        return await super().ask(request)


def test_controls_withhold_texts_and_exchange_frames() -> None:
    model = Seen()
    parts = ("before", "<1>", "after", "<2>", "A. open it\nB. open it now")
    request = Request((Message("user", ("first:",)), Message("user", parts)), Kind.CHOICE)
    asyncio.run(Withheld(model, "x", ["open it", "open it now"]).ask(request))
    assert model.requests[0].text.endswith("A. (withheld)\nB. (withheld)")


def test_frames_are_exchanged(hub: Path) -> None:
    chosen = settings(hub, source="rt1", direction="inverse")
    question, _ = BENCHMARK.open(BENCHMARK.episodes(chosen)[0], chosen, Supplies(PictureStore()))
    model = Seen()
    request = Request((Message("user", ("a", question.pictures[0], "b", question.pictures[1])),), Kind.CHOICE)
    asyncio.run(Swapped(model, "x").ask(request))
    assert [picture.key for picture in model.requests[0].pictures] == [one.key for one in question.pictures[::-1]]


@pytest.mark.parametrize("control", ["blind", "no-text", "other-answers", "oracle"])
def test_controls_can_be_run(hub: Path, tmp_path: Path, control: str) -> None:
    code, played = run(hub, tmp_path / "run", "--model", "sim:gpt-4.1", "--source", "rt1", "--control", control)
    assert code == 0
    assert all(result.control == control for result in played.results())
