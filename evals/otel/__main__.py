"""Send a finished run to a trace collector, as OpenTelemetry spans with the OpenInference conventions.

    python -m evals.otel RUN

Phoenix, Langfuse and others display them. The spans are made from the run's traces.
"""

from __future__ import annotations

import argparse
import logging
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.run.pipes import quietly

DESCRIPTION = """\
Send finished runs to a trace collector over OTLP/HTTP: one span for a run, in it one for each episode (AGENT), in
those the nodes of the agent's graph (CHAIN), the questions (LLM), plans and actions (TOOL). Pictures go as hashes.
"""
EPILOG = """\
examples:
  OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:6006 python -m evals.otel runs/DIR
  python -m evals.otel runs/DIR --endpoint http://127.0.0.1:4318

Headers, such as keys, come from OTEL_EXPORTER_OTLP_HEADERS. To send a run while it is played, use --otel.

exit code: 0 all sent, 1 the collector did not accept it, 2 invalid input
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.otel",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="the directory of a run")
    parser.add_argument("--endpoint", metavar="URL", help="where to (default: OTEL_EXPORTER_OTLP_ENDPOINT)")
    arguments = parser.parse_args(argv)
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return _send(arguments.runs, arguments.endpoint)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _send(paths: Sequence[Path], own: str | None) -> int:
    from evals.otel.sending import NotSent, endpoint
    from evals.run.directory import RunDirectory

    runs = [RunDirectory.open(path) for path in paths]
    address = endpoint(own)
    # The exporter logs every failed attempt; one summary is printed below.
    logging.getLogger("opentelemetry").setLevel(logging.CRITICAL)
    from evals.otel.finished import send_run
    from evals.otel.outgoing import exporter

    for run in runs:
        try:
            count = send_run(run, exporter(address), address)
        except NotSent as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        print(f"{run.path}: {count:,} spans of {len(run.results())} episodes sent to {address}")
    return 0


if __name__ == "__main__":
    sys.exit(quietly(main))
