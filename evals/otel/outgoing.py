"""Spans on their way out: OTLP over HTTP."""

from __future__ import annotations

import hashlib
import os
import random

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import ReadableSpan, Span, SpanProcessor, TracerProvider
from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult
from opentelemetry.sdk.trace.id_generator import IdGenerator

from evals.otel.sending import NotSent

AT_ONCE = 512


def exporter(address: str) -> SpanExporter:
    """Sends spans there; headers and the like come from the environment, as OpenTelemetry has it."""
    return OTLPSpanExporter(endpoint=address)


def provider(ids: IdGenerator | None = None) -> TracerProvider:
    """The tracer provider, with the attributes that all spans share."""
    service = os.environ.get("OTEL_SERVICE_NAME", "plumbline")
    resource = Resource.create({"openinference.project.name": service, "service.name": service})
    return TracerProvider(resource=resource, id_generator=ids)


class SameIds(IdGenerator):
    """Ids that depend on a name only: what is sent twice is the same, and those who keep it can tell."""

    def __init__(self, name: str) -> None:
        self._dice = random.Random(hashlib.sha256(name.encode()).digest())

    def generate_span_id(self) -> int:
        """The next id of a span."""
        return self._dice.getrandbits(63) + 1

    def generate_trace_id(self) -> int:
        """The next id of a trace."""
        return self._dice.getrandbits(127) + 1


class Sender(SpanProcessor):
    """Sends spans in bundles as they end, counts them, and says if that did not work."""

    def __init__(self, exporter: SpanExporter, address: str) -> None:
        self.sent = 0
        self._exporter, self._address = exporter, address
        self._waiting: list[ReadableSpan] = []

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Nothing: a span is sent when it is over."""

    def on_end(self, span: ReadableSpan) -> None:
        """Take a span that is over."""
        self._waiting.append(span)
        if len(self._waiting) >= AT_ONCE:
            self.force_flush()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send what is waiting; `NotSent` if it does not arrive."""
        bundle, self._waiting = self._waiting, []
        if bundle and self._exporter.export(bundle) is not SpanExportResult.SUCCESS:
            raise NotSent(f"{self._address} does not take spans; is somebody listening there?")
        self.sent += len(bundle)
        return True

    def shutdown(self) -> None:
        """Let go of the connection."""
        self._exporter.shutdown()
