"""Gateways in processes of their own, and servers whose answers follow from the request alone."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from evals.run.directory import RunDirectory
from evals.run.prompts import read_prompts
from tests.conftest import ROOT
from tests.loopback import Loopback

TOKEN = "PLUMBLINE_GATEWAY_TOKEN"


def by_hash(body: dict[str, Any]) -> str:
    """Yes, no or a letter: the same for the same request, in whatever order requests come."""
    number = hashlib.sha256(json.dumps(body["messages"]).encode()).digest()[0]
    return f"<answer>{'ABCD'[number % 4]}</answer>" if "A." in json.dumps(body) else ("Yes", "No")[number % 2]


def asked_twice(server: Loopback) -> int:
    """How many requests the server got that it had had already."""
    return sum(count - 1 for count in Counter(seen.content for seen in server.seen).values())


class Serving:
    """`python -m models.gateway` in a process of its own."""

    def __init__(self, cache: Path, *words: object, token: str = "a-token-for-tests", port: int = 0) -> None:
        self.token = token
        command = [sys.executable, "-m", "models.gateway", "--port", port, "--cache", cache, *words]
        self.process = subprocess.Popen(
            [str(word) for word in command],
            cwd=ROOT,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout
        first = self.process.stdout.readline()
        assert first.startswith("gateway: http"), self.process.communicate()
        self.url = first.split()[1]

    @property
    def environment(self) -> dict[str, str]:
        """The environment of those who ask through it: its token, and no key."""
        kept = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
        return {**kept, "COLUMNS": "120", TOKEN: self.token}

    def __enter__(self) -> Serving:
        return self

    def __exit__(self, *error: object) -> None:
        self.stop()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> str:
        """End it; what it printed as an error."""
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.communicate(timeout=60)[1]


def contents(folder: Path) -> dict[str, Any]:
    """What is in a run, without times and without who was answered from a cache."""
    run, untold = RunDirectory.open(folder), {"event": {"seconds", "cached"}}
    left_out = ("started", "merged", "git")
    return {
        "config": {name: value for name, value in run.config.items() if name not in left_out},
        "results": [result.model_dump() for result in run.results()],
        "events": {
            # Questions that are asked at the same time are answered in any order.
            result.id: sorted(record.model_dump_json(exclude=untold) for record in run.records(result.id))
            for result in run.results()
        },
        "prompts": read_prompts(folder / "prompts.jsonl"),
        "pictures": sorted(path.name for path in folder.glob("pictures/*.png")),
    }
