"""Functional context: what a marked thing is used for."""

from __future__ import annotations

from evals.families.knowledge import Knowledge, fact

HOLDERS = "cup bottle bowl vase bucket saucepan kettle"
FACTS = (
    fact("drink coffee from", "Coffee is drunk from it.", "cup", "bowl bottle kettle"),
    fact("take a drink along on a walk in", "A drink is taken along in it.", "bottle", "cup kettle"),
    fact("eat cereal with milk from", "Cereal with milk is eaten from it.", "bowl", "cup plate saucepan"),
    fact("boil water for tea in", "Water for tea is boiled in it.", "kettle", "saucepan"),
    fact("show cut flowers in", "Cut flowers are put in it.", "vase", "bottle bucket cup kettle bowl"),
    fact("cook soup in", "Soup is cooked in it.", "saucepan", "kettle bowl"),
    fact("serve a slice of cake on", "A slice of cake is served on it.", "plate", "bowl"),
    fact("read a novel in", "One reads a novel in it.", "hardback", "laptop"),
    fact("write an e-mail with", "One writes an e-mail with it.", "laptop"),
    fact("send a present by post in", "A present is sent by post in it.", "box", "basket"),
    fact("keep hammers and screwdrivers in", "Hammers and screwdrivers are kept in it.", "toolbox",
         "box bucket basket"),
    fact("carry water for mopping the floor in", "Water for mopping the floor is carried in it.", "bucket", HOLDERS),
    fact("carry a picnic in", "A picnic is carried in it.", "basket", "box bucket toolbox"),
    fact("play catch with", "One plays catch with it.", "ball", "apple orange"),
    fact("go jogging in", "One goes jogging in it.", "gym_shoe"),
    fact("rest one's head on", "One rests one's head on it.", "pillow"),
    fact("make fresh juice from", "Fresh juice is made from it.", "orange apple", "banana"),
    fact("watch a film on", "One watches a film on it.", "laptop"),
)  # fmt: skip
"""Uses. For doubtful kinds, the use is neither stated nor denied."""

FAMILY = Knowledge(
    "uses",
    "Object use",
    "Which marked object would one use to",
    "Which of these is true of the object in the red box?",
    FACTS,
)
