"""View runs in a browser: why episodes failed, step by step, with belief and truth side by side.

    python -m evals.view

Serves the runs below `runs/`, or the given ones, on this machine only. New runs appear when the list is reloaded, and
pages of a live run update automatically. Only labels can be changed; `--export DIR` writes the same pages as static
files.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.view.listing import Listing
    from evals.view.server import Server
    from evals.view.shown import Shown

PORT = 8642
DESCRIPTION = """\
Look at runs in a browser: scores and plots, episodes by outcome and failure class, and each episode step by step,
with what was asked, answered, believed, planned and done, and the truth beside it. Loopback only; ends with Ctrl-C.
"""
EPILOG = """\
examples:
  python -m evals.view
  python -m evals.view runs/20260101-120000-viplan-ground_mem-sim_gpt-4.1 --open
  python -m evals.view runs/one runs/two --export pages

exit code: 0 shown or exported, 2 invalid input
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    from evals.run.directory import RunError
    from evals.view.listing import Listing

    if arguments.draw and not arguments.export:
        print("error: --draw goes with --export; pages of the server have a box to tick for it", file=sys.stderr)
        return 2
    try:
        runs = Listing(arguments.runs or [Path("runs")])
        if arguments.export:
            return _export(list(runs.values()), arguments.export, draw=arguments.draw, reads=arguments.reads)
        server = _server(runs, arguments.port)
        server.site.stages.reads = arguments.reads
    except RunError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return _serve(server, open_browser=arguments.open)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.view",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", nargs="*", type=Path, metavar="RUN", help="runs, or folders of runs (default: runs)")
    parser.add_argument("--port", type=int, metavar="N", help=f"where to listen; 0 is any free port (default: {PORT})")
    parser.add_argument("--open", action="store_true", help="open the page in the browser")
    parser.add_argument("--export", type=Path, metavar="DIR", help="write static pages to this folder, and exit")
    parser.add_argument("--draw", action="store_true", help="with --export: also draw pictures that no model asked for")
    parser.add_argument(
        "--reads", action="append", default=[], metavar="PATH", help="a file or folder that runs may read; repeatable"
    )
    return parser


def _export(runs: list[Shown], folder: Path, *, draw: bool, reads: Sequence[str]) -> int:
    from evals.view.export import export

    count = export(runs, folder, draw=draw, reads=reads, tell=lambda text: print(text, file=sys.stderr))
    print(f"{count:,} files; open {folder / 'index.html'}")
    return 0


def _server(runs: Listing, port: int | None) -> Server:
    from evals.run.directory import RunError
    from evals.view.server import Server

    try:
        return Server(runs, PORT if port is None else port)
    except (OSError, OverflowError) as error:
        if port is None:
            return Server(runs)
        reason = error.strerror if isinstance(error, OSError) else "ports go from 0 to 65535"
        raise RunError(f"--port {port} cannot be used: {reason}. Choose another, or 0 for any that is free.") from None


def _serve(server: Server, *, open_browser: bool) -> int:
    shown = "1 run" if len(server.site.runs) == 1 else f"{len(server.site.runs)} runs"
    print(f"{shown} at {server.url} (Ctrl-C ends it)", flush=True)
    if open_browser:
        import webbrowser

        webbrowser.open(server.url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    return 0


if __name__ == "__main__":
    sys.exit(quietly(main))
