"""Look at the gateways that runs have on a cluster of Ray, or end those that killed drivers have left.

    python -m evals.cluster status --ray-address auto
    python -m evals.cluster stop --ray-address auto

Only processes of Plumbline are ended, each by its own id; the cluster and whatever else runs on it stay.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import socket
import sys
import time
from collections.abc import Sequence
from typing import Any

from evals.run.pipes import quietly

EPILOG = """\
examples:
  python -m evals.cluster status
  python -m evals.cluster status --ray-address 10.0.0.7:6379 --json
  python -m evals.cluster stop

exit code: 0 done, 1 a gateway does not answer or could not be ended, 2 there is no cluster
"""
SECONDS = 10.0
"""How long a gateway may take to answer, or to end."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.cluster",
        description="Show the gateways of runs on a cluster of Ray, or end them.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("what", choices=("status", "stop"), help="show the gateways, or end them")
    parser.add_argument("--ray-address", metavar="ADDRESS", help="HOST:PORT or auto (default: RAY_ADDRESS, or auto)")
    parser.add_argument("--json", action="store_true", help="print one JSON object on stdout")
    arguments = parser.parse_args(argv)
    from evals.run.cluster.connecting import attached

    try:
        with attached(arguments.ray_address or os.environ.get("RAY_ADDRESS") or "auto") as ray:
            found = {name: _status(ray, name) for name in _gateways(ray)}
            ended = {name: _stop(ray, name, status) for name, status in found.items() if arguments.what == "stop"}
    except ValueError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps({"gateways": found, "ended": ended}))
    else:
        _print(found, ended)
    return 0 if all(ended.values()) and (ended or None not in found.values()) else 1


def _gateways(ray: Any) -> list[str]:
    from evals.run.cluster.doors import NAMESPACE, PREFIX

    named = ray.util.list_named_actors(all_namespaces=True)
    return sorted(one["name"] for one in named if one["namespace"] == NAMESPACE and one["name"].startswith(PREFIX))


def _status(ray: Any, name: str) -> dict[str, Any] | None:
    """What a gateway has done; None if it does not answer."""
    try:
        found: dict[str, Any] = ray.get(ray.get_actor(name).status.remote(), timeout=SECONDS)
    except (ray.exceptions.RayError, ValueError):
        return None
    return found


def _stop(ray: Any, name: str, status: dict[str, Any] | None) -> bool:
    """End a gateway; whether it is gone. Its file of answers stays."""
    actor = ray.get_actor(name)
    if status is not None:
        for run in status["runs"] or [""]:
            ray.get(actor.leave.remote(run), timeout=SECONDS)
    ray.kill(actor)
    if status is None or status["host"] != socket.gethostname():
        return True
    end = time.monotonic() + SECONDS
    while _is_alive(status["pid"]) and time.monotonic() < end:
        time.sleep(0.05)
    if _is_alive(status["pid"]):
        os.kill(status["pid"], signal.SIGKILL)
    return True


def _is_alive(pid: int) -> bool:
    """Whether this process is there, and no zombie."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _print(found: dict[str, dict[str, Any] | None], ended: dict[str, bool]) -> None:
    from evals.pages.terminal import inert

    if not found:
        print("no gateway of a run on this cluster")
    for name, status in found.items():
        if status is None:
            print(f"{name}: does not answer")
            continue
        print(
            f"{name}: process {status['pid']} on {inert(str(status['host']))}, {status['answered']:,} questions, "
            f"{status['from_cache']:,} of them from the cache, {status['under_way']} under way, ${status['cost']:.4f}"
        )
        print(inert(f"  answers: {status['cache']}"))
        for run in status["runs"]:
            print(inert(f"  run: {run}"))
    for name, gone in ended.items():
        print(f"{name}: {'ended' if gone else 'could not be ended'}")


if __name__ == "__main__":
    sys.exit(quietly(main))
