"""Every kind of thing, for several seeds: what it says about itself must be true of its parts."""

from __future__ import annotations

import sys
from functools import cache
from itertools import combinations
from math import dist
from pathlib import Path

import pytest

from envs.household.home import things
from envs.household.home.frames import opened
from envs.household.home.model import Cavity, Part, Thing
from envs.household.home.things import KINDS, make
from envs.household.home.things.parts import Bounds, bounds
from envs.household.home.things.turns import moved
from envs.render.scene import Box, Clouds, Colour, Cylinder, Mesh, Plain, Speckle, Sphere
from planners.names import UnknownName

SEEDS = (0, 7)
ORDERED = {
    *("cabinet", "electric_refrigerator", "carton", "shelf", "table", "sink", "counter", "sofa", "bed", "chair"),
    *("lamp", "rug", "plant", "picture", "stove", "tv", "workbench", "door", "window"),
    *("bowl", "spoon", "piece_of_cloth", "snack_food", "sandwich", "hardback", "book", "gym_shoe", "sock"),
    *("plaything", "apple", "orange", "ball", "plate", "saucepan", "marker", "document", "folder", "box"),
    *("cup", "pillow"),
}
VARIANTS = [(kind.name, options) for kind in KINDS.values() for options in ((), *((o,) for o in kind.options))]
MOVABLES = [kind.name for kind in KINDS.values() if kind.movable]
FIXED = [(name, options) for name, options in VARIANTS if not KINDS[name].movable]
LOOSE = 1e-6


def each(kind: str, options: tuple[str, ...] = ()) -> tuple[Thing, ...]:
    """Things of a kind: several seeds, several numbers."""
    return _each(kind, options)


@cache
def _each(kind: str, options: tuple[str, ...]) -> tuple[Thing, ...]:
    numbers = range(1, max(len(KINDS[kind].types), 2) + 1)
    return tuple(make(kind, f"{kind}_{number}", seed, options) for seed in SEEDS for number in numbers)


def all_parts(thing: Thing) -> list[Part]:
    return [*thing.parts, *(part for leaf in thing.leaves for part in leaf.parts)]


def overlap(a: Bounds, b: Bounds, slack: float = LOOSE) -> bool:
    return all(a[0][axis] < b[1][axis] - slack and b[0][axis] < a[1][axis] - slack for axis in range(3))


def box_of(cavity: Cavity) -> Bounds:
    (x, y, z), (w, d, h) = cavity.centre, cavity.size
    return (x - w / 2, y - d / 2, z - h / 2), (x + w / 2, y + d / 2, z + h / 2)


def test_everything_ordered_can_be_made() -> None:
    assert set(KINDS) >= ORDERED


def test_a_new_file_is_found_by_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    new = "from envs.household.home.things.kind import Kind\nKINDS = (Kind({0!r}, lambda order: None),)\n"
    (tmp_path / "yoyo.py").write_text(new.format("yoyo"))
    monkeypatch.setattr(things, "__path__", [*things.__path__, str(tmp_path)])
    assert set(things._found()) == {*KINDS, "yoyo"}
    del sys.modules["envs.household.home.things.yoyo"]
    (tmp_path / "zebra.py").write_text(new.format("apple"))
    with pytest.raises(ValueError, match="make a 'apple'"):
        things._found()
    for name in ("yoyo", "zebra"):
        del sys.modules[f"envs.household.home.things.{name}"]


def test_unknown_kinds_and_options_are_told() -> None:
    with pytest.raises(UnknownName, match=r"no kind of thing 'aple'\. Did you mean 'apple'\? Kinds of thing: "):
        make("aple", "aple_1", 0)
    with pytest.raises(UnknownName, match=r"no option of table 'cofee'\. Did you mean 'coffee'\?"):
        make("table", "table_1", 0, ("cofee",))


