"""What goes over the wire, checked on both sides."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, field_validator

from envs.base import Outcome
from planners.formula import Atom, State

SymbolicState: TypeAlias = dict[str, dict[str, bool]]
"""For each predicate its arguments, joined by commas, and whether it holds of them."""

INFO = {Outcome.EXECUTED: "success", Outcome.FAILED: "executed but failed", Outcome.NOT_LEGAL: "not legal"}
"""How the protocol says what came of a legal, failed or illegal attempt."""

OUTCOMES = {info: outcome for outcome, info in INFO.items()}


class Asked(BaseModel):
    """A request: fields that the protocol does not know are a mistake of the client."""

    model_config = ConfigDict(extra="forbid")


class Reset(Asked):
    """Which task to start, in which scene, in which of its instances."""

    task: StrictStr
    scene_id: StrictStr
    instance_id: StrictInt = 0

    def __str__(self) -> str:
        return f"{self.task} in {self.scene_id}, instance {self.instance_id}"


class ExecuteAction(Asked):
    """An action to attempt."""

    action: StrictStr
    params: list[StrictStr] = Field(default_factory=list)


class WireState(BaseModel):
    """What the world looks like and what is true in it."""

    symbolic_state: SymbolicState
    image: str

    @field_validator("image")
    @classmethod
    def _is_base64(cls, image: str) -> str:
        try:
            base64.b64decode(image, validate=True)
        except binascii.Error as error:
            raise ValueError(f"not base64: {error}") from None
        return image

    @property
    def png(self) -> bytes:
        """The picture's own bytes."""
        return base64.b64decode(self.image)


class WireOutcome(WireState):
    """What came of an attempt: `success` means that it was legal, `info` tells the rest."""

    success: StrictBool
    info: str


class WireObjects(BaseModel):
    """The objects in view."""

    objects: list[str]


class WireDone(BaseModel):
    """Whether a reset worked."""

    success: bool


class WireProblem(BaseModel):
    """Why a request was refused."""

    detail: str


class WireTasks(BaseModel):
    """Everything that can be reset to."""

    tasks: list[Reset]


def symbolic(atoms: Iterable[Atom], truth: State) -> SymbolicState:
    """The truth of some atoms as the protocol writes it."""
    state: SymbolicState = {}
    for atom in atoms:
        state.setdefault(atom.predicate, {})[",".join(atom.args)] = atom in truth
    return state


def true_atoms(state: Mapping[str, Mapping[str, bool]]) -> State:
    """The atoms that hold in a state of the protocol."""
    return frozenset(
        Atom(predicate, tuple(joined.split(",")))
        for predicate, values in state.items()
        for joined, value in values.items()
        if value
    )
