"""A loopback server for pages: it serves browsers on this machine and refuses requests from other sites.

A page of another site must not read or write anything through a browser that can reach this server. So the `Host`
header must name this server (no DNS rebinding), cross-site requests are refused, and every write needs a token that
only our own pages contain.
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
"""Scripts shared by all pages that use scripts."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; object-src 'none'"
)
"""Only our own scripts run, whatever a page contains."""
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
class Response:
    """The body of a response and its type. A `fixed` one never changes, so browsers may cache it."""

    type: str
    body: bytes
    fixed: bool = False


class Refused(Exception):
    """A request that is refused, with the status and the reason."""

    def __init__(self, status: HTTPStatus, reason: str) -> None:
        super().__init__(reason)
        self.status = status


class LoopbackHandler(BaseHTTPRequestHandler):
    """Checks and responses common to all servers; a subclass defines what is served."""

    protocol_version = "HTTP/1.1"
    server_version = "Plumbline"
    sys_version = ""
    timeout = 60
    server: LoopbackServer

    def check_host(self) -> None:
        """Refuse requests with a foreign `Host` header, and cross-site requests."""
        if self.headers.get("Host", "").lower() not in self.server.names:
            raise Refused(HTTPStatus.MISDIRECTED_REQUEST, "this server answers to its own name only")
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            raise Refused(HTTPStatus.FORBIDDEN, "requests from other sites are refused")

    def read_post(self, address: str, what: str, longest: int) -> dict[str, Any] | None:
        """The JSON object that one of our own pages posted to an address; None if the body is not a JSON object."""
        if self.path != address:
            raise Refused(HTTPStatus.NOT_FOUND, "no such page")
        if self.headers.get("Origin", "") not in {f"http://{name}" for name in self.server.names}:
            raise Refused(HTTPStatus.FORBIDDEN, f"{what}s are accepted from this server's own pages only")
        if not secrets.compare_digest(self.headers.get("X-Plumbline-Token", "").encode(), self.server.token.encode()):
            raise Refused(HTTPStatus.FORBIDDEN, "the page was loaded from another server; reload it")
        if self.headers.get("Content-Type") != "application/json":
            raise Refused(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"a {what} must be a JSON object")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > longest:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"a {what} may have at most {longest:,} bytes")
        try:
            body = json.loads(self.rfile.read(int(length)))
        except (ValueError, RecursionError):
            return None
        return body if isinstance(body, dict) else None

    def send_text(self, status: HTTPStatus, text: str) -> None:
        """Respond with a line of text."""
        self.send(status, Response("text/plain; charset=utf-8", f"{text}\n".encode("utf-8", "replace")))

    def send_refusal(self, refused: Refused) -> None:
        """Respond to a request that was refused before its body was read, and close the connection."""
        self.close_connection = True
        self.send_text(refused.status, str(refused))

    def send(self, status: HTTPStatus, response: Response) -> None:
        """Send the headers and the body of a response."""
        self.send_response(status)
        for name, value in HEADERS.items():
            self.send_header(name, value)
        self.send_header("Content-Type", response.type)
        self.send_header("Content-Length", str(len(response.body)))
        self.send_header("Cache-Control", "private, max-age=86400, immutable" if response.fixed else "no-store")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(response.body)

    def log_message(self, format: str, *args: object) -> None:
        """Do not log requests: the terminal shows what the user needs."""


class LoopbackServer(ThreadingHTTPServer):
    """Listens on loopback; port 0 picks a free port."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self, handler: type[LoopbackHandler], port: int = 0) -> None:
        super().__init__(("127.0.0.1", port), handler)
        self.token = secrets.token_urlsafe(24)
        self.names = {f"{name}:{self.port}" for name in ("127.0.0.1", "localhost")}

    @property
    def port(self) -> int:
        """The port it listens on."""
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """The address of the first page."""
        return f"http://127.0.0.1:{self.port}/"

    def handle_error(self, request: object, client_address: object) -> None:
        """Do not report a browser that closes its connection early."""


def read_assets(*folders: Path, more: Mapping[str, Path] | None = None) -> dict[str, Response]:
    """The style sheets, scripts and images of some folders by file name; `more` adds files under other names."""
    found = {path.name: path for folder in folders for path in sorted(folder.iterdir()) if path.suffix in TYPES}
    return {name: Response(TYPES[path.suffix], path.read_bytes()) for name, path in {**found, **(more or {})}.items()}


@cache
def shared_assets() -> dict[str, Response]:
    """The assets of all pages with scripts."""
    return read_assets(ASSETS, more={"report.css": ASSETS.parent / "style.css"})
