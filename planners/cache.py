"""A cache of plans, in memory and optionally in a file that is shared between runs."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
import weakref
from collections import OrderedDict
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Step, Task
from planners.write import formula_text

_log = logging.getLogger(__name__)

_KEPT = (Status.SOLVED, Status.UNSOLVABLE)


class CachedPlanner:
    """Wraps a planner with a cache. Only plans and proofs of unsolvability are cached."""

    def __init__(self, planner: Planner, path: Path | None = None, *, size: int = 4096) -> None:
        self._planner = planner
        self._memory: OrderedDict[str, PlanOutcome] = OrderedDict()
        self._size = size
        self._lock = threading.Lock()
        self._file = _File(path) if path else None

    @property
    def engine(self) -> str:
        """The engine of the wrapped planner."""
        return self._planner.engine

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """The cached outcome, or a new one."""
        start = time.perf_counter()
        found = self._find(task)
        if found:
            return replace(found, cached=True, seconds=time.perf_counter() - start)
        return self._keep(task, self._planner.solve(task, timeout=timeout))

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """The cached outcome, or a new one, without blocking the event loop."""
        start = time.perf_counter()
        found = self._find(task)
        if found:
            return replace(found, cached=True, seconds=time.perf_counter() - start)
        return self._keep(task, await self._planner.plan(task, timeout=timeout))

    def close(self) -> None:
        """Close the file and the wrapped planner."""
        if self._file:
            self._file.close()
        self._planner.close()

    def _find(self, task: Task) -> PlanOutcome | None:
        key = task_key(task, self.engine)
        with self._lock:
            if key in self._memory:
                self._memory.move_to_end(key)
                return self._memory[key]
        kept = self._file.get(key) if self._file else None
        if kept is None:
            return None
        status, plan = kept
        # Other processes may have written the file, so its plans are validated like any plan.
        if status is Status.SOLVED and task.fault(plan):
            return None
        outcome = PlanOutcome(status, plan, self.engine)
        self._remember({key: outcome})
        return outcome

    def _keep(self, task: Task, outcome: PlanOutcome) -> PlanOutcome:
        if outcome.status not in _KEPT:
            return outcome
        found = {task_key(task, self.engine): outcome}
        # The rest of a shortest plan is a shortest plan from there. Another planner might have found
        # another plan from there, and a cache must not change its results.
        if getattr(self._planner, "optimal", False):
            for number, state in enumerate(task.states(outcome.plan)[1:-1], 1):
                rest = replace(outcome, plan=outcome.plan[number:])
                found[task_key(replace(task, init=state), self.engine)] = rest
        self._remember(found)
        if self._file:
            self._file.put(found)
        return outcome

    def _remember(self, outcomes: dict[str, PlanOutcome]) -> None:
        with self._lock:
            for key, outcome in outcomes.items():
                self._memory[key] = outcome
                self._memory.move_to_end(key)
            while len(self._memory) > self._size:
                self._memory.popitem(last=False)


def task_key(task: Task, engine: str) -> str:
    """A hash of everything that determines the plan."""
    digest = sha256(_domain_digest(task.domain.text, engine))
    facts = sorted(map(str, task.init))
    digest.update(json.dumps([list(task.objects.items()), facts, formula_text(task.goal)]).encode())
    return digest.hexdigest()


@lru_cache(maxsize=64)
def _domain_digest(text: str, engine: str) -> bytes:
    return sha256(json.dumps([engine, text]).encode()).digest()


class _File:
    """Outcomes in SQLite. A file that cannot be used is ignored, with one warning."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = sqlite3.connect(path, timeout=5.0, check_same_thread=False, isolation_level=None)
            weakref.finalize(self, self._connection.close)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS plans (key TEXT PRIMARY KEY, status TEXT, plan TEXT)")
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)

    def get(self, key: str) -> tuple[Status, tuple[Step, ...]] | None:
        with self._lock:
            if self._connection is None:
                return None
            try:
                row = self._connection.execute("SELECT status, plan FROM plans WHERE key = ?", (key,)).fetchone()
            except sqlite3.Error as error:
                self._give_up(error)
                return None
        try:
            return (Status(row[0]), tuple(map(Step.parse, json.loads(row[1])))) if row else None
        except (ValueError, TypeError, AttributeError):
            return None

    def put(self, outcomes: dict[str, PlanOutcome]) -> None:
        rows = [(key, outcome.status, json.dumps(list(map(str, outcome.plan)))) for key, outcome in outcomes.items()]
        with self._lock:
            if self._connection is None:
                return
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                self._connection.executemany("INSERT OR REPLACE INTO plans VALUES (?, ?, ?)", rows)
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                self._give_up(error)

    def close(self) -> None:
        with self._lock:
            if self._connection is not None:
                self._connection.close()
                self._connection = None

    def _give_up(self, error: Exception) -> None:
        if self._connection is not None:
            self._connection.close()
            self._connection = None
        _log.warning("%s cannot be used for plans (%s); they are kept in memory only", self._path, error)
