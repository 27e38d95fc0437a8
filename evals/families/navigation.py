"""Navigation: free straight lines, and the moves along a route, by arrows and marks on the floor.

`propose` uses the positions of its marks and rectangles of things; `verify` locates the marks by the depth of the
picture and uses the grid for path planning.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations, product
from math import dist
from random import Random
from typing import TYPE_CHECKING

from envs.render.marks import Arrow, Mark, Point, placed
from envs.shots.cameras import HEIGHT, WIDTH, Head
from evals.families import rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.floors import Spot, grid
from evals.families.lookouts import Look, looks
from evals.families.routes import SHORTEST, Move, along, distinct, over
from models.base import Kind

if TYPE_CHECKING:
    from envs.household.home.paths import Paths
    from envs.shots.view import View

SUB_CATEGORY = "Navigation"
_ROBOT = "The robot is round, 50 cm wide and 140 cm tall; it drives round things, never over or under them."
_LONG = 60.0
"""The least length of arrows, in pixels."""


class Navigation:
    """The family of questions about paths on the floor of a room."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room, from above and from the robot's head."""
        for look in looks(dice):
            for kind, make in rules.shuffled(_MAKERS, dice):
                made = make(look, dice) if kind in types else None
                if made is not None:
                    yield _recipe(look, made)

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from marks located by depth, on the grid for path planning."""
        moment, view = moment_of(recipe), view_of(recipe)
        places, lines = _marked(recipe, view)
        some = next(iter(places.values())) if places else next(iter(lines.values()))[0]
        name = moment.room_at(*some)
        room = next(room for room in moment.home.rooms if room.name == name)
        return _answer(recipe, grid(moment, room), places, lines)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without its picture."""

    kind: Kind
    text: str
    answer: Answer
    options: tuple[str, ...]
    marks: tuple[Mark, ...]
    proof: Mapping[str, object]


def _recipe(look: Look, made: Asked) -> Recipe:
    shot = Shot(look.eye, placed(made.marks, (WIDTH, HEIGHT)))
    return Recipe(
        "navigation", SUB_CATEGORY, made.kind, look.situation, (shot,), made.text, made.answer, made.options,
        proof=made.proof,
    )  # fmt: skip


Line = tuple[Spot, Spot]


def _arrows(look: Look, dice: Random, free: int, blocked: int) -> tuple[list[Line], list[Line]] | None:
    """Numbers of free and of blocked lines that are apart from each other in the picture."""
    pairs = [
        (one, other)
        for one, other in permutations(look.spots, 2)
        if dist(one, other) >= SHORTEST and dist(look.spots[one], look.spots[other]) >= _LONG
    ]
    chosen: dict[bool, list[Line]] = {True: [], False: []}
    wanted = {True: free, False: blocked}
    for line in rules.shuffled(pairs, dice):
        both = [*chosen[True], *chosen[False]]
        if not all(_away(look, line, other) for other in both):
            continue
        clear = look.clear(*line)
        if len(chosen[clear]) < wanted[clear] and (clear or look.blocked(*line)):
            chosen[clear].append(line)
        if len(both) + 1 >= free + blocked and {key: len(lines) for key, lines in chosen.items()} == wanted:
            return chosen[True], chosen[False]
    return None


def _away(look: Look, line: Line, other: Line) -> bool:
    """Whether two arrows are apart in the picture."""
    parts = [k / 12.0 for k in range(13)]

    def points(ends: Line) -> list[tuple[float, float]]:
        (x, y), (u, v) = look.spots[ends[0]], look.spots[ends[1]]
        return [(x + k * (u - x), y + k * (v - y)) for k in parts]

    return all(dist(a, b) >= rules.BETWEEN for a in points(line) for b in points(other))


def _drawn(look: Look, lines: Sequence[Line], dice: Random) -> tuple[dict[str, Line], tuple[Mark, ...]]:
    labels = {str(number): line for number, line in enumerate(rules.shuffled(lines, dice), 1)}
    marks = tuple(Arrow(*look.spots[one], *look.spots[other], text) for text, (one, other) in labels.items())
    return labels, marks


