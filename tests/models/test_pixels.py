"""The model that looks without language is right about every fact of real pictures, and refuses what it cannot read."""

from __future__ import annotations

import asyncio
import hashlib
import io
import random
from itertools import pairwise, product

import numpy as np
import pytest
from PIL import Image

from envs.blocksworld.scene import draw
from models.base import Kind, Message, ModelUnavailable, Reply, Request
from models.parsing import Unreadable, yes_no
from models.pixels import Pixels, load, perceive
from planners.formula import Atom

SIZES = [(3, 4), (5, 5), (6, 4)]
Columns = tuple[tuple[str, ...], ...]


class Drawn:
    def __init__(self, png: bytes) -> None:
        self._png = png
        self.key = self.sha256 = hashlib.sha256(png).hexdigest()

    def png(self) -> bytes:
        return self._png


def state(chance: random.Random, blocks: int, columns: int) -> Columns:
    stacks: list[list[str]] = [[] for _ in range(columns)]
    for block in chance.sample("rgbypo", blocks):
        chance.choice(stacks).append(block)
    return tuple(map(tuple, stacks))


def truth(columns: Columns) -> set[Atom]:
    names = [f"c{number + 1}" for number in range(len(columns))]
    facts = {Atom("incolumn", (block, name)) for name, stack in zip(names, columns, strict=True) for block in stack}
    facts |= {Atom("clear", (stack[-1],)) for stack in columns if stack}
    facts |= {Atom("on", (above, below)) for stack in columns for below, above in pairwise(stack)}
    for left, right in product(range(len(names)), repeat=2):
        if left < right:
            facts |= {Atom("leftof", (names[left], names[right])), Atom("rightof", (names[right], names[left]))}
    return facts


def atoms(columns: Columns) -> list[Atom]:
    blocks = [block for stack in columns for block in stack]
    names = [f"c{number + 1}" for number in range(len(columns))]
    return [
        *(Atom("on", pair) for pair in product(blocks, blocks)),
        *(Atom("incolumn", pair) for pair in product(blocks, names)),
        *(Atom("clear", (block,)) for block in blocks),
        *(Atom(side, pair) for side in ("leftof", "rightof") for pair in product(names, names)),
    ]


def ask(model: Pixels, png: bytes, *about: Atom) -> list[Reply]:
    picture = Drawn(png)
    requests = [Request((Message("user", ("?", picture)),), Kind.YES_NO, str(atom)) for atom in about]

    async def all_at_once() -> list[Reply]:
        return await asyncio.gather(*(model.ask(request) for request in requests))

    return asyncio.run(all_at_once())


def check(chance: random.Random, blocks: int, columns: int, seeds: int) -> None:
    shown = state(chance, blocks, columns)
    seed = chance.randrange(seeds)
    facts, asked = truth(shown), atoms(shown)
    for atom, reply in zip(asked, ask(Pixels(), draw(shown, seed), *asked), strict=True):
        expected = "Yes" if atom in facts else "No"
        assert reply.text == expected, f"{atom} of {shown}, seed {seed}"
        assert (reply.yes, reply.no) == ((1.0, 0.0) if atom in facts else (0.0, 1.0))


@pytest.mark.parametrize(
    ("blocks", "columns"), [SIZES[0], *(pytest.param(*size, marks=pytest.mark.slow) for size in SIZES[1:])]
)
def test_right_about_every_fact(blocks: int, columns: int) -> None:
    chance = random.Random(blocks)
    for _ in range(5):
        # Few seeds: a new one takes several times as long to draw.
        check(chance, blocks, columns, seeds=2)


@pytest.mark.slow
@pytest.mark.parametrize(("blocks", "columns"), SIZES)
def test_right_about_every_fact_of_many_states(blocks: int, columns: int) -> None:
    chance = random.Random(blocks * 1000)
    for _ in range(200):
        # No more scenes than are kept: most of the time goes into drawing what stands still in a new one.
        check(chance, blocks, columns, seeds=12)


def test_other_kinds_are_refused() -> None:
    picture = Drawn(b"")
    with pytest.raises(ModelUnavailable, match="yes/no questions only; use a ground agent"):
        asyncio.run(Pixels().ask(Request((Message("user", (picture,)),), Kind.PLAN)))
    with pytest.raises(ModelUnavailable, match="without a picture"):
        asyncio.run(Pixels().ask(Request((Message("user", ("?",)),), Kind.YES_NO, "clear r")))


def test_what_is_not_in_the_picture_is_refused() -> None:
    png = draw((("r",), (), ("g",)), 1)
    for atom in ("clear b", "on r,b", "incolumn r,c4", "leftof c1,c9", "holding r"):
        assert isinstance(yes_no(ask(Pixels(), png, Atom.parse(atom))[0].text), Unreadable)


@pytest.mark.parametrize("colour", [(0, 0, 0), (255, 255, 255), (200, 30, 30)])
def test_pictures_without_sense_are_refused(colour: tuple[int, int, int]) -> None:
    buffer = io.BytesIO()
    Image.new("RGB", (480, 480), colour).save(buffer, "PNG")
    assert isinstance(yes_no(ask(Pixels(), buffer.getvalue(), Atom("clear", ("r",)))[0].text), Unreadable)


def test_a_block_it_does_not_know_is_noticed() -> None:
    png = draw((("r", "g", "b"), (), ()), 2)
    rgb = np.asarray(Image.open(io.BytesIO(png))).astype(int).copy()
    green = (rgb[..., 1] > rgb[..., 0] + 30) & (rgb[..., 1] > rgb[..., 2] + 20)
    rgb[green] = 90
    buffer = io.BytesIO()
    Image.fromarray(rgb.astype(np.uint8)).save(buffer, "PNG")
    with pytest.raises(ModelUnavailable, match="without a known block below it"):
        perceive(buffer.getvalue())


def test_one_look_per_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = []

    def counted(png: bytes) -> object:
        looks.append(png)
        return perceive(png)

    monkeypatch.setattr("models.pixels.perceive", counted)
    model = Pixels()
    ask(model, draw((("r",), ("b",), ()), 0), *[Atom("clear", ("r",))] * 20)
    assert len(looks) == 1


def test_it_takes_no_options() -> None:
    assert load("", {}).identity == "pixels"
    with pytest.raises(ValueError, match="no name and no options"):
        load("large", {})
