"""The household tasks: for each row of the benchmark's table, what there is, how it lies at the start, what is wanted.

A row is drawn several times. Each draw varies rooms, furniture and where things lie; goals are the same for a row, so
that its problems take equally many actions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from envs.household.home.draft import Need
from envs.household.home.things import KINDS
from envs.household.predicates import OPEN
from planners.formula import Atom, Literal, State

LEAVED = ("cabinet", "electric_refrigerator", "carton", "door", "window")
"""Kinds that open: containers in the words of the domain, as are shelves with doors."""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a problem needs and what it wants; where it is set is decided later."""

    needs: tuple[Need, ...]
    goal: tuple[Literal, ...]

    def types(self) -> dict[str, str]:
        """The objects of the problem by name."""
        return {need.name: type_of(need) for need in self.needs}

    def given(self) -> State:
        """What holds at the start because the home is made so."""
        return frozenset(fact for need in self.needs for fact in _given(need))


@dataclass(frozen=True, slots=True)
class Row:
    """A task in a split: how many problems, how many actions the shortest plan takes, and who briefs for them."""

    task: str
    split: str
    count: int
    shortest: int
    brief: Callable[[Random], Brief]


def type_of(need: Need) -> str:
    """What the domain takes a thing for."""
    if KINDS[need.kind].movable:
        return "movable"
    return "container" if need.kind in LEAVED or "doors" in need.options else "object"


def _given(need: Need) -> Iterable[Atom]:
    if need.on is not None:
        yield Atom("ontop", (need.name, need.on))
    if need.inside is not None:
        yield Atom("inside", (need.name, need.inside))
        yield Atom("nextto", (need.name, need.inside))
    if type_of(need) == "container" and need.opening >= OPEN:
        yield Atom("open", (need.name,))


def need(
    name: str,
    *options: str,
    room: str | None = None,
    on: str | None = None,
    inside: str | None = None,
    shut: bool = True,
) -> Need:
    """What is needed, by its name; its kind is the name without the number."""
    return Need(name, name.rpartition("_")[0], options, room, on, inside, opening=0.0 if shut else 1.0)


def wants(*facts: str) -> tuple[Literal, ...]:
    """`ontop a,b`, or `not open c`."""
    return tuple(Literal(Atom.parse(fact.removeprefix("not ")), not fact.startswith("not ")) for fact in facts)


def drawers_simple(dice: Random) -> Brief:
    """A bowl from the cabinet to the sink; a cloth may lie beside it, and there may be another cabinet."""
    extra = dice.choice(((), (need("piece_of_cloth_1", inside="cabinet_1"),), (need("cabinet_2", room="kitchen"),)))
    cabinet = need("cabinet_1", room="kitchen")
    bowl = need("bowl_1", inside="cabinet_1")
    return Brief((cabinet, need("sink_1", room="kitchen"), bowl, *extra), wants("ontop bowl_1,sink_1"))


def drawers_medium(dice: Random) -> Brief:
    """A bowl and a spoon from two cabinets to the sink."""
    first, second = dice.sample(("kitchen", dice.choice(("kitchen", "hallway", "living room"))), 2)
    needs = (
        need("cabinet_1", room=first),
        need("cabinet_2", room=second),
        need("sink_1", room="kitchen"),
        need("bowl_1", inside="cabinet_1"),
        need("spoon_1", inside="cabinet_2"),
    )
    return Brief(needs, wants("ontop bowl_1,sink_1", "ontop spoon_1,sink_1"))


def drawers_hard(dice: Random) -> Brief:
    """Two bowls and a cloth from three cabinets to the sink."""
    things = ("bowl_1", "bowl_2", "piece_of_cloth_1")
    rooms = ("kitchen", *dice.sample(("kitchen", "hallway", "living room", "study"), 2))
    needs = (
        need("sink_1", room="kitchen"),
        *(need(f"cabinet_{number}", room=room) for number, room in enumerate(rooms, 1)),
        *(need(name, inside=f"cabinet_{number}") for number, name in enumerate(things, 1)),
    )
    return Brief(needs, wants(*(f"ontop {name},sink_1" for name in things)))


def doors(dice: Random) -> Brief:
    """Two doors to be shut."""
    names = ("door_1", "door_2")
    return Brief(tuple(need(name, shut=False) for name in names), wants(*(f"not open {name}" for name in names)))