_OWN = f"The picture is what the robot sees. {_ROBOT}"
_ON_FLOOR = f"The arrows lie on the floor, also where they are drawn over things. {_ROBOT}"


_DRIVES = "Judge for each arrow whether the robot can drive straight along it to its tip."
_HITS = "Judge for each arrow whether the robot would run into something on its way straight along it."


def _free_arrow(look: Look, dice: Random) -> Asked | None:
    """Find the only arrow that is free, or the only one that is blocked."""
    open_ = dice.random() < 0.5
    found = _arrows(look, dice, *((1, 3) if open_ else (4, 1)))
    if found is None:
        return None
    right, wrong = found if open_ else found[::-1]
    lines = [*right, *wrong]
    lengths = {line: dist(look.spots[line[0]], look.spots[line[1]]) for line in lines}
    # The shortest arrow must not be the free one, nor the longest the blocked one.
    if (min if open_ else max)(lines, key=lambda line: lengths[line]) == right[0]:
        return None
    labels, marks = _drawn(look, lines, dice)
    text = f"{_ON_FLOOR} Along which arrow can it {'' if open_ else 'not '}drive straight to the tip?"
    numbers = sorted(labels)
    answer = tuple(k for k, number in enumerate(numbers) if labels[number] == right[0])
    return Asked(Kind.CHOICE, text, answer, tuple(f"arrow {number}" for number in numbers), marks, {})


def _judge(look: Look, dice: Random) -> Asked | None:
    """Judge which of four arrows are free."""
    free = dice.randint(1, 3)
    found = _arrows(look, dice, free, 4 - free)
    if found is None:
        return None
    labels, marks = _drawn(look, [*found[0], *found[1]], dice)
    numbers = sorted(labels)
    hits = dice.random() < 0.5
    text = f"{_ON_FLOOR} {_HITS if hits else _DRIVES}"
    statement = (
        "Straight along arrow {}, something is in the robot's way." if hits else "Arrow {} is free for the robot."
    )
    right = found[1] if hits else found[0]
    answer = tuple(int(labels[number] in right) for number in numbers)
    return Asked(Kind.JUDGEMENTS, text, answer, tuple(map(statement.format, numbers)), marks, {})


def _moves(look: Look, dice: Random) -> Asked | None:
    """Sort the turns and drives over three marks."""
    found = _route(look, dice, 3)
    if found is None:
        return None
    spots, moves = found
    options = sorted(moves, key=str)
    back = dice.random() < 0.5
    named = "3, 2 and 1" if back else "1, 2 and 3"
    text = f"{_OWN} It is to drive over the marks {named} on the floor in this order. Put its moves in order."
    answer = tuple(options.index(move) for move in moves)
    return Asked(Kind.ORDER, text, answer, tuple(map(str, options)), _points(look, spots, back), _proof(moves))


def _which_moves(look: Look, dice: Random) -> Asked | None:
    """Choose the moves over two marks, among mirrored ones and ones with exchanged drives."""
    found = _route(look, dice, 2)
    if found is None:
        return None
    spots, (turn, drive, second, last) = found
    routes = [
        (Move(turn=a * turn.turn), one, Move(turn=b * second.turn), other)
        for a, b in product((1.0, -1.0), repeat=2)
        for one, other in ((drive, last), (last, drive))
    ]
    kept = [routes[0], *dice.sample(routes[1:], 5)]
    options = sorted(", ".join(map(str, route)) for route in kept)
    text = f"{_OWN} Which moves bring it over the mark 1 and then onto the mark 2 on the floor?"
    answer = (options.index(", ".join(map(str, routes[0]))),)
    return Asked(Kind.CHOICE, text, answer, tuple(options), _points(look, spots), _proof(routes[0]))


