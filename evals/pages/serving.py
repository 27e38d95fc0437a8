"""Serving pages on loopback: to browsers of this machine, and to no page of another site.

A page of another site must not learn or write anything through a browser that can reach us. Hence: the name by which
we are asked must be ours (no rebinding of foreign names to our address), answers are for our own pages only, and
whatever is written needs the token that only our pages know.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

ASSETS = Path(__file__).parent / "assets"
"""Scripts that all pages with scripts share."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'"
)
"""Nothing but our own scripts runs, whatever a page may hold."""
HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
HTML, SCRIPT, STYLE = "text/html; charset=utf-8", "text/javascript; charset=utf-8", "text/css; charset=utf-8"
PICTURE, STATE = "image/png", "application/json"
TYPES = {".js": SCRIPT, ".css": STYLE, ".svg": "image/svg+xml"}


@dataclass(frozen=True, slots=True)
class Content:
    """An answer. What is `fixed` never changes under its address."""

    type: str
    body: bytes
    fixed: bool = False


class Refused(Exception):
    """A request that is not answered; says why."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class LoopbackHandler(BaseHTTPRequestHandler):
    """Answers one request after another. What is served says the handler made from it."""

    protocol_version = "HTTP/1.1"
    server_version = "Plumbline"
    sys_version = ""
    timeout = 60
    server: LoopbackServer

    def check_host(self) -> None:
        """Refuse whoever asks under a foreign name, or from a page of another site."""
        if self.headers.get("Host", "").lower() not in self.server.names:
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "this server answers to its own name only")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "pages of other sites get nothing from here")

    def posted(self, address: str, what: str, longest: int) -> dict[str, Any] | None:
        """The JSON object that one of our own pages sent to an address; None if it is none."""
        if self.path != address:
            raise Refused(HTTPStatus.NOT_FOUND, "there is nothing here")
        if self.headers.get("Origin", "") not in {f"http://{name}" for name in self.server.names}:
            raise Refused(HTTPStatus.FORBIDDEN, f"{what}s come from our own pages only")
        if not secrets.compare_digest(self.headers.get("X-Plumbline-Token", "").encode(), self.server.token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "the page is not of this server; load it again")
        if self.headers.get("Content-Type") != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"each {what} is a JSON object")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > longest:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"each {what} has {longest:,} bytes at the most")
        try:
            given = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None
        return given if isinstance(given, dict) else None

    def say(self, status: HTTPStatus, text: str) -> None:
        """Answer with a line of text."""
        self.send(status, Content("text/plain; charset=utf-8", f"{text}\n".encode("utf-8", "replace")))

    def refuse(self, refused: Refused) -> None:
        """Answer a request that was refused before all of it was read."""
        self.close_connection = True
        self.say(refused.status, str(refused))

    def send(self, status: HTTPStatus, content: Content) -> None:
        """Answer with some content."""
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
        """Say nothing: whoever looks at pages needs no list of them."""


class LoopbackServer(ThreadingHTTPServer):
    """Listens on loopback. Port 0 is any free one."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, handler: type[LoopbackHandler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.token = secrets.token_urlsafe(24)
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


def read_assets(*folders: Path, more: Mapping[str, Path] | None = None) -> dict[str, Content]:
    """Style and scripts of some folders by name, with further files under names of their own."""
    found = {path.name: path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in TYPES}
    return {name: Content(TYPES[path.suffix], path.read_bytes()) for name, path in {**found, **(more or {})}.items()}


@cache
def shared_assets() -> dict[str, Content]:
    """What all pages with scripts have."""
    return read_assets(ASSETS, more={"report.css": ASSETS.parent / "style.css"})
