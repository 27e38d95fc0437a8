"""Observers of a run while it is played, besides the run directory."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.trace import Record, Recorder
from models.base import Model
from tools.events import Event

_log = logging.getLogger(__name__)

OnRecord: TypeAlias = Callable[[Record], None]


class Watch(Protocol):
    """An observer of episodes as they are played."""

    def begin(self, run: RunDirectory, episode: Episode, model: Model) -> tuple[Model, OnRecord]:
        """The model as the episode is to ask it, and a callback for every record."""
        ...


def watched(
    watches: Sequence[Watch], run: RunDirectory, episode: Episode, model: Model, recorder: Recorder
) -> tuple[Model, Callable[[Event], None]]:
    """The model and the recorder of an episode, with the callbacks of all watches in between."""
    hearing: list[OnRecord] = []
    for watch in watches:
        try:
            model, hear = watch.begin(run, episode, model)
        except Exception:
            _log.exception("%s: telemetry did not begin and is given up for this episode", episode.id)
        else:
            hearing.append(hear)

    def record(event: Event) -> None:
        recorder(event)
        for hear in list(hearing):
            try:
                hear(recorder.records[-1])
            except Exception:
                # Whoever looks on must not change what comes of a run.
                hearing.remove(hear)
                _log.exception("%s: telemetry failed and is given up for this episode", episode.id)

    return model, record if hearing else recorder