def windows(dice: Random) -> Brief:
    """Three windows to be shut."""
    names = ("window_1", "window_2", "window_3")
    extra = dice.choice(((), (need("sofa_1", room="living room"),), (need("window_4"),)))
    needs = (*(need(name, shut=False) for name in names), *extra)
    return Brief(needs, wants(*(f"not open {name}" for name in names)))


def lunch_simple(dice: Random) -> Brief:
    """A snack from the cabinet into the carton."""
    table = dice.choice(("table_1", "counter_1"))
    needs = (
        need("carton_1", room=dice.choice(("kitchen", "hallway")), shut=False),
        need("cabinet_1", room="kitchen"),
        need("snack_food_1", inside="cabinet_1"),
        need(table, room="kitchen"),
        need(dice.choice(("apple_1", "sandwich_1")), on=table),
    )
    return Brief(needs, wants("inside snack_food_1,carton_1"))


def lunch_medium(dice: Random) -> Brief:
    """A sandwich from the refrigerator and a snack from the cabinet into the carton."""
    needs = (
        need("carton_1", room=dice.choice(("kitchen", "hallway", "living room")), shut=False),
        need("electric_refrigerator_1", room="kitchen"),
        need("cabinet_1", room="kitchen"),
        need("sandwich_1", inside="electric_refrigerator_1"),
        need("snack_food_1", inside="cabinet_1"),
        *dice.choice(((), (need("counter_1", room="kitchen"), need("apple_1", on="counter_1")))),
    )
    return Brief(needs, wants("inside sandwich_1,carton_1", "inside snack_food_1,carton_1"))


def _reading_room(dice: Random) -> tuple[Need, Need]:
    """A table and a shelf, not always in one room."""
    room, table = dice.choice((("study", ("desk",)), ("living room", ("coffee",)), ("living room", ())))
    return need("table_1", *table, room=room), need("shelf_1", room=dice.choice((room, "study", "living room")))


def books_simple(dice: Random) -> Brief:
    """A hardback from the table to the shelf; other books lie about."""
    others = ("book_1", "book_2", "hardback_2")[: dice.randint(0, 3)]
    books = (need(name, on=dice.choice(("table_1", "table_1", "shelf_1"))) for name in others)
    needs = (*_reading_room(dice), need("hardback_1", on="table_1"), *books)
    return Brief(needs, wants("ontop hardback_1,shelf_1"))


def books_medium(dice: Random) -> Brief:
    """A hardback and a book to the shelf; the book lies on the table or on the floor."""
    table, shelf = _reading_room(dice)
    book = dice.choice((need("book_1", on="table_1"), need("book_1", room=table.room)))
    others = (need("book_2", on=dice.choice(("table_1", "shelf_1"))),) if dice.random() < 0.7 else ()
    needs = (table, shelf, need("hardback_1", on="table_1"), book, *others)
    return Brief(needs, wants("ontop hardback_1,shelf_1", "ontop book_1,shelf_1"))


def misplaced(dice: Random) -> Brief:
    """A shoe and a sock from the floor or the sofa to a table."""
    first, second = dice.sample(("living room", "bedroom", "hallway"), 2)
    needs = (
        need("table_1", "coffee", room="living room"),
        need("table_2", room=dice.choice(("study", "kitchen", "living room"))),
        need("cabinet_1", room=second),
        need("sofa_1", room="living room"),
        need("gym_shoe_1", room=first),
        need("sock_1", on=dice.choice(("table_1", "sofa_1"))),
        dice.choice((need("sock_2", on="sofa_1"), need("sock_2", room=first))),
    )
    return Brief(needs, wants("ontop gym_shoe_1,table_2", "ontop sock_2,table_2"))


def _toys(dice: Random, room: str) -> tuple[Need, ...]:
    """Four toys on the floor and on the table, and the room they are in."""
    names = (f"plaything_{number}" for number in range(1, 5))
    on_table = dice.randint(0, 2)
    return tuple(
        need(name, on="table_1") if place < on_table else need(name, room=room)
        for name, place in zip(names, dice.sample(range(4), 4), strict=True)
    )


def toys_medium(dice: Random) -> Brief:
    """Two of four toys into the carton."""
    room = dice.choice(("living room", "bedroom"))
    table = need("table_1", "coffee", room="living room")
    needs = (need("carton_1", room=room, shut=False), table, *_toys(dice, room))
    return Brief(needs, wants("inside plaything_4,carton_1", "inside plaything_2,carton_1"))


