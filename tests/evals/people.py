"""People at work, for tests: a desk, its server, and requests such as their page sends."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from evals.questions.people.chosen import Chosen, choose
from evals.questions.people.desk import Desk, Mode
from evals.questions.people.entries import Book, as_given
from evals.questions.people.server import PeopleServer
from tests.conftest import ROOT

SET = f"{ROOT / 'tests' / 'every_form.py'}:BENCHMARK"
HANDS = {
    "nearest": ["3"],
    "red": ["a", "c"],
    "order": ["b", "a", "d", "c"],
    "match": ["c", "a", "b"],
    "true": ["1", "0", "1"],
    "count": "4",
    "door": ["n"],
    "name": "a mug",
}
"""How each question is answered right by hand: keys to press, or words to type."""


def desk_of(path: Path, mode: Mode = Mode.ANSWER, annotator: str = "anna", **options: Any) -> Desk:
    """All questions, and a file that has begun."""
    chosen = choose(SET, {}, **options)
    book = Book(path)
    asked = [episode.id for episode in chosen.episodes]
    book.add({"type": "session", "at": "now", **chosen.whence, "mode": str(mode), "who": annotator, "asked": asked})
    return Desk(chosen, book, mode, annotator)


@contextmanager
def served(desk: Desk) -> Iterator[PeopleServer]:
    """The desk's server while it answers."""
    server = PeopleServer(desk)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def right(chosen: Chosen, id: str) -> Any:
    """The right answer, as the page would send it."""
    question, judge = chosen.open(id)
    return as_given(judge.answer, question)


def ask(server: PeopleServer, address: str, **headers: str) -> tuple[int, bytes]:
    """What the server says to a request."""
    connection = HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        connection.request("GET", address, headers=headers)
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def send(server: PeopleServer, given: object, **headers: str) -> tuple[int, str]:
    """What the server says to something that is sent to it."""
    own = {
        "Content-Type": "application/json",
        "Origin": f"http://127.0.0.1:{server.port}",
        "X-Plumbline-Token": server.token,
    }
    connection = HTTPConnection("127.0.0.1", server.port, timeout=20)
    try:
        body = given if isinstance(given, bytes) else json.dumps(given).encode()
        connection.request("POST", "/answers", body, {**own, **headers})
        response = connection.getresponse()
        return response.status, response.read().decode()
    finally:
        connection.close()
