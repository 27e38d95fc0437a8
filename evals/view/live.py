"""The state that open pages poll for: is a run still running, and has anything changed?

A run is running while a process holds its lock. A stamp is a hash of the state of the files behind a page: a page with
another stamp is out of date.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from typing import Any, TypeAlias

from evals.view.shown import Shown, stamp

State: TypeAlias = dict[str, Any]
"""Whether something is `running`, and the `stamp`."""


def is_running(run: Shown) -> bool:
    """Whether a process holds the run's lock; False if there are no locks (Windows)."""
    path = run.file("lock")
    try:
        import fcntl

        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW) if path else None
    except (ImportError, OSError):
        return False
    if handle is None:
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:  # a file system without locks
        return False
    finally:
        os.close(handle)
    return False


def runs_state(runs: Iterable[Shown]) -> State:
    """The state of all runs."""
    states = [(run.key, run.state(), is_running(run)) for run in runs]
    return _state(any(running for _, _, running in states), states)


def run_state(run: Shown) -> State:
    """The state of one run."""
    running = is_running(run)
    return _state(running, (run.state(), running))


def episode_state(run: Shown, episode: str) -> State | None:
    """The state of one episode, without reading its trace; None if the run has no such episode."""
    contents, path = run.contents(), run.trace(episode)
    finished = episode in contents.places
    if path is None and not finished:
        return None
    running = not finished and is_running(run)
    return _state(running, (path and stamp(path), finished, running))


def _state(running: bool, behind: object) -> State:
    return {"running": running, "stamp": hashlib.sha256(repr(behind).encode("utf-8", "replace")).hexdigest()[:16]}