def test_kinds_resemble_kinds_that_exist() -> None:
    assert {other for kind in KINDS.values() for other in kind.resembles} <= set(KINDS)
    assert not any(kind.name in kind.resembles for kind in KINDS.values())


@pytest.mark.parametrize(("kind", "options"), VARIANTS)
def test_the_box_is_the_one_round_its_parts(kind: str, options: tuple[str, ...]) -> None:
    for thing in each(kind, options):
        low, high = bounds(all_parts(thing))
        half = (thing.size[0] / 2, thing.size[1] / 2)
        assert thing.kind == kind
        assert thing.movable == KINDS[kind].movable
        assert thing.mass > 0.0
        assert low[2] == pytest.approx(0.0, abs=LOOSE)
        assert high[2] == pytest.approx(thing.size[2], abs=LOOSE)
        for axis in (0, 1):
            assert -half[axis] - LOOSE <= low[axis]
            assert high[axis] <= half[axis] + LOOSE


@pytest.mark.parametrize(("kind", "options"), VARIANTS)
def test_the_same_order_gets_the_same_thing(kind: str, options: tuple[str, ...]) -> None:
    first = each(kind, options)[0]
    assert first == make(kind, first.name, SEEDS[0], options)
    assert any(first != make(kind, first.name, seed, options) for seed in range(1, 9)), "no seed changes its looks"


@pytest.mark.parametrize(("kind", "options"), VARIANTS)
def test_physics_gets_simple_shapes_that_stand_on_the_ground(kind: str, options: tuple[str, ...]) -> None:
    for thing in each(kind, options):
        solid = [part for part in all_parts(thing) if part.solid]
        assert solid or kind == "rug"
        assert all(isinstance(part.shape, Box | Cylinder | Sphere) or kind == "sandwich" for part in solid)
        assert all(part.seen or part.solid for part in all_parts(thing))
        if solid:
            assert bounds(solid)[0][2] < 0.002


@pytest.mark.parametrize(("kind", "options"), VARIANTS)
def test_nothing_is_too_thin_to_be_drawn(kind: str, options: tuple[str, ...]) -> None:
    for thing in each(kind, options):
        for part in all_parts(thing):
            match part.shape:
                case Box(size):
                    assert min(size) >= 0.0015
                case Cylinder(radius, height):
                    assert min(radius, height) >= 0.0015
                case Mesh(points):
                    assert points
                case _:
                    pass


@pytest.mark.parametrize(("kind", "options"), FIXED)
def test_surfaces_lie_on_parts_and_have_the_room_they_say(kind: str, options: tuple[str, ...]) -> None:
    for thing in each(kind, options):
        boxes = [bounds([part]) for part in all_parts(thing) if part.solid]
        for surface in thing.surfaces:
            (x, y, z), (w, d) = surface.centre, surface.size
            low, high = (x - w / 2, y - d / 2), (x + w / 2, y + d / 2)
            assert min(w, d) > 0.2
            assert any(
                abs(box[1][2] - z) < LOOSE and all(box[0][k] < low[k] and high[k] < box[1][k] for k in (0, 1))
                for box in boxes
            )
            free = (*low, z + 0.004), (*high, z + surface.clearance)
            assert not any(overlap(free, bounds([part])) for part in all_parts(thing))


@pytest.mark.parametrize(("kind", "options"), FIXED)
def test_cavities_are_free_and_inside(kind: str, options: tuple[str, ...]) -> None:
    for thing in each(kind, options):
        inside = (-thing.size[0] / 2, -thing.size[1] / 2, 0.0), (thing.size[0] / 2, thing.size[1] / 2, thing.size[2])
        for cavity in thing.cavities:
            box = box_of(cavity)
            assert all(inside[0][axis] < box[0][axis] and box[1][axis] < inside[1][axis] for axis in range(3))
            assert not any(overlap(box, bounds([part])) for part in all_parts(thing))
            assert cavity.leaf is None or cavity.leaf in {leaf.name for leaf in thing.leaves}
        assert not any(overlap(box_of(a), box_of(b)) for a, b in combinations(thing.cavities, 2))