def _route(look: Look, dice: Random, number: int) -> tuple[list[Spot], list[Move]] | None:
    """Places that can be visited in sequence by distinct turns and drives."""
    eye = look.eye
    if not isinstance(eye, Head) or len(look.spots) < number:
        return None
    for _ in range(400):
        spots = dice.sample(list(look.spots), number)
        route = [(eye.x, eye.y), *spots]
        moves = along(eye, route)
        turns, drives = [move.turn for move in moves[::2]], [move.drive for move in moves[1::2]]
        if not distinct(turns, drives) or max(turns) < 0 or min(turns) > 0:
            continue
        first, *legs = pairwise(route)
        if look.narrow.straight(*first) and all(look.wide.straight(*leg) for leg in legs):
            return spots, moves
    return None


def _points(look: Look, spots: Sequence[Spot], back: bool = False) -> tuple[Mark, ...]:
    """Numbers for places in the order of a route, or in reverse."""
    return tuple(Point(*look.spots[spot], str(n)) for n, spot in enumerate(spots[::-1] if back else spots, 1))


def _proof(moves: Sequence[Move]) -> dict[str, object]:
    return {"moves": [str(move) for move in moves]}


Maker = Callable[[Look, Random], Asked | None]
_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("sorting", _moves),
    ("sorting", _moves),
    ("multiple-choice", _which_moves),
    ("multiple-choice", _free_arrow),
    ("composite-judgement", _judge),
)


def _marked(recipe: Recipe, view: View) -> tuple[dict[str, Spot], dict[str, Line]]:
    """Places and lines on the floor by number, located by the depth of the picture."""
    places: dict[str, Spot] = {}
    lines: dict[str, Line] = {}
    for mark in recipe.shots[0].marks:
        if isinstance(mark, Point):
            places[mark.text] = view.point(mark.x, mark.y)[:2]
        elif isinstance(mark, Arrow):
            lines[mark.text] = (view.point(mark.x0, mark.y0)[:2], view.point(mark.x1, mark.y1)[:2])
    return places, lines


def _answer(recipe: Recipe, paths: Paths, places: Mapping[str, Spot], lines: Mapping[str, Line]) -> Answer:
    """The answer to the recipe's text."""
    if recipe.kind is Kind.ORDER:
        return _orders(recipe, places)
    if not lines:
        routes = [[Move.parse(part) for part in option.split(", ")] for option in recipe.options]
        ordered = [places["1"], places["2"]]
        return tuple(k for k, route in enumerate(routes) if over(recipe.shots[0].eye, route, ordered))
    free = {number: _drivable(paths, *line) for number, line in lines.items()}
    found = [free[re.findall(r"rrow (\d+)", option)[0]] for option in recipe.options]
    if recipe.kind is Kind.JUDGEMENTS:
        return tuple(int(one != (_HITS in recipe.text)) for one in found)
    wanted = "can it not drive" not in recipe.text
    return tuple(k for k, one in enumerate(found) if one == wanted)


def _drivable(paths: Paths, one: Spot, other: Spot) -> bool:
    """Whether all cells on a line are free."""
    free = {(round(x, 2), round(y, 2)) for x, y in paths.cells(paths.free)}
    x0, y0 = min(free)
    count = int(dist(one, other) / 0.03) + 1
    for k in range(count + 1):
        at = [a + k / count * (b - a) for a, b in zip(one, other, strict=True)]
        near = tuple(round(low + 0.1 * round((value - low) / 0.1), 2) for value, low in zip(at, (x0, y0), strict=True))
        if near not in free:
            return False
    return True


def _orders(recipe: Recipe, places: Mapping[str, Spot]) -> Answer:
    """The orders of moves that lead over all marks, by trying all."""
    moves = [Move.parse(option) for option in recipe.options]
    ordered = [places[number] for number in sorted(places, reverse="3, 2 and 1" in recipe.text)]
    ways = permutations(range(len(moves)))
    right = [way for way in ways if over(recipe.shots[0].eye, [moves[k] for k in way], ordered)]
    if not right:
        raise ValueError("no order of the moves leads over all marks")
    return tuple(right) if len(right) > 1 else right[0]


FAMILY = Navigation()
