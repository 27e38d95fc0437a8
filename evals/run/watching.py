"""Observers of a run, such as telemetry."""

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
        """The model to use in the episode, and a callback for every record."""
        ...


def watched(
    watches: Sequence[Watch], run: RunDirectory, episode: Episode, model: Model, recorder: Recorder
) -> tuple[Model, Callable[[Event], None]]:
    """The model and the recorder of an episode, with the callbacks of all watches."""
    callbacks: list[OnRecord] = []
    for watch in watches:
        try:
            model, callback = watch.begin(run, episode, model)
        except Exception:
            _log.exception("%s: telemetry could not start and is off for this episode", episode.id)
        else:
            callbacks.append(callback)

    def record(event: Event) -> None:
        recorder(event)
        for callback in list(callbacks):
            try:
                callback(recorder.records[-1])
            except Exception:
                # An observer must not affect the run.
                callbacks.remove(callback)
                _log.exception("%s: telemetry failed and is off for this episode", episode.id)

    return model, record if callbacks else recorder
