"""Spans of a run while it is played, sent in the background; failures do not affect the run."""

from __future__ import annotations

from contextvars import ContextVar
from typing import TYPE_CHECKING

from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from evals.otel.clocks import WallClock
from evals.otel.outgoing import exporter, provider
from evals.otel.runs import model_of, of_episode, of_run
from evals.otel.spans import EpisodeSpans
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.trace import Record
from evals.run.watching import OnRecord
from models.base import Model, Reply, Request
from models.wrapped import Wrapped
from tools.events import Asked

if TYPE_CHECKING:
    from opentelemetry.trace import Span

_asked: ContextVar[Request | None] = ContextVar("asked", default=None)


class LiveSpans:
    """Makes the spans of a running run: one for the run, with one for each episode."""

    def __init__(self, exporter: SpanExporter) -> None:
        self._provider = provider()
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("plumbline")
        self._runs: dict[str, Span] = {}
        self._open: list[EpisodeSpans] = []

    @classmethod
    def open(cls, address: str) -> LiveSpans:
        """Spans that go to an address."""
        return cls(exporter(address))

    def begin(self, run: RunDirectory, episode: Episode, model: Model) -> tuple[Model, OnRecord]:
        """The model, with its requests recorded, and a callback that makes spans of records."""
        name = run.path.resolve().name
        if name not in self._runs:
            self._runs[name] = self._tracer.start_span(f"run {name}", attributes=of_run(name, run.config))
        facts = of_episode(name, run.config, episode)
        spans = EpisodeSpans(self._tracer, self._runs[name], WallClock(), model_of(run.config), facts)
        self._open.append(spans)

        def add_event(record: Record) -> None:
            request = _request_of(record.event) if isinstance(record.event, Asked) else None
            spans.add_event(record, request.messages if request else None, drawn=model.looks)

        return RecordingModel(model), add_event

    def close(self) -> None:
        """End open spans, and wait until everything is sent."""
        for spans in self._open:
            spans.break_off()
        for run in self._runs.values():
            run.end()
        self._provider.shutdown()


class RecordingModel(Wrapped):
    """A model that records each request in the asking task: the event of its reply is emitted in the same task."""

    async def ask(self, request: Request) -> Reply:
        """The model's reply."""
        _asked.set(request)
        return await super().ask(request)


def _request_of(event: Asked) -> Request | None:
    """The request of a reply; None if it bypassed this model."""
    request = _asked.get()
    fits = request is not None and request.kind is event.kind and (request.about or "") == event.about
    return request if fits else None
