"""Models under a control: with another picture, with the truth in the prompt, or replaced by an oracle."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cached_property

from models.base import Kind, Message, Model, Part, Picture, Reply, Request, Witness
from models.oracle import perfect
from models.sim import Eyes, StandIn, chance
from models.wrapped import Wrapped

SIDE = 480
"""The width and height of the blank picture."""

BLIND, OTHER_ANSWERS = "blind", "other-answers"
MEANING = {
    BLIND: "the model sees a grey picture, a simulated one tosses a coin; what is solved needs no eyes",
    OTHER_ANSWERS: "the model sees the first picture of another problem; what is solved needs no right answer",
}
"""The controls of every kind of task."""


def oracle(witness: Witness) -> Model:
    """A model that is always right in one episode."""
    return perfect().for_episode(witness)


def with_eyes(model: StandIn, eyes: Eyes) -> StandIn:
    """A stand-in with other eyes that decides as before."""
    name = model.identity.partition(":")[0]
    return StandIn(eyes, blunder=model.blunder, simulated=model.simulated, name=name, kinds=model.kinds)


def guessing(model: StandIn) -> StandIn:
    """A stand-in that always decides at random."""
    name = model.identity.partition(":")[0]
    return StandIn(model.eyes, blunder=1.0, simulated=model.simulated, name=name, kinds=model.kinds)


def blinded(model: Model, identity: str, witness: Witness) -> Model:
    """A model that sees nothing."""
    if isinstance(model, StandIn):
        return with_eyes(model, CoinEyes(identity)).for_episode(witness)
    return OtherPictures(model, identity, (BlankPicture(),))


class CoinEyes:
    """Eyes that see nothing and guess; the same question about the same picture gives the same guess."""

    def __init__(self, identity: str) -> None:
        self.identity = f"a coin for {identity}"

    def sees(self, fact: str, true: bool, request: Request, witness: Witness) -> bool:
        """Yes half the time."""
        return chance(self.identity, request, fact) < 0.5


class BlankPicture:
    """A grey picture."""

    key = "blank"

    @cached_property
    def sha256(self) -> str:
        """The hash of its bytes."""
        import hashlib

        return hashlib.sha256(self.png()).hexdigest()

    def png(self) -> bytes:
        """Its bytes."""
        import io

        from PIL import Image

        file = io.BytesIO()
        Image.new("RGB", (SIDE, SIDE), (128, 128, 128)).save(file, "PNG")
        return file.getvalue()


class OtherPictures(Wrapped):
    """A model that gets other pictures than the agent's, cyclically."""

    def __init__(self, model: Model, identity: str, pictures: tuple[Picture, ...]) -> None:
        super().__init__(model, identity)
        self._pictures = pictures

    async def ask(self, request: Request) -> Reply:
        """The reply about the other pictures."""
        left = iter(range(len(request.pictures)))

        def changed(message: Message) -> Message:
            parts = (
                part if isinstance(part, str) else self._pictures[next(left) % len(self._pictures)]
                for part in message.parts
            )
            return replace(message, parts=tuple(parts))

        return await self._model.ask(replace(request, messages=tuple(map(changed, request.messages))))


class ShuffledPictures(Wrapped):
    """A model that gets the pictures of a request in another order, which depends on the name."""

    def __init__(self, model: Model, identity: str, name: str) -> None:
        super().__init__(model, identity)
        self._name = name

    async def ask(self, request: Request) -> Reply:
        """The reply about the pictures in another order."""
        pictures = list(request.pictures)
        order = _in_another_order(len(pictures), self._name)
        left = iter(pictures[place] for place in order)

        def changed(message: Message) -> Message:
            return replace(
                message, parts=tuple(part if isinstance(part, str) else next(left) for part in message.parts)
            )

        return await self._model.ask(replace(request, messages=tuple(map(changed, request.messages))))


def _in_another_order(count: int, name: str) -> list[int]:
    """A random order of the numbers below `count`, different from their own."""
    order, dice = list(range(count)), random.Random(name)
    while count > 1 and order == list(range(count)):
        dice.shuffle(order)
    return order


class Captioned(Wrapped):
    """A model that gets a description of each picture instead of the picture."""

    def __init__(self, model: Model, identity: str, captions: tuple[str, ...]) -> None:
        super().__init__(model, identity)
        self._captions = captions

    async def ask(self, request: Request) -> Reply:
        """The reply about the descriptions."""
        left = iter(range(len(request.pictures)))

        def described(number: int) -> str:
            caption = self._captions[number % len(self._captions)] if self._captions else "no description"
            return f"[Picture {number + 1}: {caption}]"

        def changed(message: Message) -> Message:
            parts = (part if isinstance(part, str) else described(next(left)) for part in message.parts)
            return replace(message, parts=tuple(parts))

        return await self._model.ask(replace(request, messages=tuple(map(changed, request.messages))))


class TruthInPrompt(Wrapped):
    """A model whose prompts state the truth in words."""

    def __init__(self, model: Model, identity: str, words: Callable[[], str]) -> None:
        super().__init__(model, identity)
        # A plain function, so that an agent cannot reach the world.
        self._words = words

    async def ask(self, request: Request) -> Reply:
        """The reply given the truth."""
        *others, last = request.messages
        informed = replace(last, parts=(*last.parts, f"\n\n{self._words()}"))
        return await self._model.ask(replace(request, messages=(*others, informed)))


class StateInWords(Wrapped):
    """A model that is told the state in words instead of being shown it.

    The words are those of the moment at which a picture was first the last one of a request.
    """

    def __init__(self, model: Model, identity: str, words: Callable[[], str]) -> None:
        super().__init__(model, identity)
        self.looks = False
        self._told: dict[str, str] = {}
        # A plain function, so that an agent cannot reach the world.
        self._words = words

    async def ask(self, request: Request) -> Reply:
        """The reply given words in place of pictures."""
        if request.pictures:
            self._told.setdefault(request.pictures[-1].key, self._words())

        def in_words(part: Part) -> str:
            return part if isinstance(part, str) else self._told.get(part.key, "An earlier moment, not described.")

        messages = (replace(message, parts=tuple(map(in_words, message.parts))) for message in request.messages)
        return await self._model.ask(replace(request, messages=tuple(messages)))


class RoutedByKind(Wrapped):
    """A model whose requests of some kinds other models answer."""

    def __init__(self, model: Model, identity: str, others: Mapping[Kind, Model]) -> None:
        super().__init__(model, identity)
        self._others = others

    async def ask(self, request: Request) -> Reply:
        """The reply of the model that is responsible for this request."""
        return await self._others.get(request.kind, self._model).ask(request)
