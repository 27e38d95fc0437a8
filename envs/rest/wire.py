"""The messages of the protocol, validated on both sides."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr, field_validator

from envs.base import Outcome
from planners.formula import Atom, State

SymbolicState: TypeAlias = dict[str, dict[str, bool]]
"""For each predicate, its arguments joined by commas, and whether it holds for them."""

INFO = {Outcome.EXECUTED: "success", Outcome.FAILED: "executed but failed", Outcome.NOT_LEGAL: "not legal"}
"""The protocol's names of outcomes."""

OUTCOMES = {info: outcome for outcome, info in INFO.items()}


class WireRequest(BaseModel):
    """A request; unknown fields are errors."""

    model_config = ConfigDict(extra="forbid")


class Reset(WireRequest):
    """The task, scene and instance to start."""

    task: StrictStr
    scene_id: StrictStr
    instance_id: StrictInt = 0

    def __str__(self) -> str:
        return f"{self.task} in {self.scene_id}, instance {self.instance_id}"


class ExecuteAction(WireRequest):
    """An action to attempt."""

    action: StrictStr
    params: list[StrictStr] = Field(default_factory=list)


class WireState(BaseModel):
    """The picture and the true state of the world."""

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
        """The bytes of the picture."""
        return base64.b64decode(self.image)


class WireOutcome(WireState):
    """The outcome of an attempt: `success` means that it was legal, `info` names the outcome."""

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
    """All tasks to reset to."""

    tasks: list[Reset]


def symbolic(atoms: Iterable[Atom], truth: State) -> SymbolicState:
    """The truth of atoms in the protocol's format."""
    state: SymbolicState = {}
    for atom in atoms:
        state.setdefault(atom.predicate, {})[",".join(atom.args)] = atom in truth
    return state


def true_atoms(state: Mapping[str, Mapping[str, bool]]) -> State:
    """The true atoms of a state in the protocol's format."""
    return frozenset(
        Atom(predicate, tuple(joined.split(",")))
        for predicate, values in state.items()
        for joined, value in values.items()
        if value
    )
