"""Exporters that follow a run while it is played: OpenTelemetry with `--otel`, LangSmith by environment variables."""

from __future__ import annotations

import os
from contextlib import ExitStack

from evals.run.watching import Watch


def watches(closing: ExitStack, *, otel: bool = False) -> tuple[Watch, ...]:
    """The watches that are enabled."""
    found: list[Watch] = []
    if otel:
        from evals.otel.sending import endpoint

        address = endpoint()
        from evals.otel.live import LiveSpans

        live = LiveSpans.open(address)
        closing.callback(live.close)
        found.append(live)
    if any(os.environ.get(name, "").lower() == "true" for name in ("LANGSMITH_TRACING", "LANGCHAIN_TRACING_V2")):
        from evals.otel.langsmith import LangSmith

        langsmith = LangSmith()
        closing.callback(langsmith.close)
        found.append(langsmith)
    return tuple(found)
