"""The trace of an episode: every event on disk as it happens, with the truth of that moment beside it.

One JSON object a line: `{"event": {...}, "truth": {...}}`. What stands under `truth` depends on the event:

    observed, ended   state: the true atoms now; goal: whether the goal holds
    asked             value: whether the atom was true when it was asked about
    planned           wrong: the atoms on which belief and truth differ (not counting predicates that never change and
                      of which the belief says nothing)
    called_off        legal: whether the action's preconditions held
    acted             happened: what the attempt really did; legal: whether it was legal; goal: whether it holds now;
                      state: the true atoms after it
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError

from envs.base import World
from planners.formula import Atom, State, holds
from planners.task import Domain, Step
from tools.events import Acted, Asked, CalledOff, Ended, Event, Observed, Planned


class Truth(BaseModel):
    """What was true when an event happened. Which fields are set depends on the event."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    state: tuple[str, ...] | None = None
    goal: bool | None = None
    value: bool | None = None
    wrong: tuple[str, ...] | None = None
    legal: bool | None = None
    happened: str | None = None


class Record(BaseModel):
    """One line of a trace."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    event: Event
    truth: Truth = Truth()


class DamagedTrace(Exception):
    """A trace that cannot be read; says where."""


class Recorder:
    """Writes the events of one episode, and keeps them for scoring."""

    def __init__(self, path: Path | None, world: World) -> None:
        self.records: list[Record] = []
        self._world = world
        self._state = world.truth()
        self._said = frozenset(map(str, self._state))
        self._file = path.open("w", encoding="utf-8") if path else None

    def __call__(self, event: Event) -> None:
        """Write the event down. It has left the process when this returns."""
        # Both parts were validated when they were made.
        record = Record.model_construct(event=event, truth=self._truth(event))
        self.records.append(record)
        if self._file:
            self._file.write(record.model_dump_json(exclude_none=True) + "\n")
            self._file.flush()

    def close(self) -> None:
        """Let go of the file."""
        if self._file:
            self._file.close()

    def _truth(self, event: Event) -> Truth:
        match event:
            case Observed() | Ended():
                return Truth(state=_listed(self._state), goal=self._goal())
            case Asked():
                return Truth.model_construct(value=event.atom in self._said)
            case Planned():
                return Truth(wrong=_listed(self._differing(frozenset(map(Atom.parse, event.belief)))))
            case CalledOff():
                return Truth(legal=self._legal(event.action, self._world.domain))
            case Acted() if event.refused:
                return Truth(happened=event.outcome, legal=False, goal=self._goal())
            case Acted():
                legal = self._legal(event.action, self._world.laws)  # asked of the state before the attempt
                self._state = self._world.truth()
                self._said = frozenset(map(str, self._state))
                happened, state = self._world.happened(), _listed(self._state)
                return Truth(happened=happened, legal=legal, goal=self._goal(), state=state)
            case _:
                return Truth()

    def _differing(self, belief: State) -> State:
        """Where belief and truth differ, except on what never changes and the belief says nothing about."""
        actions = self._world.domain.actions.values()
        counted = {effect.predicate for action in actions for effect in action.effects}
        counted |= {atom.predicate for atom in belief}
        return frozenset(atom for atom in self._state ^ belief if atom.predicate in counted)

    def _goal(self) -> bool:
        return holds(self._world.goal, self._state, self._world.objects)

    def _legal(self, action: str, laws: Domain) -> bool:
        objects, step = self._world.objects, Step.parse(action)
        if laws.check(step, objects):
            return False
        return laws.ground(step, objects).applicable(self._state)


def _listed(state: State) -> tuple[str, ...]:
    return tuple(sorted(map(str, state)))


def read_trace(path: Path) -> list[Record]:
    """The records of a trace; the last line of a killed run may be cut off and is left out."""
    return list(_read(path))


def read_whole(path: Path) -> list[Record]:
    """The records of an episode that was played to its end; `DamagedTrace` if they break off before."""
    records = read_trace(path)
    if not records or not isinstance(records[-1].event, Ended):
        raise DamagedTrace(f"{path} is incomplete: it breaks off before the episode ends")
    return records


def _read(path: Path) -> Iterator[Record]:
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    for number, line in enumerate(lines, 1):
        if not line:
            continue
        try:
            yield Record.model_validate_json(line)
        except ValidationError as error:
            if number == len(lines):  # no newline after it: it was being written
                return
            reason = error.errors(include_url=False, include_context=False, include_input=False)[0]["msg"]
            raise DamagedTrace(f"{path}, line {number}: {reason}") from None


def dumped(value: Any) -> str:
    """JSON as we write it to run directories."""
    return json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n"
