"""A player: an actor that plays episodes, several at a time. It holds no key and never writes the run directory."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

from evals.run.cluster.doors import ActorDoor
from evals.run.cluster.orders import Order
from evals.run.cluster.parcels import Parcel, play_aside
from evals.run.episodes import Episode
from evals.run.equipment import Equipment
from evals.run.runner import Setup
from models.base import RunMustStop
from models.gateway.wire import error_as_json


class Player:
    """Plays episodes of one run. Ray makes an actor of it."""

    def __init__(self, order: Order) -> None:
        if Path(order.folder).is_dir():
            os.chdir(order.folder)  # relative paths of the settings start there
        self._order = order
        self._folder = Path(tempfile.mkdtemp(prefix="plumbline-player-"))
        self._drawn: dict[str, bytes] = {}
        self._setup: Setup | None = None
        self._requests = asyncio.Semaphore(int(order.running["requests"]))
        self._count = 0

    async def ready(self) -> dict[str, Any]:
        """Load what the run needs; who this is."""
        if self._setup is None:
            self._setup = await asyncio.to_thread(self._order.setup, ActorDoor(self._order.gateway), Equipment())
        return {"pid": os.getpid()}

    async def play(self, episode: Episode) -> Parcel | dict[str, str]:
        """Play an episode; an error in JSON if the run must stop."""
        await self.ready()
        assert self._setup is not None
        self._count += 1
        folder = self._folder / str(self._count)
        folder.mkdir()
        try:
            return await play_aside(self._setup, episode, folder, self._drawn, self._requests)
        except RunMustStop as error:
            return error_as_json(error)
        finally:
            shutil.rmtree(folder, ignore_errors=True)
