"""Scenes: enough of them, the same every time, walkable, with traits that hold in pictures and people one can read."""

from collections import Counter
from math import acos, degrees, sqrt

import pytest

from envs.embodied import scenes
from envs.embodied.graph import RADIUS
from envs.embodied.guests import middle
from envs.embodied.kinds import kinds, make
from envs.embodied.people import shoulder
from envs.embodied.plans import SCENES
from envs.embodied.view import Eye
from envs.embodied.words import words
from envs.household.home.frames import spot
from envs.household.home.looks import colour_name, colours
from envs.household.home.sheet import Exhibit
from envs.household.home.sheet import scene as alone
from envs.household.home.things import KINDS
from envs.render.ray import snapshot

SAMPLE = ("room_01", "public_01")
CHROMATIC = ("red", "orange", "yellow", "green", "blue", "purple", "pink")
NEW = [kind for kind in kinds() if kind not in KINDS]


def plain(colour):
    return colour.removeprefix("dark ").removeprefix("light ")


def test_there_are_enough_scenes_of_each_group():
    groups = Counter(plan.group for plan in SCENES.values())
    assert groups == {"room": 40, "flat": 40, "house": 25, "public": 26}
    kinds_of_rooms = {kind for plan in SCENES.values() for kind in plan.kinds.values()}
    assert {"shop", "office", "classroom", "gallery", "gym", "restaurant", "library", "waiting room"} <= kinds_of_rooms


def test_every_kind_has_words():
    assert set(kinds()) <= set(words())
    assert len([kind for kind in NEW if kinds()[kind].movable]) >= 40
    assert len([kind for kind in NEW if not kinds()[kind].movable]) >= 35


@pytest.mark.parametrize("name", SAMPLE)
def test_a_scene_is_the_same_every_time(name):
    first = scenes.scene(name)
    again = scenes.scene.__wrapped__(name)
    assert first.home.placed == again.home.placed
    assert first.graph == again.graph
    assert first.people == again.people


@pytest.mark.parametrize("name", SAMPLE)
def test_a_graph_is_in_one_piece_and_free_of_furniture(name):
    scene = scenes.scene(name)
    points = scene.graph.points
    seen, todo = {0}, [0]
    while todo:
        for heading in points[todo.pop()].headings:
            if heading.to >= 0 and heading.to not in seen:
                seen.add(heading.to)
                todo.append(heading.to)
    assert len(seen) == len(points)
    for a, b in scene.graph.edges():
        for step in range(11):
            x, y = (
                points[a].x + (points[b].x - points[a].x) * step / 10,
                points[a].y + (points[b].y - points[a].y) * step / 10,
            )
            for placed in scene.placed.values():
                on_floor = placed.pose.position[2] < 1.0 and placed.thing.size[2] > 0.03
                if on_floor and placed.thing.kind not in ("door", "doorway", "window", "person"):
                    assert not _inside(placed, x, y), (placed.thing.name, a, b)


def _inside(placed, x, y):
    turn, (width, depth, _) = placed.pose.rotation, placed.thing.size
    dx, dy = x - placed.pose.position[0], y - placed.pose.position[1]
    across, along = abs(dx * turn[0] + dy * turn[3]), abs(dx * turn[1] + dy * turn[4])
    return across < width / 2 + RADIUS * 0.5 and along < depth / 2 + RADIUS * 0.5


def test_a_stated_colour_is_the_one_that_is_drawn():
    looked = 0
    for kind in NEW[::3]:
        thing = make(kind, f"{kind}_2", 5)
        main, share = next(iter(colours(thing).items()))
        if share >= 0.5 and plain(main) in CHROMATIC:
            frame = snapshot(alone(Exhibit(thing, kind)), 48, 48)
            pixels = frame.rgb[frame.mask(thing.name)].tolist()
            drawn = Counter(plain(colour_name(tuple(value / 255 for value in pixel))) for pixel in pixels)
            assert max(CHROMATIC, key=lambda name: drawn[name]) == plain(main), kind
            looked += 1
    assert looked > 15


@pytest.mark.parametrize("name", ["room_01", "public_02"])
def test_people_point_at_one_thing_and_differ(name):
    scene = scenes.scene(name)
    for person in scene.people:
        figure = scene.placed[person.name]
        if person.target:
            start = spot(figure.pose, shoulder("point"))
            aim = middle(scene.placed[person.target])
            tip = spot(figure.pose, figure.thing.cavities[0].centre)
            way, there = (
                tuple(b - a for a, b in zip(start, end, strict=True)) for end in ((tip[0], tip[1], tip[2] - 0.02), aim)
            )
            far = sqrt(sum(value**2 for value in there))
            cosine = sum(a * b for a, b in zip(way, there, strict=True)) / far / sqrt(sum(value**2 for value in way))
            assert far * sqrt(max(0.0, 1.0 - cosine**2)) < 0.15
            assert degrees(acos(min(cosine, 1.0))) < 10.0
    shirts = [person.shirt for person in scene.people]
    assert len(set(shirts)) == len(shirts)


def test_rays_and_pictures_agree_on_what_is_in_view():
    viewer = scenes.viewer("room_01")
    point = viewer.scene.graph.points[3]
    eye = Eye(point.x, point.y, point.headings[0].yaw)
    counts = viewer.counts(eye)
    for name in viewer.scene.placed:
        if counts.get(name, 0) > 1500:
            assert viewer.pixels(eye, name) > 0.4 * counts[name]
        if not counts.get(name, 0):
            assert viewer.pixels(eye, name) < 150
