"""Drafts of questions about attributes, and wrong answers for them."""

from __future__ import annotations

from envs.embodied.generate.draft import Draft
from envs.embodied.generate.facts import Facts, Item
from envs.embodied.words import words

_CATEGORY = "AttributeQA"


def attribute(kind: str, template: str, texts: list[str], right: str, wrong: list[str], *evidence: Item) -> Draft:
    """The draft of a question about attributes."""
    return Draft(_CATEGORY, kind, template, texts, right, wrong, tuple(item.name for item in evidence))


def absent_nouns(facts: Facts, small: bool = True) -> list[str]:
    """Nouns of things that are not in the scene."""
    there = {item.noun for item in facts.items}
    return sorted(
        {
            word.noun
            for word in words().values()
            if word.noun not in there and ("small" in word.groups) == small and word.noun != "person"
        }
    )


def in_room(facts: Facts, room: str) -> str:
    """The place of a question: the room, or `here` if there is only one room."""
    return f"in the {room}" if len(facts.rooms) > 1 else "here"
