"""The endpoint of spans, and the check for OpenTelemetry."""

from __future__ import annotations

import os
from importlib.util import find_spec

VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
PACKAGES = ("opentelemetry.sdk.trace", "opentelemetry.exporter.otlp.proto.http", "openinference.semconv")


class NotSent(Exception):
    """Spans did not arrive; the message names the endpoint."""


def endpoint(own: str | None = None) -> str:
    """The endpoint: the given address, or that of the environment; `ValueError` if there is none."""
    if not _installed():
        raise ValueError("spans need OpenTelemetry: pip install -e '.[otel]'")
    traces, base = (os.environ.get(name) for name in VARIABLES)
    if traces and not own:
        return traces
    if not own and not base:
        raise ValueError(
            "no endpoint for spans: set OTEL_EXPORTER_OTLP_ENDPOINT, such as http://127.0.0.1:6006 for Phoenix"
        )
    address = str(own or base).rstrip("/")
    return address if address.endswith("/v1/traces") else f"{address}/v1/traces"


def _installed() -> bool:
    try:
        return all(find_spec(name) for name in PACKAGES)
    except ModuleNotFoundError:  # a package above it is missing
        return False
