"""The driver of a cluster, with players that die, fail or do not start: no Ray, only what it does about them."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from evals.run.cluster.driver import MOST_LOSSES, MOST_UNFIT, Driver
from evals.run.cluster.parcels import Parcel
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.options import options_of
from evals.run.prepare import prepare
from evals.run.results import EpisodeResult, unplayed
from evals.run.settings import Running
from models.base import CapReached, RunMustStop
from models.gateway.wire import error_as_json
from tests.small_sets import Fruit


class Died(Exception):
    """A player is gone."""


Play = Callable[[int, Episode], Awaitable[Any]]


@dataclass
class Machines:
    """A cluster of machines in name, whose players do what a function says, by their number."""

    playing: Play
    count: int = 2
    fit: bool = True
    started: int = 0
    ended: list[int] = field(default_factory=list)

    def nodes(self) -> dict[str, int]:
        return {f"machine {number}": 1 for number in range(self.count)}

    def places(self, nodes: Mapping[str, int], seated: Mapping[str, int]) -> list[str]:
        return [node for node in nodes if not seated.get(node)]

    def start_player(self, node: str) -> Any:
        self.started += 1
        number = self.started

        async def ready() -> None:
            if not self.fit:
                raise Died

        def method(function: Callable[..., Awaitable[Any]]) -> Any:
            return SimpleNamespace(remote=function)

        return SimpleNamespace(number=number, ready=method(ready), play=method(lambda one: self.playing(number, one)))

    def end_player(self, player: Any) -> None:
        self.ended.append(player.number)

    async def gateway_status(self) -> dict[str, Any]:
        return {"cost": 1.25, "tokens": 10, "notices": ["slow"], "noticed": 1}

    def is_loss(self, error: Exception) -> bool:
        return isinstance(error, Died)

    def broken(self, error: Exception) -> Exception:
        return RunMustStop("players do not start")


def played(episode: Episode) -> Parcel:
    return Parcel(unplayed(episode, "").model_copy(update={"failure": None, "value": 1.0}), None, None, (), ())


def drive(tmp_path: Path, machines: Machines, limit: int = 4) -> list[EpisodeResult]:
    """The results of a run, after a moment for what may come late."""
    options = options_of({"out": tmp_path / "run", "limit": limit, "model": "blind"}, Fruit.settings, Running)
    prepared = prepare(Fruit(), options)
    called: list[str] = []

    async def play() -> None:
        driver = Driver(prepared, machines, lambda result: called.append(result.id))  # type: ignore[arg-type]
        await driver.play(list(prepared.episodes))

    with prepared.closing:
        asyncio.run(play())
        assert prepared.terms.budget.cost == 1.25
        results = RunDirectory.open(tmp_path / "run").results()
        assert sorted(called) == sorted(result.id for result in results)
        lines = (tmp_path / "run" / "results.jsonl").read_text().splitlines()
        assert len(lines) == len(results)
        return results


def test_the_episodes_of_a_player_that_died_are_played_by_others(tmp_path: Path) -> None:
    times: Counter[str] = Counter()

    async def playing(number: int, episode: Episode) -> Any:
        times[episode.id] += 1
        await asyncio.sleep(0.01)
        if number == 1:
            raise Died
        return played(episode)

    machines = Machines(playing)
    assert all(result.settled for result in drive(tmp_path, machines))
    assert set(times.values()) == {1, 2}
    assert 1 in machines.ended


def test_an_episode_that_kills_its_players_is_given_up(tmp_path: Path) -> None:
    tries: Counter[str] = Counter()

    async def playing(number: int, episode: Episode) -> Any:
        tries[episode.id] += 1
        if episode.id == "kind_0":
            raise Died
        await asyncio.sleep(0)
        return played(episode)

    (lost,) = (result for result in drive(tmp_path, Machines(playing, count=1)) if not result.settled)
    assert lost.id == "kind_0"
    assert lost.detail == f"{MOST_LOSSES + 1} players died while they played it"
    assert tries["kind_0"] == MOST_LOSSES + 1


def test_an_error_of_a_player_costs_its_episode_only(tmp_path: Path) -> None:
    async def playing(number: int, episode: Episode) -> Any:
        if episode.id == "kind_0":
            raise KeyError("a bug")
        return played(episode)

    machines = Machines(playing)
    (lost,) = (result for result in drive(tmp_path, machines) if not result.settled)
    assert (lost.id, lost.detail) == ("kind_0", "KeyError: 'a bug'")
    assert machines.started == 2


def test_what_stops_a_run_stops_all_players(tmp_path: Path) -> None:
    async def playing(number: int, episode: Episode) -> Any:
        if episode.id == "kind_0":
            return error_as_json(CapReached("the cap"))
        await asyncio.sleep(60)
        return None

    machines = Machines(playing)
    with pytest.raises(CapReached, match="the cap"):
        drive(tmp_path, machines)
    assert sorted(machines.ended) == [1, 2]


def test_players_that_never_start_stop_the_run(tmp_path: Path) -> None:
    async def playing(number: int, episode: Episode) -> Any:
        raise AssertionError

    machines = Machines(playing, fit=False)
    with pytest.raises(RunMustStop, match="players do not start"):
        drive(tmp_path, machines)
    assert MOST_UNFIT < machines.started <= MOST_UNFIT + 2
