"""A model without language: compares projected boxes of a gripper with the gripper's pixels in pictures.

It answers the middle and low level of questions about our own ActionEQA scenes. It knows what a calibrated robot knows:
the state before the action, the cameras' matrices and the shape of the gripper; and for each picture a perfect
segmentation of the gripper. The rest is geometry: no renderer, no truth. A question that it cannot solve from a view
is not visible well enough there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from models.base import Kind, Model, ModelUnavailable, Options, Reply, Request, Witness

USAGE = "geometry    projects a gripper's boxes through known cameras; ActionEQA's own mid and low levels only"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def load(rest: str, options: Options) -> Model:
    """The model; it has no name and no options."""
    if rest or options:
        raise ValueError(f"the model 'geometry' takes no name and no options, got {rest or dict(options)!r}")
    return Geometry()


class Sight(Protocol):
    """The calibration of a scene."""

    def choose(self, pictures: Sequence[str], options: Sequence[str]) -> int:
        """The index of the option that fits the pictures with these keys best."""
        ...


@runtime_checkable
class Sighted(Protocol):
    """A witness of an episode with known cameras."""

    @property
    def sights(self) -> Sight | None: ...


class Geometry:
    """The model, unbound or bound to the cameras of one episode."""

    identity = "geometry"
    looks = False
    """It needs only the gripper's outline, so no picture is rendered for it."""
    simulated = False
    cacheable = True
    kinds = frozenset({Kind.CHOICE})

    def __init__(self, sight: Sight | None = None) -> None:
        self._sight = sight

    def for_episode(self, witness: Witness) -> Geometry:
        """The model with the cameras of an episode."""
        return Geometry(witness.sights if isinstance(witness, Sighted) else None)

    async def ask(self, request: Request) -> Reply:
        """The letter of the option that fits the pictures best; `ModelUnavailable` if the cameras are unknown."""
        if self._sight is None:
            raise ModelUnavailable("geometry: the cameras of this question are not known")
        if request.kind is not Kind.CHOICE or not request.options:
            raise ModelUnavailable(f"geometry: a {request.kind} reply cannot be computed from projected boxes")
        try:
            place = self._sight.choose([picture.key for picture in request.pictures], request.options)
        except ValueError as error:
            raise ModelUnavailable(f"geometry: {error}") from None
        return Reply(LETTERS[place])
