"""The household tasks: objects, initial places and goal for each row of the benchmark's table.

A row is drawn several times. Each draw varies rooms, furniture and places; the goal of a row is always the same, so
that its problems take equally many actions.
"""

from __future__ import annotations

from random import Random

from envs.household.briefs import Brief, Row, need, wants
from envs.household.home.draft import Need


def _about(place: str, *names: str) -> tuple[Need, ...]:
    """Distractors: other things on a support."""
    return tuple(need(name, on=place) for name in names)


def drawers_simple(dice: Random) -> Brief:
    """A bowl from the cabinet to the sink; other things lie in two cabinets."""
    extra = (need(name, inside=dice.choice(("cabinet_1", "cabinet_2"))) for name in ("bowl_2", "piece_of_cloth_1"))
    cabinets = (need(name, room="kitchen") for name in ("cabinet_1", "cabinet_2"))
    needs = (*cabinets, need("sink_1", room="kitchen"), need("bowl_1", inside="cabinet_1"), *extra)
    return Brief(needs, wants("ontop bowl_1,sink_1"))


def drawers_medium(dice: Random) -> Brief:
    """A bowl and a spoon from two cabinets to the sink."""
    first, second = dice.sample(("kitchen", dice.choice(("kitchen", "hallway", "living room"))), 2)
    needs = (
        need("cabinet_1", room=first),
        need("cabinet_2", room=second),
        need("sink_1", room="kitchen"),
        need("counter_1", room="kitchen"),
        *(need(name, inside="cabinet_1") for name in ("bowl_1", "bowl_2", "piece_of_cloth_1")),
        *(need(name, inside="cabinet_2") for name in ("spoon_1", "spoon_2")),
    )
    return Brief(needs, wants("ontop bowl_1,sink_1", "ontop spoon_1,sink_1"))


def drawers_hard(dice: Random) -> Brief:
    """Two bowls and a cloth from three cabinets to the sink."""
    things = ("bowl_1", "bowl_2", "piece_of_cloth_1")
    rooms = ("kitchen", *dice.sample(("kitchen", "hallway", "living room", "study"), 2))
    needs = (
        need("sink_1", room="kitchen"),
        need("counter_1", room="kitchen"),
        *(need(f"cabinet_{number}", room=room) for number, room in enumerate(rooms, 1)),
        *(need(name, inside=f"cabinet_{number}") for number, name in enumerate(things, 1)),
        *(need(name, inside=f"cabinet_{dice.randint(1, 3)}") for name in ("spoon_1", "cup_1")),
    )
    return Brief(needs, wants(*(f"ontop {name},sink_1" for name in things)))


def doors(dice: Random) -> Brief:
    """Shut two doors."""
    names = ("door_1", "door_2")
    return Brief(tuple(need(name, shut=False) for name in names), wants(*(f"not open {name}" for name in names)))


def windows(dice: Random) -> Brief:
    """Shut three windows, of perhaps four."""
    names = ("window_1", "window_2", "window_3")
    extra = (need("sofa_1", room="living room"), *dice.choice(((), (need("window_4"),))))
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
        *_about(table, "apple_1", "bottle_1"),
        need("electric_refrigerator_1", room="kitchen"),
    )
    return Brief(needs, wants("inside snack_food_1,carton_1"))


def lunch_medium(dice: Random) -> Brief:
    """A sandwich from the refrigerator and a snack from the cabinet into the carton."""
    table = dice.choice(("table_1", "counter_1"))
    needs = (
        need("carton_1", room=dice.choice(("kitchen", "hallway", "living room")), shut=False),
        need("electric_refrigerator_1", room="kitchen"),
        need("cabinet_1", room="kitchen"),
        need(table, room="kitchen"),
        need("sandwich_1", inside="electric_refrigerator_1"),
        need("snack_food_1", inside="cabinet_1"),
        need("bottle_1", inside=dice.choice(("electric_refrigerator_1", "cabinet_1"))),
        *_about(table, "apple_1", "cup_1"),
    )
    return Brief(needs, wants("inside sandwich_1,carton_1", "inside snack_food_1,carton_1"))


def _reading_room(dice: Random) -> tuple[Need, Need]:
    """A table and a shelf, not always in one room."""
    room, table = dice.choice((("study", ("desk",)), ("living room", ("coffee",)), ("living room", ())))
    return need("table_1", *table, room=room), need("shelf_1", room=dice.choice((room, "study", "living room")))


def books_simple(dice: Random) -> Brief:
    """A hardback from the table to the shelf; other books lie about."""
    books = (need(name, on=dice.choice(("table_1", "table_1", "shelf_1"))) for name in ("book_1", "book_2"))
    needs = (*_reading_room(dice), need("hardback_1", on="table_1"), *books, *_about("shelf_1", "hardback_2"))
    return Brief(needs, wants("ontop hardback_1,shelf_1"))


