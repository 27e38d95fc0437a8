"""A model that looks without language: projected boxes of a gripper against the gripper's pixels in pictures.

It answers ActionEQA's own questions of the middle and low level. It is given what a calibrated robot knows: the state
before the action, the cameras' matrices, the shape of the gripper; and of each picture which pixels show the gripper,
as a perfect segmentation would say. From there on it is geometry: no renderer, no truth. What it cannot solve from a
view cannot be seen there well enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from models.base import Kind, Model, ModelUnavailable, Options, Reply, Request, Witness

USAGE = "geometry    projects a gripper's boxes through known cameras; ActionEQA's own mid and low levels only"
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def load(rest: str, options: Options) -> Model:
    """The one and only."""
    if rest or options:
        raise ValueError(f"the model 'geometry' takes no name and no options, got {rest or dict(options)!r}")
    return Geometry()


class Sight(Protocol):
    """What is known of a scene beside its pictures."""

    def choose(self, pictures: Sequence[str], options: Sequence[str]) -> int:
        """The place of the option that explains the pictures best, which are given by their keys."""
        ...


@runtime_checkable
class Sighted(Protocol):
    """A witness of an episode whose cameras are known."""

    @property
    def sights(self) -> Sight | None: ...


class Geometry:
    """The model; one for each episode knows its cameras."""

    identity = "geometry"
    looks = False
    """It needs no colours: nothing is drawn for it but the gripper's outline."""
    simulated = False
    cacheable = True
    kinds = frozenset({Kind.CHOICE})

    def __init__(self, sight: Sight | None = None) -> None:
        self._sight = sight

    def for_episode(self, witness: Witness) -> Geometry:
        """The model with the cameras of an episode."""
        return Geometry(witness.sights if isinstance(witness, Sighted) else None)

    async def ask(self, request: Request) -> Reply:
        """The letter of the option that explains the pictures best; `ModelUnavailable` where cameras are unknown."""
        if self._sight is None:
            raise ModelUnavailable("geometry: the cameras of this question are not known")
        if request.kind is not Kind.CHOICE or not request.options:
            raise ModelUnavailable(f"geometry: a reply of the kind {request.kind} cannot be had from projected boxes")
        try:
            place = self._sight.choose([picture.key for picture in request.pictures], request.options)
        except ValueError as error:
            raise ModelUnavailable(f"geometry: {error}") from None
        return Reply(LETTERS[place])
