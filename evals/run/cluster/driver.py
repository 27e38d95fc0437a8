"""The driver: lists the episodes, gives them to players, and writes what comes back. It alone writes the run directory.

A player whose machine or process is gone is given up: its episodes go back to the line, and whatever it may still send
is ignored. Its questions were asked through the gateway, so playing an episode again asks nothing twice.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from evals.run.cluster.connecting import Cluster
from evals.run.cluster.parcels import Parcel, Writer
from evals.run.episodes import Episode
from evals.run.prepare import Prepared
from evals.run.results import EpisodeResult, unplayed
from evals.run.syncing import Syncing
from models.gateway.wire import read_error

LOOK_SECONDS = 1.0
"""How often the driver looks for new machines, and what the gateway has spent."""
MOST_LOSSES = 5
"""How many players an episode may lose before it counts as unplayable."""

MOST_UNFIT = 3
"""How many players in a row may die before they can play."""


@dataclass
class Seat:
    """A player on a machine, and the episodes that it is playing."""

    player: Any
    node: str
    ready: bool = False
    playing: dict[str, asyncio.Task[None]] = field(default_factory=dict)


class Driver:
    """Plays the remaining episodes of a run on a cluster."""

    def __init__(self, prepared: Prepared, cluster: Cluster, callback: Callable[[EpisodeResult], None]) -> None:
        self._prepared, self._cluster, self._callback = prepared, cluster, callback
        self._writer = Writer(prepared.run)
        self._syncing = Syncing(prepared.run.sync)
        self._seats: list[Seat] = []
        self._waiting: deque[Episode] = deque()
        self._losses: Counter[str] = Counter()
        self._missing: set[str] = set()
        self._stopped: Exception | None = None
        self._changed = asyncio.Event()
        self._notices = self._unfit = 0

    async def play(self, episodes: Sequence[Episode]) -> None:
        """Play them; `RunMustStop` if no more can be asked."""
        self._waiting.extend(episodes)
        self._missing = {episode.id for episode in episodes}
        looked = 0.0
        try:
            while self._missing and self._stopped is None:
                self._changed.clear()
                if time.monotonic() - looked >= LOOK_SECONDS:
                    await self._look()
                    looked = time.monotonic()
                self._hand_out()
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), LOOK_SECONDS)
        finally:
            await self._end()
        if self._stopped is not None:
            raise self._stopped

    async def _look(self) -> None:
        """Give up players of lost machines, and start some on machines that have room."""
        nodes = await asyncio.to_thread(self._cluster.nodes)
        for seat in [seat for seat in self._seats if seat.node not in nodes]:
            self._give_up(seat)
        for node in self._cluster.places(nodes, Counter(seat.node for seat in self._seats)):
            seat = Seat(await asyncio.to_thread(self._cluster.start_player, node), node)
            self._seats.append(seat)
            asyncio.create_task(self._welcome(seat))  # noqa: RUF006 - it is in the list of seats
        await self._show_spent()

    async def _show_spent(self) -> None:
        """Show what the gateway has spent, and its notices."""
        status = await self._cluster.gateway_status()
        if status is None:
            return
        budget = self._prepared.terms.budget
        budget.cost, budget.tokens = status["cost"], status["tokens"]
        new = status["noticed"] - self._notices
        for notice in status["notices"][-new:] if new > 0 else ():
            self._prepared.terms.notify(notice)
        self._notices = status["noticed"]

    async def _welcome(self, seat: Seat) -> None:
        """Wait until a player can play. If several in a row cannot, the run is stopped."""
        try:
            await seat.player.ready.remote()
        except Exception as error:
            if seat in self._seats:
                self._give_up(seat)
                self._unfit += 1
                if self._unfit > MOST_UNFIT or not self._cluster.is_loss(error):
                    self._stopped = self._stopped or self._cluster.broken(error)
        else:
            seat.ready, self._unfit = True, 0
        self._changed.set()

    def _hand_out(self) -> None:
        """Give waiting episodes to players with room, the least busy first."""
        for episode in list(self._waiting):
            free = [seat for seat in self._seats if seat.ready and len(seat.playing) < self._room(seat, episode)]
            if free:
                self._waiting.remove(episode)
                seat = min(free, key=lambda seat: len(seat.playing))
                seat.playing[episode.id] = asyncio.create_task(self._play_on(seat, episode))
            elif not self._is_suspect(episode.id):
                return

    def _room(self, seat: Seat, episode: Episode) -> int:
        """How many episodes a player may have at a time: one, if it is known to cost players."""
        alone = self._is_suspect(episode.id) or any(map(self._is_suspect, seat.playing))
        return 1 if alone else self._prepared.setup.concurrency

    def _is_suspect(self, name: str) -> bool:
        """Whether an episode has lost several players: perhaps it was the reason."""
        return self._losses[name] > 1

    async def _play_on(self, seat: Seat, episode: Episode) -> None:
        try:
            answer: Parcel | dict[str, str] = await seat.player.play.remote(episode)
        except Exception as error:
            if seat in self._seats:
                self._note_failed(seat, episode, error)
        else:
            if seat in self._seats:  # given up otherwise: its episodes are back in the line
                seat.playing.pop(episode.id, None)
                self._note_answer(answer)
        self._changed.set()

    def _note_failed(self, seat: Seat, episode: Episode, error: Exception) -> None:
        if self._cluster.is_loss(error):
            self._give_up(seat)
            return
        seat.playing.pop(episode.id, None)
        self._finish(episode, unplayed(episode, f"{type(error).__name__}: {error}"))

    def _note_answer(self, answer: Parcel | dict[str, str]) -> None:
        if not isinstance(answer, Parcel):
            self._stopped = self._stopped or read_error(answer)
        elif answer.result.id in self._missing:
            self._keep(answer)

    def _keep(self, parcel: Parcel) -> None:
        """Write an episode that was played."""
        try:
            result = self._writer.write(parcel)
        except Exception as error:  # the disk is full, or the run is gone
            self._stopped = self._stopped or error
            return
        self._missing.discard(result.id)
        self._syncing.soon()
        self._callback(result)

    def _finish(self, episode: Episode, result: EpisodeResult) -> None:
        self._keep(Parcel(result, None, None, (), ()))

    def _give_up(self, seat: Seat) -> None:
        """Do without a player: its episodes go back to the line."""
        self._seats.remove(seat)
        self._cluster.end_player(seat.player)
        waiting = {episode.id for episode in self._waiting}
        for episode in self._prepared.episodes:
            if episode.id not in seat.playing or episode.id not in self._missing - waiting:
                continue
            self._losses[episode.id] += 1
            if self._losses[episode.id] > MOST_LOSSES:
                self._finish(episode, unplayed(episode, f"{MOST_LOSSES + 1} players died while they played it"))
            else:
                self._waiting.append(episode)

    async def _end(self) -> None:
        for seat in self._seats:
            for task in seat.playing.values():
                task.cancel()
            self._cluster.end_player(seat.player)
        await asyncio.gather(*(task for seat in self._seats for task in seat.playing.values()), return_exceptions=True)
        self._seats.clear()
        await self._show_spent()
        self._writer.close()
        await self._syncing.finish()
