"""Object reasoning: a property of a marked thing that follows from what it is."""

from __future__ import annotations

from evals.families.knowledge import Knowledge, fact

FOOD = "apple orange banana sandwich snack_food"
FACTS = (
    fact("can be eaten", "It can be eaten.", FOOD),
    fact("grew on a plant", "It grew on a plant.", "apple orange banana",
         "sandwich snack_food basket hardback box pillow"),
    fact("has pages", "It has pages.", "hardback"),
    fact("has a screen", "It has a screen.", "laptop"),
    fact("has a spout to pour from", "It has a spout to pour from.", "kettle", "bottle vase cup"),
    fact("has a sole", "It has a sole.", "gym_shoe"),
    fact("has a skin that is peeled off before it is used", "It is peeled before it is used.", "banana orange",
         "apple"),
    fact("is soft and filled like a cushion", "It is soft and filled like a cushion.", "pillow", "snack_food gym_shoe"),
    fact("bounces when it is dropped on a hard floor", "It bounces when it is dropped on a hard floor.", "ball",
         "orange apple"),
    fact("would be spoiled most surely by rain", "Rain would spoil it.", "laptop hardback",
         "box pillow sandwich snack_food basket"),
    fact("withstands the heat of a stove", "It withstands the heat of a stove.", "saucepan kettle",
         "bucket toolbox plate"),
    fact("is closed with a cap or a cork", "It is closed with a cap or a cork.", "bottle"),
    fact("is usually made of cardboard", "It is usually made of cardboard.", "box"),
    fact("is woven", "It is woven.", "basket", "pillow gym_shoe"),
    fact("has a hoop to carry it by and holds liquids", "It has a hoop to carry it by and holds liquids.", "bucket",
         "kettle basket"),
    fact("is flat and round", "It is flat and round.", "plate", "hardback laptop bowl"),
    fact("has laces", "It has laces.", "gym_shoe"),
    fact("goes bad within days", "It goes bad within days.", "sandwich banana", "apple orange snack_food"),
)  # fmt: skip
"""Properties. For doubtful kinds, the fact is neither stated nor denied."""

FAMILY = Knowledge(
    "traits", "Object property", "Which marked object", "Which of these is true of the object in the red box?", FACTS
)
