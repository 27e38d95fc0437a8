"""Spans of a finished run, from its traces.

Traces have durations but no times: times are computed from the start of the run, with episodes in sequence, and
questions of one round in parallel.
"""

from __future__ import annotations

from datetime import datetime

from opentelemetry.sdk.trace.export import SpanExporter

from evals.otel.clocks import NANOSECONDS, DurationClock
from evals.otel.outgoing import SameIds, Sender, provider
from evals.otel.runs import model_of, of_episode, of_run
from evals.otel.spans import EpisodeSpans
from evals.run.directory import RunDirectory


def send_run(run: RunDirectory, exporter: SpanExporter, address: str = "") -> int:
    """Send the spans of all finished episodes; their number. `NotSent` if they do not arrive."""
    name, config = run.path.resolve().name, run.config
    sender = Sender(exporter, address)
    # Deterministic ids, so that a run sent twice is not duplicated.
    traces = provider(SameIds(f"{name} {config.get('started')}"))
    traces.add_span_processor(sender)
    clock = DurationClock(_started(config.get("started")))
    facts = {**of_run(name, config), "plumbline.times": "reckoned from durations"}
    tracer = traces.get_tracer("plumbline")
    root = tracer.start_span(f"run {name}", attributes=facts, start_time=clock.now())
    for result in run.results():
        about = of_episode(name, config, result)
        if result.failure:
            about["plumbline.failure"] = str(result.failure)
        spans = EpisodeSpans(tracer, root, clock, model_of(config), about, success=result.success)
        for record in run.records_of(result):
            spans.add_event(record)
        spans.break_off()
    root.end(clock.now())
    traces.force_flush()
    traces.shutdown()
    return sender.sent


def _started(moment: object) -> int:
    """The start of the run; the epoch if it is unknown."""
    try:
        return int(datetime.fromisoformat(str(moment)).timestamp() * NANOSECONDS)
    except ValueError:
        return 0
