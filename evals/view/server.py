"""The viewer's server: loopback only, read-only except for labels from its own pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from evals.labels import BadLabel, add_label, new_label
from evals.pages.serving import HEADERS, LoopbackHandler, LoopbackServer, Refused
from evals.view.listing import Listing
from evals.view.redrawing import CannotDraw
from evals.view.shown import Shown
from evals.view.site import Site, sets_of

__all__ = ["HEADERS", "LONGEST", "Handler", "Server"]

LONGEST = 64_000
"""The largest label, in bytes."""


class Handler(LoopbackHandler):
    """Serves pages of runs, and accepts labels."""

    server: Server

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
        """Serve an address."""
        try:
            self.check_host()
            found = self.server.site.get(urlsplit(self.path).path)
        except Refused as refused:
            self.send_text(refused.status, str(refused))
        except CannotDraw as error:
            self.send_text(HTTPStatus.NOT_FOUND, f"cannot be drawn: {error}")
        except Exception as error:  # a foreign run may hold anything, and must not stop the server
            self.send_text(HTTPStatus.INTERNAL_SERVER_ERROR, f"this cannot be shown: {type(error).__name__}")
        else:
            self.send(HTTPStatus.OK, found) if found else self.send_text(HTTPStatus.NOT_FOUND, "there is nothing here")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:  # noqa: N802 - the name that http.server calls
        """Store a label; the response says whether it is stored, or why not."""
        try:
            self.check_host()
            run, given = self._label()
            known = run.contents()
            episodes = (*(result.id for result in known.results), *known.unfinished)
            add_label(run.path, new_label(given, episodes, sets_of(run)))
        except Refused as refused:
            self.send_refusal(refused)
        except BadLabel as error:
            self.send_text(HTTPStatus.BAD_REQUEST, str(error))
        except OSError as error:
            self.send_text(HTTPStatus.FORBIDDEN, f"the label cannot be written: {error.strerror or error}")
        else:
            self.send_text(HTTPStatus.CREATED, "kept")

    def _label(self) -> tuple[Shown, Mapping[str, Any]]:
        given = self.read_post("/labels", "label", LONGEST)
        if given is None:
            raise BadLabel("a label is a JSON object")
        run = self.server.site.runs.get(str(given.pop("run", "")))
        if run is None:
            raise BadLabel("no such run")
        return run, given


class Server(LoopbackServer):
    """Serves runs on loopback; a `Listing` finds new ones. Port 0 takes any free one."""

    def __init__(self, runs: Listing | Sequence[Shown], port: int = 0) -> None:
        super().__init__(Handler, port)
        self.site = Site(runs, self.token) if isinstance(runs, Listing) else Site.of(runs, self.token)
