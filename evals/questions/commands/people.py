"""Show questions to people, who answer, review or score them on a page in the browser."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from evals.questions.people.desk import Desk
    from evals.questions.people.entries import Book
    from evals.questions.people.server import PeopleServer

PORT = 8650
EPILOG = """\
examples:
  python -m evals.questions people shapes --annotator anna
  python -m evals.questions people shapes --sample 60 --seed 1 --only asks=count
  python -m evals.questions people runs/shapes --mode review

The page is on this machine only. Whatever is kept is on disk before the next question is shown, in a file that is
only appended to: the same command resumes where it was stopped.

exit code: 0 ended by Ctrl-C, 2 the input cannot be used
"""


def add(subparsers: Any) -> None:
    """Add the parser of this command."""
    people = subparsers.add_parser(
        "people",
        help="a page on which people answer, review or score questions",
        description="Show questions to people, on a page in the browser.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    people.add_argument("set", metavar="SET|RUN", help="a question set by name, FILE.py:NAME, or a run of one")
    people.add_argument("--annotator", default="", metavar="NAME", help="who answers (default: the page asks)")
    people.add_argument(
        "--mode",
        choices=("answer", "review", "score"),
        default="answer",
        help="answer questions; accept, fix or drop them; or score them from 0 to 10",
    )
    people.add_argument("--sample", type=int, metavar="N", help="only N questions, drawn at random")
    people.add_argument("--seed", type=int, default=0, metavar="N", help="of the sample (default: 0)")
    people.add_argument(
        "--only", action="append", default=[], metavar="TAG=VALUE", help="only such questions; may be repeated"
    )
    people.add_argument(
        "--setting", action="append", default=[], metavar="KEY=VALUE", help="a setting of the set; may be repeated"
    )
    people.add_argument("--file", type=Path, help="what is kept goes there (default: people/SET.jsonl)")
    people.add_argument("--port", type=int, metavar="N", help=f"where to listen; 0 is any (default: {PORT})")
    people.add_argument("--open", action="store_true", help="open the page in the browser")
    people.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Serve the page until it is stopped; the exit code."""
    from evals.questions.people.chosen import as_value_error

    with as_value_error():
        server = _server(arguments)
    desk = server.desk
    print(f"{desk.count:,} questions of {desk.chosen.benchmark.name} at {server.url} (Ctrl-C ends it)", flush=True)
    print(f"kept in {desk.book.path}", flush=True)
    if arguments.open:
        import webbrowser

        webbrowser.open(server.url)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()
    finally:
        server.server_close()
    _conclude(desk)
    return 0


def _server(arguments: argparse.Namespace) -> PeopleServer:
    from evals.questions.people.server import PeopleServer

    desk = _desk(arguments)
    port = PORT if arguments.port is None else arguments.port
    try:
        return PeopleServer(desk, port)
    except (OSError, OverflowError) as error:
        if arguments.port is None:
            return PeopleServer(desk)
        reason = error.strerror if isinstance(error, OSError) else "ports go from 0 to 65535"
        raise ValueError(f"--port {port} cannot be had: {reason}. Choose another, or 0 for any that is free.") from None


def _desk(arguments: argparse.Namespace) -> Desk:
    from evals.questions.people.chosen import choose
    from evals.questions.people.desk import Desk, Mode
    from evals.questions.people.entries import Book, who_of

    if arguments.sample is not None and arguments.sample < 1:
        raise ValueError(f"--sample must be at least 1, not {arguments.sample}")
    given = dict(_pair(one) for one in arguments.setting)
    chosen = choose(arguments.set, given, only=arguments.only, sample=arguments.sample, seed=arguments.seed)
    if not chosen.episodes:
        raise ValueError(f"{arguments.set} has no questions")
    mode = Mode(arguments.mode)
    ending = "" if mode is Mode.ANSWER else f"-{mode}"
    book = Book(arguments.file or Path("people") / f"{chosen.benchmark.name}{ending}.jsonl")
    annotator = who_of({"who": arguments.annotator}) if arguments.annotator else ""
    asked = [episode.id for episode in chosen.episodes]
    _begin(book, {**chosen.whence, "mode": str(mode), "who": annotator, "asked": asked})
    return Desk(chosen, book, mode, annotator)


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise ValueError(f"--setting is KEY=VALUE, not {text!r}")
    return name.replace("-", "_"), value


def _begin(book: Book, session: dict[str, Any]) -> None:
    """Begin a session in the file; `ValueError` if the file is about other questions."""
    from datetime import UTC, datetime

    last = book.sessions[-1] if book.sessions else None
    for name in ("set", "settings", "fingerprints", "mode"):
        if last is not None and last.get(name) != session[name]:
            raise ValueError(
                f"{book.path} is about other questions: its {name} is {last.get(name)!r}, not {session[name]!r}. "
                "Choose another --file"
            )
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        book.add({"type": "session", "at": moment, **session})
    except OSError as error:
        raise ValueError(f"cannot write to {book.path}: {error.strerror or error}") from None


def _conclude(desk: Desk) -> None:
    from evals.questions.people.desk import Mode

    people = sorted({who for who, _ in desk.book.current()})
    for who in people:
        done = sum(question in desk.chosen.numbers for _, question in desk.book.current(who))
        print(f"{who}: {done:,} of {desk.count:,}")
    if not people:
        return
    source = desk.chosen.whence.get("source")
    again = f" --set {source}" if source else ""
    if desk.mode is Mode.ANSWER:
        print(f"runs of it: python -m evals.questions convert {desk.book.path}{again}")
    print(f"figures:    python -m evals.questions agreement {desk.book.path}{again}")