@pytest.mark.parametrize(("kind", "options"), FIXED)
def test_leaves_are_shut_at_first_and_open_outwards(kind: str, options: tuple[str, ...]) -> None:
    for thing in each(kind, options):
        assert len({leaf.name for leaf in thing.leaves}) == len(thing.leaves)
        for leaf in thing.leaves:
            assert leaf.travel > 0.0
            assert opened(leaf, 0.0).position == (0.0, 0.0, 0.0)
            frame = opened(leaf, 1.0)
            shut, wide = bounds(leaf.parts), bounds(moved(leaf.parts, frame.position, frame.rotation))
            if kind == "carton":
                assert max(map(abs, (*wide[0][:2], *wide[1][:2]))) > max(map(abs, (*shut[0][:2], *shut[1][:2]))) + 0.05
            else:
                assert wide[0][1] < shut[0][1] - 0.25


def fits(thing: Thing, holder: Thing) -> bool:
    w, d, h = thing.size
    return any(
        h < cavity.size[2] and any(a < cavity.size[0] and b < cavity.size[1] for a, b in ((w, d), (d, w)))
        for cavity in holder.cavities
    )


@pytest.mark.parametrize(
    ("holder", "options", "kinds"),
    [
        ("carton", (), [kind for kind in MOVABLES if kind not in {"vase", "pillow"}]),
        ("cabinet", (), [kind for kind in MOVABLES if kind not in {"vase", "pillow"}]),
        ("shelf", ("doors",), ["ball", "plate", "saucepan", "bowl", "hardback", "book", "box"]),
        ("cabinet", ("drawers",), ["bowl", "spoon", "piece_of_cloth", "sock", "document", "folder", "marker", "apple"]),
        ("cabinet", ("file",), ["document", "folder", "marker", "book", "hardback"]),
        ("electric_refrigerator", (), ["apple", "orange", "banana", "sandwich", "snack_food", "bowl", "saucepan"]),
    ],
)
def test_movables_fit_into_what_holds_them(holder: str, options: tuple[str, ...], kinds: list[str]) -> None:
    for seed in SEEDS:
        made = make(holder, f"{holder}_1", seed, options)
        for kind in kinds:
            assert all(fits(thing, made) for thing in each(kind)), kind


def colour_of(thing: Thing) -> Colour:
    """The first colour of the part that is seen most of from above."""

    def extent(part: Part) -> float:
        low, high = bounds([part])
        return (high[0] - low[0]) * (high[1] - low[1])

    match max((part for part in thing.parts if part.seen), key=extent).material.texture:
        case Plain(colour) | Clouds(colour) | Speckle(colour):
            return colour
        case other:
            raise AssertionError(other)


@pytest.mark.parametrize(("one", "other"), [("apple", "orange"), ("hardback", "book"), ("document", "folder")])
def test_kinds_that_meet_differ_in_colour(one: str, other: str) -> None:
    assert all(dist(colour_of(a), colour_of(b)) > 0.25 for a in each(one) for b in each(other))


@pytest.mark.parametrize("kind", [kind for kind in MOVABLES if kind != "orange"])
def test_neighbours_of_a_kind_do_not_look_alike(kind: str) -> None:
    for number, thing in enumerate(each(kind)[:-1]):
        after = each(kind)[number + 1]
        if thing.name == f"{kind}_1":
            assert {part.material for part in thing.parts} != {part.material for part in after.parts}


def test_playthings_of_different_numbers_are_different_toys() -> None:
    toys = [make("plaything", f"plaything_{number}", 0) for number in range(1, len(KINDS["plaything"].types) + 1)]
    assert len({len(toy.parts) for toy in toys} | {toy.size for toy in toys}) > len(toys)
