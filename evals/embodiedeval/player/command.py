"""`python -m evals.embodiedeval play`: a person plays in the browser, as a run like any other."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from threading import Thread

from evals.command import EXIT_CODES, run_command
from evals.run.options import add_options
from evals.run.settings import Running

PORT = 8651
LAST_LOOK = 1.0
"""Seconds for which the page can still be reached after the last task."""
DESCRIPTION = """\
Play EmbodiedEval yourself, on a page in the browser: W, A, D, R and F move and look, numbers choose everything else.
What you choose is a run like any other: it is resumed with --resume, viewed and compared.
"""


def play(words: Sequence[str]) -> int:
    """Show the page and play until all tasks are done or Ctrl-C."""
    from evals.embodiedeval.benchmark import BENCHMARK
    from evals.embodiedeval.player.server import PlayerServer
    from evals.embodiedeval.settings import EmbodiedEvalSettings
    from models.person import DESK

    parser = argparse.ArgumentParser(
        prog="python -m evals.embodiedeval play",
        description=DESCRIPTION,
        epilog=EXIT_CODES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    page = parser.add_argument_group("the page")
    page.add_argument("--who", default="me", metavar="NAME", help="whose answers these are (default: me)")
    page.add_argument(
        "--port", type=int, default=PORT, metavar="N", help=f"where to listen; 0 is any (default: {PORT})"
    )
    page.add_argument("--open", action="store_true", help="open the page in the browser")
    add_options(parser, EmbodiedEvalSettings, Running)
    arguments = vars(parser.parse_args(words))
    who, port, show = arguments.pop("who"), arguments.pop("port"), arguments.pop("open")
    if arguments.get("resume") is None:
        arguments |= {"agent": "choose_direct", "model": f"person:{who}"}
    arguments["concurrency"] = 1
    try:
        server = PlayerServer(DESK, who, port)
    except OSError as error:
        raise ValueError(f"--port {port}: {error.strerror or error}") from None
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True)
    thread.start()
    DESK.open = True
    print(f"play at {server.url} (Ctrl-C stops; the run says how to resume)", file=sys.stderr, flush=True)
    if show:
        import webbrowser

        webbrowser.open(server.url)
    try:
        return run_command(arguments, lambda: BENCHMARK)
    finally:
        DESK.open, server.over = False, True
        time.sleep(LAST_LOOK)  # the page asks three times a second, and is to say that all is played
        server.shutdown()
        server.server_close()
