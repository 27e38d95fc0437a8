"""The five categories of EmbodiedEval, and how many tasks each has."""

from __future__ import annotations

COUNTS = {
    "attribute_qa": 95,
    "spatial_qa": 52,
    "navigation": 58,
    "object_interaction": 89,
    "social_interaction": 34,
}
"""The published number of tasks of each category, in the order of the paper's table 2."""
TITLES = {
    "attribute_qa": "Attribute QA",
    "spatial_qa": "Spatial QA",
    "navigation": "Navigation",
    "object_interaction": "Object interaction",
    "social_interaction": "Social interaction",
}
FOLDERS = {
    "AttributeQA": "attribute_qa",
    "SpatialQA": "spatial_qa",
    "Navigation": "navigation",
    "ObjectInteraction": "object_interaction",
    "SocialInteraction": "social_interaction",
}
"""The category of each folder of the original's task files."""
QA = frozenset({"attribute_qa", "spatial_qa"})
"""The categories whose tasks are questions: one wrong answer ends the episode."""
STEPS = 24
"""The number of choices in an episode."""
