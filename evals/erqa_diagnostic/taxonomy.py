"""The twelve sub-types of ERQA-Plus in five families, how many questions each has, and what depends on what."""

from __future__ import annotations

from collections.abc import Mapping

PERCEPTUAL, ACTION = "Perceptual Reasoning", "Action-Centric Reasoning"
SOCIAL, NAVIGATION = "Social and Interaction Reasoning", "Navigation and Environmental Reasoning"
CONTEXT = "Contextual and Commonsense Reasoning"

FAMILIES: Mapping[str, Mapping[str, int]] = {
    PERCEPTUAL: {"Spatial Reasoning": 560, "Object Reasoning": 385, "Temporal Reasoning": 15},
    ACTION: {"Action Recognition": 170, "Procedural Reasoning": 115, "Intention Reasoning": 38},
    SOCIAL: {"Attention and Role Understanding": 15},
    NAVIGATION: {"Layout Understanding": 156, "Path Planning": 15},
    CONTEXT: {"Functional Context": 243, "Plausible Event Prediction": 38, "World Knowledge Grounding": 16},
}
"""Counts by family and sub-type. They are not published; they follow from tables 1 and 2."""
SHORT: Mapping[str, str] = {PERCEPTUAL: "PR", ACTION: "ACR", SOCIAL: "SIR", NAVIGATION: "NER", CONTEXT: "CCR"}
"""How the tables abbreviate families."""
COUNTS: Mapping[str, int] = {name: count for parts in FAMILIES.values() for name, count in parts.items()}
"""Counts by sub-type."""
FAMILY_OF: Mapping[str, str] = {name: family for family, parts in FAMILIES.items() for name in parts}
"""The family of each sub-type."""
DEPENDS: Mapping[str, tuple[str, ...]] = {
    PERCEPTUAL: (),
    ACTION: (PERCEPTUAL, SOCIAL, NAVIGATION),
    SOCIAL: (PERCEPTUAL,),
    NAVIGATION: (PERCEPTUAL, CONTEXT),
    CONTEXT: (),
}
"""What each family depends on."""
MEANINGS: Mapping[str, str] = {
    "Spatial Reasoning": "where things are and how large they are: position, distance, support, containment, hiding",
    "Object Reasoning": "which things there are and what properties they have",
    "Temporal Reasoning": "in which order things happened, how they moved, and what caused what",
    "Action Recognition": "which action a person or a robot carries out",
    "Procedural Reasoning": "which steps a task needs, in which order, and whether it is done",
    "Intention Reasoning": "which goal somebody pursues, or what they will do next",
    "Attention and Role Understanding": "what somebody looks at, and who leads, helps or holds",
    "Layout Understanding": "how a room is arranged and what stands where in it",
    "Path Planning": "which way is free and leads to the goal",
    "Functional Context": "what a thing or a place is used for",
    "Plausible Event Prediction": "what is likely to happen next, and why",
    "World Knowledge Grounding": "what everyday knowledge says about what is seen",
}
"""What questions of each sub-type ask for, in our words."""
