"""Spans of a run while it is played. They leave in the background; if nobody takes them, the run goes on."""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter

from evals.episodes import Episode
from evals.run_directory import RunDirectory
from evals.telemetry.clocks import Now
from evals.telemetry.outgoing import exporter, provider
from evals.telemetry.runs import model_of, of_episode, of_run
from evals.telemetry.spans import EpisodeSpans
from evals.telemetry.watching import Hear
from evals.trace import Record
from models.base import Kind, Model, Reply, Request
from models.turns import Turn
from models.wrapped import Wrapped
from tools.events import Asked, Decided, Proposed

if TYPE_CHECKING:
    from opentelemetry.trace import Span

Key = tuple[str, str]


class LiveSpans:
    """Tells of a run as it is played: one span for it, in it one for each episode."""

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

    def begin(self, run: RunDirectory, episode: Episode, model: Model) -> tuple[Model, Hear]:
        """The model, listened to, and who hears what happens."""
        name = run.path.resolve().name
        if name not in self._runs:
            self._runs[name] = self._tracer.start_span(f"run {name}", attributes=of_run(name, run.config))
        facts = of_episode(name, run.config, episode.id, episode.problem, episode.split, episode.seed)
        spans = EpisodeSpans(self._tracer, self._runs[name], Now(), model_of(run.config), facts)
        self._open.append(spans)
        listening = Listening(model)

        def hear(record: Record) -> None:
            event = record.event
            request = listening.heard(event) if isinstance(event, Asked | Proposed | Decided) else None
            spans.hear(record, request.messages if request else None, drawn=model.looks)

        return listening, hear

    def close(self) -> None:
        """End what is open, and wait until all is sent."""
        for spans in self._open:
            spans.give_up()
        for run in self._runs.values():
            run.end()
        self._provider.shutdown()


class Listening(Wrapped):
    """A model that remembers what it was asked until somebody wants to know."""

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._requests: defaultdict[Key, deque[Request]] = defaultdict(deque)

    async def ask(self, request: Request) -> Reply:
        """The model's reply."""
        self._requests[_key_of_request(request)].append(request)
        return await super().ask(request)

    def heard(self, event: Asked | Proposed | Decided) -> Request | None:
        """The request that this came of."""
        key = (str(event.phase), event.atom) if isinstance(event, Asked) else (event.type, "")
        waiting = self._requests[key]
        return waiting.popleft() if waiting else None


def _key_of_request(request: Request) -> Key:
    if request.kind is Kind.YES_NO:
        return request.place.partition(" ")[0], str(request.about)
    return "decided" if isinstance(request, Turn) else "proposed", ""
