"""World knowledge: where in a home a marked thing belongs, wherever it is now."""

from __future__ import annotations

from evals.families.knowledge import Knowledge, fact

FACTS = (
    fact("in a kitchen cupboard with the crockery", "In a kitchen cupboard, with the crockery.", "cup bowl plate",
         "saucepan kettle vase bottle basket box"),
    fact("in a fruit bowl", "In a fruit bowl.", "apple orange banana", "ball"),
    fact("on a bookshelf", "On a bookshelf.", "hardback", "vase box basket laptop ball"),
    fact("in a garage, beside the workbench", "In a garage, beside the workbench.", "toolbox",
         "bucket box basket ball bottle"),
    fact("on a shoe rack", "On a shoe rack.", "gym_shoe"),
    fact("at the head of a bed", "At the head of a bed.", "pillow", "hardback"),
    fact("on a stove", "On a stove.", "saucepan kettle"),
    fact("with the cleaning things", "With the cleaning things.", "bucket", "bottle basket box"),
    fact("on an office desk", "On an office desk.", "laptop", "cup hardback bottle box"),
)  # fmt: skip
"""Places. For doubtful kinds, the place is neither stated nor denied."""

FAMILY = Knowledge(
    "belonging",
    "Object place",
    "Which marked object would one tidy away",
    "Where in a home does the object in the red box usually belong?",
    FACTS,
)