def books_medium(dice: Random) -> Brief:
    """A hardback and a book to the shelf; the book lies on the table or on the floor."""
    table, shelf = _reading_room(dice)
    book = dice.choice((need("book_1", on="table_1"), need("book_1", room=table.room)))
    others = (*_about("table_1", "book_2", "cup_1"), *_about("shelf_1", "hardback_2", "book_3"))
    needs = (table, shelf, need("hardback_1", on="table_1"), book, *others, need("armchair_1", room=table.room))
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
        *_about("table_2", "laptop_1", "cup_1"),
        *_about("sofa_1", "book_1"),
    )
    return Brief(needs, wants("ontop gym_shoe_1,table_2", "ontop sock_2,table_2"))


def _toys(dice: Random, room: str) -> tuple[Need, ...]:
    """Six toys on the floor of a room and on the table, with a piece of furniture beside them."""
    names = [f"plaything_{number}" for number in range(1, 7)]
    on_table = dice.randint(0, 2)
    seat = need("sofa_1" if room == "living room" else "bed_1", room=room)
    return seat, *(
        need(name, on="table_1") if place < on_table else need(name, room=room)
        for name, place in zip(names, dice.sample(range(6), 6), strict=True)
    )


def toys_medium(dice: Random) -> Brief:
    """Two of six toys into the carton."""
    room = dice.choice(("living room", "bedroom"))
    table = need("table_1", "coffee", room="living room")
    needs = (need("carton_1", room=room, shut=False), table, *_toys(dice, room))
    return Brief(needs, wants("inside plaything_4,carton_1", "inside plaything_2,carton_1"))


def toys_hard(dice: Random) -> Brief:
    """Three of six toys into one of two cartons."""
    room = dice.choice(("living room", "bedroom"))
    needs = (
        need("carton_1", room=room, shut=False),
        need("carton_2", room=dice.choice((room, "hallway")), shut=dice.random() < 0.5),
        need("table_1", "coffee", room="living room"),
        *_toys(dice, room),
    )
    return Brief(needs, wants(*(f"inside plaything_{number},carton_1" for number in (4, 2, 1))))


def _kitchen(dice: Random, *fruit: Need) -> tuple[Need, ...]:
    """Fruit in a kitchen with a counter, a table and a refrigerator that is shut; other things lie beside it."""
    table = need("table_1", *dice.choice(((), ("round",))), room="kitchen")
    furniture = (need("electric_refrigerator_1", room="kitchen"), table, need("counter_1", room="kitchen"))
    chair = need("chair_1", room="kitchen")
    return *furniture, chair, *fruit, *_about("counter_1", "banana_1", "bottle_1"), *_about("table_1", "cup_1")


def groceries_medium(dice: Random) -> Brief:
    """An apple into the refrigerator, an orange on the table."""
    fruit = _about("counter_1", "apple_1", "apple_2", "orange_1")
    return Brief(_kitchen(dice, *fruit), wants("inside apple_1,electric_refrigerator_1", "ontop orange_1,table_1"))


def groceries_hard(dice: Random) -> Brief:
    """An apple into the refrigerator, one out of it on the table, and an orange beside another.

    Things that need a neighbour need not be moved, because in the domain a moved thing keeps its neighbours.
    """
    fruit = (
        *_about("counter_1", "apple_1", "orange_1"),
        need("apple_2", inside="electric_refrigerator_1"),
        *_about("table_1", "orange_2"),
    )
    goal = ("inside apple_1,electric_refrigerator_1", "ontop apple_2,table_1", "nextto orange_1,orange_2")
    return Brief(_kitchen(dice, *fruit), wants(*goal))


def garage(dice: Random) -> Brief:
    """A ball from the floor and a plate from the shelf into a carton that is shut."""
    needs = (
        need("shelf_1", "doors", room="garage"),
        need("workbench_1", room="garage"),
        need("carton_1", room="garage"),
        need("carton_2", room="garage", shut=dice.random() < 0.5),
        *(need(name, room="garage") for name in ("ball_1", "ball_2")),
        *(need(name, inside="shelf_1") for name in ("plate_1", "plate_2")),
        *_about("workbench_1", "saucepan_1", "toolbox_1"),
    )
    return Brief(needs, wants("inside ball_1,carton_1", "inside plate_1,carton_1"))


def papers(dice: Random) -> Brief:
    """Two documents into the cabinet, and the marker on the table."""
    needs = (
        need("table_1", "desk", room="study"),
        need("cabinet_1", *dice.choice((("file",), ())), room="study"),
        need("chair_1", room="study"),
        dice.choice((need("marker_1", room="study"), need("marker_1", on="chair_1"))),
        *_about("table_1", "document_1", "document_2", "document_3", "folder_1"),
        *dice.choice(((), _about("table_1", "laptop_1"))),
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
"""Tasks, counts and lengths are those of table 5 of the ViPlan paper; the homes and things are our own."""
