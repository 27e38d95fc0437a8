"""Who is told of a run while it is played, besides the run directory."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, Protocol, TypeAlias

from evals.episodes import Episode
from evals.run_directory import RunDirectory
from evals.trace import Record, Recorder
from models.base import Model
from tools.events import Event

_log = logging.getLogger(__name__)

Hear: TypeAlias = Callable[[Record], None]


class Watch(Protocol):
    """Somebody who is told of episodes as they are played."""

    def begin(self, run: RunDirectory, episode: Episode, model: Model) -> tuple[Model, Hear]:
        """The model as the episode is to ask it, and who is to hear what happens."""
        ...


def watched(
    watches: Sequence[Watch], run: RunDirectory, episode: Episode, model: Model, recorder: Recorder
) -> tuple[Model, Callable[[Event], None]]:
    """The model and the record of an episode, with all who are to be told told."""
    hearing: list[Hear] = []
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


def watches(arguments: Mapping[str, Any], closing: ExitStack) -> tuple[Watch, ...]:
    """Those who are to be told: by `--otel`, and by the environment variables of LangSmith."""
    found: list[Watch] = []
    if arguments.get("otel"):
        from evals.telemetry.sending import endpoint

        address = endpoint()
        from evals.telemetry.live import LiveSpans

        live = LiveSpans.open(address)
        closing.callback(live.close)
        found.append(live)
    if any(os.environ.get(name, "").lower() == "true" for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")):
        from evals.telemetry.langsmith import LangSmith

        langsmith = LangSmith()
        closing.callback(langsmith.close)
        found.append(langsmith)
    return tuple(found)
