"""The viewer's server: loopback only, reads only, and takes labels from nobody but its own pages.

A page of another site must not learn or write anything through a browser that can reach us. Hence: the name by which
we are asked must be ours (no rebinding of foreign names to our address), answers are for our own pages only, and a
label needs the token that only our pages know.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

from evals.labels import BadLabel, add_label, new_label
from evals.view.frame import POLICY
from evals.view.listing import Listing
from evals.view.shown import Shown
from evals.view.site import Content, Site, sets_of
from evals.view.stage import CannotDraw

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
LONGEST = 64_000
"""How many bytes a label may have."""


class Refused(Exception):
    """A request that is not answered; says why."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    """Answers one request after another."""

    protocol_version = "HTTP/1.1"
    server_version = "Plumbline"
    sys_version = ""
    timeout = 60
    server: Server

    def do_GET(self) -> None:
        """Answer with what is at an address."""
        try:
            self._check_host()
            found = self.server.site.get(urlsplit(self.path).path)
        except Refused as refused:
            self._say(refused.status, str(refused))
        except CannotDraw as error:
            self._say(HTTPStatus.NOT_FOUND, f"cannot be drawn: {error}")
        except Exception as error:  # a run that is not ours may hold anything; the next request is to be answered
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, f"this cannot be shown: {type(error).__name__}")
        else:
            self._send(HTTPStatus.OK, found) if found else self._say(HTTPStatus.NOT_FOUND, "there is nothing here")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:
        """Take a label; the answer says whether it is kept, or why not."""
        try:
            self._check_host()
            run, given = self._label()
            known = run.contents()
            episodes = (*(result.id for result in known.results), *known.unfinished)
            add_label(run.path, new_label(given, episodes, sets_of(run)))
        except Refused as refused:
            self.close_connection = True  # what was sent with it has not been read
            self._say(refused.status, str(refused))
        except BadLabel as error:
            self._say(HTTPStatus.BAD_REQUEST, str(error))
        except OSError as error:
            self._say(HTTPStatus.FORBIDDEN, f"the label cannot be written: {error.strerror or error}")
        else:
            self._say(HTTPStatus.CREATED, "kept")

    def _check_host(self) -> None:
        if self.headers.get("Host", "").lower() not in self.server.names:
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "this server answers to its own name only")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "pages of other sites get nothing from here")

    def _label(self) -> tuple[Shown, Mapping[str, Any]]:
        if self.path != "/labels":
            raise Refused(HTTPStatus.NOT_FOUND, "there is nothing here")
        if self.headers.get("Origin", "") not in {f"http://{name}" for name in self.server.names}:
            raise Refused(HTTPStatus.FORBIDDEN, "labels come from our own pages only")
        if not secrets.compare_digest(self.headers.get("X-Plumbline-Token", "").encode(), self.server.token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "the page is not of this server; load it again")
        if self.headers.get("Content-Type") != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a label is a JSON object")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a label has {LONGEST:,} bytes at the most")
        try:
            given = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            given = None
        if not isinstance(given, dict):
            raise BadLabel("a label is a JSON object")
        run = self.server.site.runs.get(str(given.pop("run", "")))
        if run is None:
            raise BadLabel("no such run")
        return run, given

    def _say(self, status: HTTPStatus, text: str) -> None:
        self._send(status, Content("text/plain; charset=utf-8", f"{text}\n".encode("utf-8", "replace")))

    def _send(self, status: HTTPStatus, content: Content) -> None:
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", content.type)
        self.send_header("Content-Length", str(len(content.body)))
        self.send_header("Cache-Control", "private, max-age=86400, immutable" if content.fixed else "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content.body)

    def log_message(self, format: str, *args: object) -> None:
        """Log no requests: readers of pages do not need them."""


class Server(ThreadingHTTPServer):
    """Serves some runs on loopback; a `Listing` finds new ones. Port 0 is any free one."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, runs: Listing | Sequence[Shown], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), Handler)
        self.token = secrets.token_urlsafe(24)
        self.site = Site(runs, self.token) if isinstance(runs, Listing) else Site.of(runs, self.token)
        self.names = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """The first page."""
        return f"http://127.0.0.1:{self.port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away in the middle is nothing to tell of."""