def toys_hard(dice: Random) -> Brief:
    """Three of four toys into one of two cartons."""
    room = dice.choice(("living room", "bedroom"))
    needs = (
        need("carton_1", room=room, shut=False),
        need("carton_2", room=dice.choice((room, "hallway")), shut=dice.random() < 0.5),
        need("table_1", "coffee", room="living room"),
        *_toys(dice, room),
    )
    return Brief(needs, wants(*(f"inside plaything_{number},carton_1" for number in (4, 2, 1))))


def _kitchen(dice: Random, *fruit: Need) -> tuple[Need, ...]:
    """Fruit in a kitchen with a counter, a table and a refrigerator that is shut."""
    table = need("table_1", *dice.choice(((), ("round",))), room="kitchen")
    return need("electric_refrigerator_1", room="kitchen"), table, need("counter_1", room="kitchen"), *fruit


def groceries_medium(dice: Random) -> Brief:
    """An apple into the refrigerator, an orange on the table."""
    fruit = (need(name, on="counter_1") for name in ("apple_1", "apple_2", "orange_1"))
    return Brief(_kitchen(dice, *fruit), wants("inside apple_1,electric_refrigerator_1", "ontop orange_1,table_1"))


def groceries_hard(dice: Random) -> Brief:
    """An apple into the refrigerator, one out of it on the table, and an orange beside another.

    Nothing that is to have something beside it has to be moved: the domain believes that it keeps its neighbours.
    """
    fruit = (
        need("apple_1", on="counter_1"),
        need("apple_2", inside="electric_refrigerator_1"),
        need("orange_1", on="counter_1"),
        need("orange_2", on="table_1"),
    )
    goal = ("inside apple_1,electric_refrigerator_1", "ontop apple_2,table_1", "nextto orange_1,orange_2")
    return Brief(_kitchen(dice, *fruit), wants(*goal))


def garage(dice: Random) -> Brief:
    """A ball from the floor and a plate from the shelf into a carton that is shut."""
    others = ("ball_2", "plate_2", "saucepan_1")[: dice.randint(1, 3)]
    needs = (
        need("shelf_1", "doors", room="garage"),
        need("workbench_1", room="garage"),
        need("carton_1", room="garage"),
        need("carton_2", room="garage", shut=dice.random() < 0.5),
        need("ball_1", room="garage"),
        need("plate_1", inside="shelf_1"),
        *(need(name, room="garage") if name == "ball_2" else need(name, on="workbench_1") for name in others),
    )
    return Brief(needs, wants("inside ball_1,carton_1", "inside plate_1,carton_1"))


def papers(dice: Random) -> Brief:
    """Two documents into the cabinet, and the marker on the table."""
    papers = ("document_1", "document_2", "document_3", "folder_1")
    needs = (
        need("table_1", "desk", room="study"),
        need("cabinet_1", *dice.choice((("file",), ())), room="study"),
        need("chair_1", room="study"),
        dice.choice((need("marker_1", room="study"), need("marker_1", on="chair_1"))),
        *(need(name, on="table_1") for name in papers[: dice.randint(3, 4)]),
    )
    return Brief(needs, wants("ontop marker_1,table_1", "inside document_1,cabinet_1", "inside document_3,cabinet_1"))


ROWS = (
    Row("cleaning_out_drawers", "simple", 5, 5, drawers_simple),
    Row("locking_every_door", "simple", 5, 4, doors),
    Row("locking_every_window", "simple", 5, 6, windows),
    Row("packing_food_for_work", "simple", 5, 5, lunch_simple),
    Row("sorting_books", "simple", 5, 4, books_simple),
    Row("cleaning_out_drawers", "medium", 2, 10, drawers_medium),
    Row("collect_misplaced_items", "medium", 4, 8, misplaced),
    Row("packing_food_for_work", "medium", 4, 10, lunch_medium),
    Row("putting_away_toys", "medium", 5, 8, toys_medium),
    Row("sorting_books", "medium", 4, 8, books_medium),
    Row("sorting_groceries", "medium", 6, 10, groceries_medium),
    Row("cleaning_out_drawers", "hard", 5, 15, drawers_hard),
    Row("organizing_boxes_in_garage", "hard", 5, 11, garage),
    Row("organizing_file_cabinet", "hard", 4, 14, papers),
    Row("putting_away_toys", "hard", 4, 12, toys_hard),
    Row("sorting_groceries", "hard", 7, 13, groceries_hard),
)
"""Table 5 of the ViPlan paper: tasks, counts and lengths are its; the homes and things are ours."""
