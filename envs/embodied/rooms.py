"""The kinds of rooms: paint and floors, windows, furniture, and small things."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from envs.household.home.recipes import Wish
from envs.household.home.shell import Looks, looks
from envs.household.home.things.materials import paint
from envs.render.scene import Colour, Material, Planks, Tiles, Weave

WINDOWS: Mapping[str, int] = {
    "living room": 2,
    "bathroom": 0,
    "hallway": 0,
    "laundry room": 0,
    "gallery": 0,
    "classroom": 2,
}
"""The most windows of a room; one by default."""

_LIKE = {
    "bathroom": "kitchen",
    "laundry room": "kitchen",
    "dining room": "living room",
    "children's room": "bedroom",
    "gym": "garage",
}
_WALLS: Mapping[str, tuple[Colour, ...]] = {
    "bathroom": ((0.80, 0.90, 0.92), (0.90, 0.93, 0.90)),
    "laundry room": ((0.90, 0.90, 0.86), (0.84, 0.90, 0.94)),
    "dining room": ((0.93, 0.86, 0.76), (0.84, 0.88, 0.82)),
    "children's room": ((0.98, 0.92, 0.74), (0.80, 0.90, 0.97), (0.96, 0.86, 0.90)),
    "office": ((0.90, 0.91, 0.92), (0.86, 0.90, 0.94)),
    "classroom": ((0.96, 0.93, 0.82), (0.86, 0.93, 0.88)),
    "gallery": ((0.95, 0.95, 0.94), (0.93, 0.92, 0.89)),
    "shop": ((0.96, 0.94, 0.90), (0.90, 0.94, 0.96)),
    "gym": ((0.84, 0.87, 0.90), (0.90, 0.88, 0.84)),
    "restaurant": ((0.90, 0.80, 0.68), (0.78, 0.84, 0.78)),
    "library": ((0.92, 0.88, 0.80), (0.86, 0.88, 0.84)),
    "waiting room": ((0.86, 0.92, 0.90), (0.94, 0.92, 0.86)),
}
_OAK, _ASH, _WALNUT = (
    ((0.78, 0.62, 0.43), (0.62, 0.46, 0.29)),
    ((0.83, 0.73, 0.58), (0.70, 0.58, 0.43)),
    ((0.55, 0.39, 0.27), (0.40, 0.27, 0.18)),
)


def style(kind: str, random: Random) -> Looks:
    """Paint and floor of a room of a kind."""
    if kind not in _WALLS:
        return looks(kind, random)
    wall, grain = paint(random.choice(_WALLS[kind]), 0.0), random.randrange(997)
    if kind in _LIKE:
        return Looks(wall, looks(_LIKE[kind], random).floor)
    floors = {
        "office": (Material(Weave((0.46, 0.50, 0.56), (0.42, 0.46, 0.52), 0.03, grain)),),
        "shop": (Material(Tiles((0.90, 0.90, 0.88), (0.5, 0.5), seed=grain), 0.15),),
        "waiting room": (Material(Tiles((0.84, 0.86, 0.84), (0.4, 0.4), seed=grain), 0.1),),
    }.get(kind, tuple(Material(Planks(*tones, grain), 0.05) for tones in (_OAK, _ASH, _WALNUT)))
    return Looks(wall, random.choice(floors))


def _w(kind: str, rule: str, to: str = "", number: int = 1, odds: float = 1.0, *options: str) -> Wish:
    return Wish(kind, rule, options, to, number, odds)  # type: ignore[arg-type]


_ART = (_w("painting", "hung"), _w("painting", "hung", odds=0.7), _w("clock", "hung", odds=0.4))

RECIPES: Mapping[str, tuple[Wish, ...]] = {
    "kitchen": (
        _w("sink", "wall"), _w("stove", "row", "sink"), _w("counter", "row", "stove"),
        _w("electric_refrigerator", "wall"), _w("counter", "wall"), _w("table", "free"), _w("chair", "at", "table", 4, 0.8),
        _w("table", "free", "", 1, 0.4, "round"), _w("cabinet", "wall", odds=0.7), _w("trash_can", "corner"),
        _w("washing_machine", "wall", odds=0.3), _w("clock", "hung", odds=0.7), _w("plant", "corner", odds=0.4),
        _w("stool", "corner", odds=0.4), _w("painting", "hung", odds=0.5),
    ),
    "living room": (
        _w("sofa", "wall"), _w("television", "opposite", "sofa"), _w("table", "before", "sofa", 1, 1.0, "coffee"),
        _w("rug", "under", "sofa", odds=0.8), _w("floor_lamp", "beside", "sofa"), _w("painting", "hung", "sofa"),
        _w("shelf", "wall", odds=0.8), _w("armchair", "corner", odds=0.8), _w("plant", "corner", number=2, odds=0.8),
        _w("piano", "wall", odds=0.3), _w("fireplace", "wall", odds=0.35), _w("aquarium", "wall", odds=0.25),
        _w("pouffe", "free", odds=0.4), _w("speaker", "corner", odds=0.4), _w("standing_fan", "corner", odds=0.3),
        _w("painting", "hung", odds=0.6), _w("cabinet", "wall", odds=0.5), _w("clock", "hung", odds=0.4),
    ),
    "bedroom": (
        _w("bed", "wall"), _w("nightstand", "beside", "bed", 2), _w("painting", "hung", "bed", odds=0.6),
        _w("wardrobe", "wall", odds=0.8), _w("cabinet", "wall", "", 1, 0.7, "drawers"), _w("rug", "under", "bed", odds=0.7),
        _w("mirror", "hung", odds=0.8), _w("table", "wall", "", 1, 0.6, "desk"), _w("chair", "at", "table", 1, 0.9, "office"),
        _w("armchair", "corner", odds=0.4), _w("floor_lamp", "corner", odds=0.6), _w("plant", "corner", odds=0.6),
        _w("hamper", "corner", odds=0.3), _w("painting", "hung", odds=0.5), _w("clock", "hung", odds=0.3),
    ),
    "study": (
        _w("table", "wall", "", 1, 1.0, "desk"), _w("chair", "at", "table", 1, 1.0, "office"), _w("shelf", "wall", number=2),
        _w("cabinet", "wall", "", 1, 0.8, "file"), _w("floor_lamp", "corner"), _w("armchair", "corner", odds=0.7),
        _w("rug", "free", odds=0.6), _w("trash_can", "corner", odds=0.6), *_ART, _w("plant", "corner", odds=0.6),
    ),
    "hallway": (
        _w("coat_rack", "corner"), _w("shoe_rack", "wall", odds=0.7), _w("mirror", "hung"), _w("plant", "corner", odds=0.7),
        _w("umbrella_stand", "corner", odds=0.6), _w("painting", "hung", number=2), _w("cabinet", "wall", odds=0.4),
    ),
    "garage": (
        _w("workbench", "wall"), _w("tool_board", "hung", "workbench"), _w("shelf", "wall"), _w("bicycle", "wall"),
        _w("tyres", "corner"), _w("ladder", "wall", odds=0.7), _w("carton", "wall", number=2), _w("cabinet", "wall", odds=0.5),
        _w("fire_extinguisher", "corner", odds=0.7), _w("vacuum_cleaner", "corner", odds=0.5),
    ),
    "bathroom": (
        _w("washbasin", "wall"), _w("mirror", "hung", "washbasin", odds=0.6), _w("bathtub", "wall", odds=0.8),
        _w("toilet", "wall"), _w("shower", "corner", odds=0.5), _w("towel_rail", "hung"), _w("hamper", "corner", odds=0.7),
        _w("stool", "corner", odds=0.5), _w("trash_can", "corner", odds=0.5), _w("cabinet", "wall", odds=0.5),
    ),
    "dining room": (
        _w("table", "free"), _w("chair", "at", "table", 4), _w("cabinet", "wall"), _w("shelf", "wall", odds=0.5),
        _w("floor_lamp", "corner", odds=0.7), _w("plant", "corner", number=2, odds=0.7), *_ART,
        _w("fireplace", "wall", odds=0.5), _w("piano", "wall", odds=0.4),
    ),
    "children's room": (
        _w("bunk_bed", "wall", odds=0.6), _w("bed", "wall", odds=0.5), _w("toy_chest", "wall"), _w("shelf", "wall"),
        _w("table", "wall", "", 1, 0.8, "desk"), _w("chair", "at", "table"), _w("rug", "free"), _w("crib", "wall", odds=0.4),
        _w("wardrobe", "wall", odds=0.6), _w("painting", "hung", number=2), _w("pouffe", "free", odds=0.6),
    ),
    "laundry room": (
        _w("washing_machine", "wall"), _w("ironing_board", "wall"), _w("drying_rack", "free"), _w("hamper", "corner"),
        _w("shelf", "wall", odds=0.8), _w("sink", "wall", odds=0.5), _w("vacuum_cleaner", "corner", odds=0.7),
        _w("counter", "wall", odds=0.6), _w("cabinet", "wall", odds=0.5),
    ),
    "office": (
        _w("table", "wall", "", 1, 1.0, "desk"), _w("chair", "at", "table", 1, 1.0, "office"),
        _w("table", "free", "", 1, 1.0), _w("chair", "at", "table", 2), _w("copier", "wall"), _w("cabinet", "wall", "", 2, 1.0, "file"),
        _w("shelf", "wall"), _w("whiteboard", "hung"), _w("water_cooler", "corner"), _w("plant", "corner", number=2),
        _w("clock", "hung"), _w("trash_can", "corner"), _w("locker", "wall", odds=0.6), _w("sign", "hung", odds=0.6),
        _w("sofa", "wall", odds=0.4), _w("fire_extinguisher", "corner", odds=0.6),
    ),
    "classroom": (
        _w("blackboard", "hung"), _w("table", "wall", "", 1, 1.0, "desk"), _w("chair", "at", "table"),
        _w("school_desk", "free", number=6), _w("shelf", "wall"), _w("locker", "wall", number=2), _w("clock", "hung"),
        _w("plant", "corner", odds=0.7), _w("trash_can", "corner"), _w("sign", "hung"), _w("easel", "corner", odds=0.6),
        _w("painting", "hung", odds=0.7),
    ),
    "gallery": (
        _w("painting", "hung", number=6), _w("statue", "free", number=3), _w("bench", "free"), _w("plant", "corner", number=2, odds=0.7),
        _w("sign", "hung"), _w("easel", "corner", odds=0.7), _w("fire_extinguisher", "corner", odds=0.6), _w("aquarium", "wall", odds=0.3),
    ),
    "shop": (
        _w("checkout", "wall"), _w("shop_shelf", "wall", number=4), _w("freezer", "wall"), _w("fruit_crate", "wall", number=2),
        _w("clothes_rack", "free", odds=0.8), _w("table", "free", odds=0.6), _w("sign", "hung", number=2), _w("vending_machine", "wall", odds=0.5),
        _w("plant", "corner", odds=0.5), _w("fire_extinguisher", "corner", odds=0.6), _w("magazine_rack", "wall", odds=0.6),
    ),
    "gym": (
        _w("treadmill", "wall", number=2), _w("exercise_bike", "free"), _w("weight_rack", "wall"), _w("bench", "free"),
        _w("punching_bag", "corner"), _w("yoga_mat", "free"), _w("locker", "wall", number=2), _w("water_cooler", "corner"),
        _w("mirror", "hung"), _w("clock", "hung"), _w("standing_fan", "corner", odds=0.6), _w("speaker", "corner", odds=0.6),
        _w("sign", "hung", odds=0.5),
    ),
    "restaurant": (
        _w("bar_counter", "wall"), _w("booth", "wall", number=2), _w("table", "free"), _w("chair", "at", "table", 3),
        _w("table", "free", "", 1, 1.0, "round"), _w("piano", "wall", odds=0.4), _w("aquarium", "wall", odds=0.5),
        _w("coat_rack", "corner"), _w("plant", "corner", number=2), _w("sign", "hung"), *_ART, _w("stool", "corner", odds=0.6),
        _w("umbrella_stand", "corner", odds=0.5), _w("floor_lamp", "corner", odds=0.5),
    ),
    "library": (
        _w("shelf", "wall", number=4), _w("reception", "wall"), _w("table", "free"), _w("chair", "at", "table", 3),
        _w("armchair", "corner", number=2), _w("magazine_rack", "wall"), _w("sign", "hung"), _w("clock", "hung"),
        _w("floor_lamp", "corner"), _w("plant", "corner"), _w("rug", "free", odds=0.6), _w("painting", "hung", odds=0.7),
    ),
    "waiting room": (
        _w("reception", "wall"), _w("bench", "wall", number=2), _w("armchair", "wall", number=2), _w("table", "free", "", 1, 1.0, "coffee"),
        _w("magazine_rack", "wall"), _w("water_cooler", "corner"), _w("vending_machine", "wall", odds=0.7), _w("aquarium", "wall", odds=0.5),
        _w("plant", "corner", number=2), _w("clock", "hung"), _w("sign", "hung", number=2), _w("painting", "hung"),
        _w("television", "wall", odds=0.6), _w("toy_chest", "wall", odds=0.5),
    ),
}  # fmt: skip
"""The furniture of each kind of room, with rules for its place."""

Stock = tuple[str, tuple[str, ...], float]


def _on(text: str, *supports: str, odds: float = 0.55) -> tuple[Stock, ...]:
    return tuple((kind, supports, odds) for kind in text.split())


STOCK: Mapping[str, tuple[Stock, ...]] = {
    "kitchen": (
        *_on("microwave coffee_machine", "counter", odds=0.7), *_on("radio", "counter", "cabinet", odds=0.3),
        *_on("kettle teapot frying_pan", "counter", "stove"),
        *_on("bread cheese cake milk_carton packet jar can tomato lemon pear carrot apple banana", "counter", "table", odds=0.42),
        *_on("mug cup bowl plate fork knife sponge bottle", odds=0.4),
    ),
    "living room": (
        *_on("row_of_books", "shelf", odds=0.9), *_on("row_of_books", "shelf"), *_on("desk_lamp radio", "cabinet", "shelf", "piano", odds=0.4),
        *_on("pillow", "sofa", "armchair", odds=0.8),
        *_on("remote_control magazine newspaper mug glasses phone book apple vase candle", "table", odds=0.5),
        *_on("globe trophy candle vase camera headphones gift hat keys tablet", odds=0.35),
    ),
    "bedroom": (
        *_on("computer", "table", odds=0.8), *_on("desk_lamp", "nightstand", "table", odds=0.9), *_on("pillow", "bed", odds=0.5),
        *_on("alarm_clock book glasses phone", "nightstand", odds=0.5),
        *_on("hat scarf handbag backpack towel headphones hairbrush wallet gift laptop umbrella candle mug", odds=0.33),
    ),
    "study": (
        *_on("computer", "table", odds=1.0), *_on("desk_lamp", "table", odds=0.7), *_on("row_of_books", "shelf", odds=0.9), *_on("row_of_books", "shelf", odds=0.9),
        *_on("notebook pencil stapler calculator scissors envelope marker mug", "table", odds=0.45),
        *_on("globe trophy camera tablet glasses newspaper folder hardback torch keys radio", odds=0.38),
    ),
    "hallway": (*_on("keys hat umbrella wallet scarf gift envelope", odds=0.5),),
    "garage": (
        *_on("hammer torch bucket toolbox watering_can", "workbench", "shelf", odds=0.6),
        *_on("racket ball box spray_bottle can", "shelf", "workbench", odds=0.5),
    ),
    "bathroom": (
        *_on("soap soap_dispenser toothbrush hairbrush", "washbasin", odds=0.5),
        *_on("towel toilet_roll sponge spray_bottle candle bucket", "washbasin", "stool", "cabinet", odds=0.6),
    ),
    "dining room": (
        *_on("wine_glass plate fork knife candle cake bread teapot vase bottle pear lemon", "table", odds=0.4),
        *_on("row_of_books", "shelf", odds=0.9), *_on("desk_lamp radio", "cabinet", odds=0.5), *_on("trophy bowl jar vase gift", odds=0.4),
    ),
    "children's room": (
        *_on("desk_lamp", "table", odds=0.8), *_on("row_of_books", "shelf", odds=0.9),
        *_on("toy_robot plaything ball globe backpack notebook pencil racket scissors", odds=0.5), *_on("pillow", "bed", odds=0.6),
        *_on("toy_robot plaything ball", odds=0.5),
    ),
    "laundry room": (*_on("towel sponge spray_bottle basket soap bucket sock piece_of_cloth torch watering_can hat", odds=0.55),),
    "office": (
        *_on("computer", "table", odds=1.0), *_on("desk_lamp", "table", odds=0.6), *_on("row_of_books", "shelf", odds=0.9),
        *_on("stapler calculator notebook pencil mug phone folder envelope scissors laptop", "table", odds=0.5),
        *_on("trophy keys card tablet headphones newspaper camera backpack", odds=0.4),
    ),
    "classroom": (
        *_on("computer", "table", odds=0.6), *_on("row_of_books", "shelf", odds=0.9),
        *_on("notebook pencil scissors calculator book backpack marker apple", "school_desk", odds=0.6),
        *_on("globe trophy glasses mug stapler ball", odds=0.5),
    ),
    "gallery": (*_on("camera handbag umbrella hat card", "bench", odds=0.4),),
    "shop": (
        *_on("can jar packet milk_carton bread cheese bottle", "shop_shelf", odds=0.6),
        *_on("soap spray_bottle sponge toilet_roll candle torch toy_robot", "shop_shelf", odds=0.45),
        *_on("card wallet phone gift handbag apple", "checkout", "table", odds=0.4),
    ),
    "gym": (
        *_on("dumbbell towel bottle headphones racket ball phone", odds=0.55), *_on("dumbbell", "weight_rack", odds=0.8),
    ),
    "restaurant": (
        *_on("wine_glass plate fork knife candle bottle cake teapot mug bowl", odds=0.45), *_on("radio", "bar_counter", odds=0.4),
        *_on("lemon doughnut hat wallet bread", odds=0.4),
    ),
    "library": (
        *_on("row_of_books", "shelf", odds=1.0), *_on("row_of_books", "shelf", odds=1.0), *_on("row_of_books", "shelf", odds=1.0),
        *_on("computer", "reception", odds=0.9), *_on("desk_lamp", "table", odds=0.7),
        *_on("book magazine newspaper glasses notebook globe hardback pencil card umbrella", odds=0.5),
    ),
    "waiting room": (
        *_on("computer", "reception", odds=0.8), *_on("magazine newspaper mug glasses phone handbag keys book umbrella", odds=0.5),
        *_on("toy_robot plaything ball", odds=0.5),
    ),
}  # fmt: skip
"""Small things of each kind of room: kind, supports (any if empty), probability."""
