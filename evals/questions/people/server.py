"""The server of the people's page: loopback only, own pages only. Entries are on disk before it responds."""

from __future__ import annotations

from http import HTTPStatus
from urllib.parse import urlsplit

from evals.pages.serving import LoopbackHandler, LoopbackServer, Refused
from evals.questions.people.desk import Desk, as_json
from evals.questions.people.entries import BadEntry

LONGEST = 64_000
"""The largest entry, in bytes."""


class Handler(LoopbackHandler):
    """Serves questions, and accepts people's entries."""

    server: PeopleServer

    def do_GET(self) -> None:  # noqa: N802
        """Serve an address."""
        address = urlsplit(self.path)
        try:
            self.check_host()
            found = self.server.desk.get(address.path, address.query)
        except Refused as refused:
            self.send_text(refused.status, str(refused))
        except BadEntry as error:
            self.send_text(HTTPStatus.BAD_REQUEST, str(error))
        except Exception as error:  # a picture that cannot be drawn must not block the next question
            self.send_text(HTTPStatus.INTERNAL_SERVER_ERROR, f"this cannot be shown: {type(error).__name__}: {error}")
        else:
            self.send(HTTPStatus.OK, found) if found else self.send_text(HTTPStatus.NOT_FOUND, "there is nothing here")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:  # noqa: N802
        """Store an entry, then respond with its author's progress."""
        try:
            self.check_host()
            given = self.read_post("/answers", "answer", LONGEST)
            if given is None:
                raise BadEntry("an answer is a JSON object")
            state = self.server.desk.take(given)
        except Refused as refused:
            self.send_refusal(refused)
        except BadEntry as error:
            self.send_text(HTTPStatus.BAD_REQUEST, str(error))
        except OSError as error:
            self.send_text(HTTPStatus.INSUFFICIENT_STORAGE, f"the answer cannot be written: {error.strerror or error}")
        else:
            self.send(HTTPStatus.CREATED, as_json(state))


class PeopleServer(LoopbackServer):
    """Serves the questions of a desk."""

    def __init__(self, desk: Desk, port: int = 0) -> None:
        super().__init__(Handler, port)
        desk.token = self.token
        self.desk = desk
