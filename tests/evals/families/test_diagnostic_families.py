"""The families that only ERQA-Plus uses: what they propose is found again, and a moved right answer is noticed."""

from __future__ import annotations

import pytest

from evals.families import belonging, events, family, intention, traits, uses
from evals.families.base import Recipe
from evals.families.chores import FURNITURE, OBJECTS, State
from evals.families.generate import proposals
from evals.families.knowledge import Knowledge, fact
from evals.families.objects import NAMED
from evals.families.rules import reordered

SLOW = ("events", "frames", "gaze", "intention", "layouts", "traits", "belonging")


def proposed(name: str, count: int) -> list[Recipe]:
    """The first verified questions of a family, from as many scenes as it takes."""
    found: list[Recipe] = []
    scenes = (proposals(name, 5, scene, ("multiple-choice",)) for scene in range(25))
    while len(found) < count:
        found += next(scenes)
    return found[:count]


@pytest.mark.parametrize("name", ["uses", *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)])
def test_what_is_proposed_is_found_again_whatever_the_order_of_the_options(name: str) -> None:
    for recipe in proposed(name, 2):
        assert family(name).verify(recipe) == recipe.answer
        turned = reordered(recipe, (1, 2, 3, 0))
        assert turned.answer != recipe.answer
        assert family(name).verify(turned) == turned.answer


@pytest.mark.parametrize("knowledge", [traits.FAMILY, uses.FAMILY, belonging.FAMILY])
def test_every_fact_can_be_asked_for_and_told_from_others(knowledge: Knowledge) -> None:
    for one in knowledge.facts:
        assert sum(map(one.false_of, NAMED)) >= 3, one
        for kind in one.kinds:
            assert sum(other.false_of(kind) for other in knowledge.facts) >= 3, (one, kind)
    assert len({one.words for one in knowledge.facts}) == len({one.option for one in knowledge.facts})


def test_a_fact_about_no_known_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="no kinds of things: \\['cpu'\\]"):
        fact("is small", "It is small.", "cup", "cpu")


def test_actions_between_two_states_are_counted() -> None:
    plain = State(dict.fromkeys(OBJECTS, FURNITURE), opened=False)
    opened = State(plain.places, opened=True)
    assert intention._between(plain, plain) == 0
    assert intention._between(plain, opened) == 1
    assert intention._between(plain, State({**plain.places, "1": "2"}, opened=False)) > 3  # nothing stacks here


def test_something_unknown_is_no_action(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = Recipe("events", "Action", "choice", None, (), events.TEXT, (0,))  # type: ignore[arg-type]
    monkeypatch.setattr(events, "moment_of", lambda recipe, number=0: None)
    monkeypatch.setattr(events, "_leaves", lambda before, after: iter(()))
    for found, wrong in ((["something else"], "something else"), ([], r"\[\]"), (["hold", "shift"], "hold")):
        monkeypatch.setattr(events, "_things", lambda recipe, before, after, found=found: iter(found))
        with pytest.raises(ValueError, match=wrong):
            events._seen(recipe)
