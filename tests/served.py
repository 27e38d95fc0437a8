"""Stands in for a program that serves a model: it has children, and it can be told to misbehave.

    python tests/served.py PORT [die|stubborn|silent]

It writes its process ids to the file that PIDS names.
"""

import json
import os
import signal
import subprocess
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path


class Handler(BaseHTTPRequestHandler):
    """Healthy, and always of the same opinion."""

    def do_GET(self) -> None:
        self._send({"status": "ok"})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "leave" in json.dumps(body):
            os._exit(7)
        message = {"role": "assistant", "content": f"Yes, says {body['model']}"}
        self._send({"choices": [{"message": message, "finish_reason": "stop"}], "usage": {"prompt_tokens": 3}})

    def _send(self, content: object) -> None:
        data = json.dumps(content).encode()
        self.send_response(200)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


def main() -> None:
    port, *how = sys.argv[1:]
    if "die" in how:
        print("loading\nCUDA is out of memory", flush=True)
        raise SystemExit(3)
    if "stubborn" in how:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    # A worker in a session of its own, as some servers have, that does not end with its parent.
    worker = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)
    pids = Path(os.environ["PIDS"])
    aside = pids.with_suffix(".part")
    aside.write_text(f"{os.getpid()} {worker.pid}")
    aside.rename(pids)
    if "silent" in how:
        time.sleep(600)
    ThreadingHTTPServer(("127.0.0.1", int(port)), Handler).serve_forever()


if __name__ == "__main__":
    main()
