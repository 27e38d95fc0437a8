"""Servers on loopback that take traces, as Phoenix and LangSmith do, for the tests of telemetry."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

INFO = {
    "version": "0.10.0",
    "batch_ingest_config": {
        "use_multipart_endpoint": False,
        "size_limit": 100,
        "size_limit_bytes": 20_000_000,
        "scale_up_nthreads_limit": 1,
        "scale_up_qsize_trigger": 1000,
        "scale_down_nempty_trigger": 4,
    },
}


@dataclass
class Collector:
    """What came in: path, headers and body of each request. `status` is what is answered."""

    url: str = ""
    status: int = 200
    requests: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)

    def bodies(self, path: str) -> list[bytes]:
        return [body for where, _, body in self.requests if where.endswith(path)]

    def everything(self) -> bytes:
        """All that was said, but for who said it: a collector knows the key it is spoken to with."""
        return b"\n".join(body for _, _, body in self.requests)

    def runs(self) -> dict[str, dict[str, Any]]:
        """The runs that LangSmith was told of, with what was told later put in."""
        found: dict[str, dict[str, Any]] = {}
        for body in self.bodies("/runs/batch"):
            told = json.loads(body)
            for run in (*told.get("post", ()), *told.get("patch", ())):
                kept = found.setdefault(run["id"], {})
                kept |= {name: value for name, value in run.items() if value not in (None, {}, [])}
        return found

    def spans(self) -> list[Any]:
        """The spans that an OpenTelemetry collector was sent."""
        from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

        found = []
        for body in self.bodies("/v1/traces"):
            request = ExportTraceServiceRequest()
            request.ParseFromString(body)
            found += [span for sent in request.resource_spans for scope in sent.scope_spans for span in scope.spans]
        return found


@contextmanager
def collecting() -> Iterator[Collector]:
    """A server that takes everything."""
    kept = Collector()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if self.headers.get("content-encoding") == "gzip":
                body = gzip.decompress(body)
            kept.requests.append((self.path, dict(self.headers), body))
            said = json.dumps(INFO).encode() if self.path.endswith("/info") else b"{}"
            said = b"" if self.path.endswith("/v1/traces") else said
            self.send_response(kept.status)
            self.send_header("content-length", str(len(said)))
            self.end_headers()
            self.wfile.write(said)

        do_GET = do_POST = do_PATCH = answer  # noqa: N815

        def log_message(self, *what: object) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    kept.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield kept
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
