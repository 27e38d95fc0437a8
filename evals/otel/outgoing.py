"""Send spans by OTLP over HTTP."""

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
    """The exporter to an address; headers come from OpenTelemetry's environment variables."""
    return OTLPSpanExporter(endpoint=address)


def provider(ids: IdGenerator | None = None) -> TracerProvider:
    """The tracer provider, with the attributes that all spans share."""
    service = os.environ.get("OTEL_SERVICE_NAME", "plumbline")
    resource = Resource.create({"openinference.project.name": service, "service.name": service})
    return TracerProvider(resource=resource, id_generator=ids)


class SameIds(IdGenerator):
    """Ids that depend on a name only, so that collectors recognise duplicates."""

    def __init__(self, name: str) -> None:
        self._dice = random.Random(hashlib.sha256(name.encode()).digest())

    def generate_span_id(self) -> int:
        """The next id of a span."""
        return self._dice.getrandbits(63) + 1

    def generate_trace_id(self) -> int:
        """The next id of a trace."""
        return self._dice.getrandbits(127) + 1


class Sender(SpanProcessor):
    """Sends spans in batches as they end, counts them, and reports failures."""

    def __init__(self, exporter: SpanExporter, address: str) -> None:
        self.sent = 0
        self._exporter, self._address = exporter, address
        self._waiting: list[ReadableSpan] = []

    def on_start(self, span: Span, parent_context: Context | None = None) -> None:
        """Do nothing: a span is sent when it ends."""

    def on_end(self, span: ReadableSpan) -> None:
        """Queue a span that has ended."""
        self._waiting.append(span)
        if len(self._waiting) >= AT_ONCE:
            self.force_flush()

    def force_flush(self, timeout_millis: int = 30_000) -> bool:
        """Send the queued spans; `NotSent` if they do not arrive."""
        bundle, self._waiting = self._waiting, []
        if bundle and self._exporter.export(bundle) is not SpanExportResult.SUCCESS:
            raise NotSent(f"{self._address} does not accept spans; is a collector listening there?")
        self.sent += len(bundle)
        return True

    def shutdown(self) -> None:
        """Close the connection."""
        self._exporter.shutdown()
