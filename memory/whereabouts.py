"""A belief for a world that does not tell where things are: for each hidden thing how likely each place is.

    belief = Whereabouts.blank(search, domain, objects)
    belief = belief.looked(visible, room=None)          # what a model takes to be in view, and where the agent stands
    belief = belief.with_answers({atom: True})          # answers about the picture of now
    belief = belief.attempted(step)                     # what an attempt may have done: nobody says whether it worked
    belief.state, belief.chance(formula), belief.weight(things, "inside", "cabinet_1")

A thing is in one place: in the hand, in or on something, on the floor of a room, or elsewhere. Not seeing it where one
looks speaks against that place, and so for all others. All other facts have a probability each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from envs.base import Search
from memory.rates import Rates, Seen, Tally, Wrong
from planners.formula import Atom, Formula, Objects, State, literals
from planners.task import Domain, Step

PRIOR = {"inside": 0.4, "ontop": 0.35, "floor": 0.25}
"""How likely a thing is to be in something, on something, or on the floor, before anything was seen. An assumption."""
SHOWS = 0.75
"""How likely a thing is to be in view where one looks for it; other things may hide it."""
SHUT = 0.02
"""The same for what is in something that is believed to be shut."""
GLANCE = 0.6
"""The same for what lies on furniture, if one looks round its room."""
STRAY = 0.1
"""How likely it is to be in view although one looks elsewhere."""
WORKS = 0.8
"""How likely an attempt is to do what it should, if it is legal."""
EYES = Rates(Wrong(0.1, 0.1), {"visible": Wrong(0.1, 0.03)})
"""How often answers are wrong before anything was learned. Where no failure is announced, eyes have to be trusted."""
OVERLOOKED = 0.05
"""How likely something is to be within reach, or in the hand, that is not seen."""
BOUND = 0.005
FLOOR, HAND, ELSEWHERE = "floor", "holding", "elsewhere"
Places = Mapping[Atom, float]


@dataclass(frozen=True, eq=False)
class Whereabouts:
    """Probabilities of the places of hidden things (`places`), and of all other facts (`facts`).

    `found` is how likely each hidden thing is to have been in view before. `answers` are about the picture of now.
    """

    search: Search
    domain: Domain
    objects: Objects
    places: Mapping[str, Places]
    facts: Mapping[Atom, float]
    found: Mapping[str, float]
    answers: Mapping[Atom, float] = field(default_factory=dict)
    tally: Tally = field(default_factory=lambda: Tally(EYES))

    @classmethod
    def blank(cls, search: Search, domain: Domain, objects: Objects) -> Whereabouts:
        """Nothing was seen yet."""
        facts = {atom: 0.05 for atom in domain.atoms(objects) if atom.predicate != HAND}
        facts |= {atom: 0.3 for atom in facts if atom.predicate == "open"}
        places = {name: _prior(name, search) for name in search.places}
        located = {atom for held in places.values() for atom in held}
        facts = {atom: chance for atom, chance in facts.items() if atom not in located}
        return cls(search, domain, objects, places, facts, dict.fromkeys(search.places, 0.02))

    def looked(self, visible: frozenset[str], here: frozenset[Atom], room: str | None) -> Whereabouts:
        """What is in view. `here` are the places that one looks at, `room` the part of the world one looked round."""
        found, places, facts = dict(self.found), dict(self.places), dict(self.facts)
        # What is not in view is not within reach, unless the answer about it was wrong.
        unseen = [atom for atom in self.search.out_of_view(visible) if atom in facts]
        facts |= {atom: min(facts[atom], OVERLOOKED) for atom in unseen}
        missed, imagined = self.tally.rates().of("visible")
        for name, held in self.places.items():
            seen = name in visible
            weights = {}
            for place, weight in held.items():
                looked_at = place in here or place.args == (name, room) or place.predicate == HAND
                glanced_at = place.predicate == "ontop" and room and self.search.rooms.get(place.args[1]) == room
                shows = SHOWS if looked_at else GLANCE if glanced_at else STRAY
                if place.predicate == "inside" and not self.opened(place.args[1]):
                    shows = SHUT
                if place.predicate == HAND:
                    shows = 1 - OVERLOOKED  # what is in the hand always shows
                yes = shows * (1 - missed) + (1 - shows) * imagined
                weights[place] = weight * (yes if seen else 1 - yes)
            places[name] = _normal(weights)
            true = self.found[name]
            if seen:
                # In view now is found; the answer may be wrong.
                found[name] = _clipped(1 - (1 - true) * imagined / (imagined + (1 - imagined) * max(true, 0.3)))
        return replace(self, found=found, places=places, facts=facts)

    def with_answers(self, answers: Mapping[Atom, float]) -> Whereabouts:
        """With answers about the picture of now; how often they are wrong is learned on the way."""
        rates, places, facts = self.tally.rates(), dict(self.places), dict(self.facts)
        for atom, yes in answers.items():
            wrong = rates.of(atom.predicate)
            holds = yes * (1 - wrong.missed) + (1 - yes) * wrong.missed
            fails = yes * wrong.imagined + (1 - yes) * (1 - wrong.imagined)
            name = atom.args[0]
            if name in places and atom in places[name]:
                held = places[name]
                places[name] = _normal({place: w * (holds if place == atom else fails) for place, w in held.items()})
            elif atom in facts:
                true = facts[atom]
                facts[atom] = _clipped(true * holds / (true * holds + (1 - true) * fails))
        belief = replace(self, places=places, facts=facts, answers={**self.answers, **answers})
        seen = (Seen(atom.predicate, belief.likely(atom), yes) for atom, yes in answers.items())
        return replace(belief, tally=self.tally.with_answers(seen))

    def attempted(self, step: Step, *, legal: bool = True) -> Whereabouts:
        """After an attempt. Nobody says whether it worked: its effects are as likely as its conditions allow."""
        if not legal:
            return replace(self, answers={})
        action = self.domain.ground(step, self.objects)
        conditions = [one for one in action.preconditions() if one.value or one.atom.predicate == HAND]
        able = math.prod(self.likely(one.atom) if one.value else 1 - self.likely(one.atom) for one in conditions)
        works = WORKS * max(able, 0.25)
        facts, effects = dict(self.facts), action.effects(self.state)
        for atom, value in effects:
            if atom in facts:
                facts[atom] = _clipped(works * value + (1 - works) * facts[atom])
        places = dict(self.places)
        for atom, value in effects:
            if atom.predicate == HAND:
                name = atom.args[0]
                new = {one.atom for one in effects if one.value} & places[name].keys()
                target = min(new, default=Atom(ELSEWHERE, (name,)))
                places[name] = _moved(places[name], atom, target, works, taken=value)
        return replace(self, places=places, facts=facts, answers={})

    def lost(self, name: str) -> Whereabouts:
        """A thing could not be gone to, time and again: it was not seen after all."""
        return replace(self, found={**self.found, name: 0.02})

    def likely(self, atom: Atom) -> float:
        """The probability of a fact."""
        held = self.places.get(atom.args[0]) if atom.args else None
        if held is not None and (atom in held or atom.predicate in (HAND, "inside")):
            return held.get(atom, 0.0)
        return self.facts.get(atom, 0.0)

    def chance(self, goal: Formula) -> float:
        """The probability of a conjunction of facts, taken to be independent."""
        wanted = literals(goal, self.objects)
        return math.prod(self.likely(one.atom) if one.value else 1 - self.likely(one.atom) for one in wanted)

    def is_found(self, name: str) -> bool:
        """Whether a thing is believed to have been in view."""
        return self.found.get(name, 1.0) > 0.5

    @cached_property
    def state(self) -> State:
        """The most likely state. What was never in view is nowhere in it."""
        best = {name: max(sorted(held), key=held.__getitem__) for name, held in self.places.items()}
        # One thing at a time is in the hand.
        hands = sorted((-self.places[name][place], name) for name, place in best.items() if place.predicate == HAND)
        for _, name in hands[1:]:
            others = {place: weight for place, weight in self.places[name].items() if place.predicate != HAND}
            best[name] = max(sorted(others), key=others.__getitem__)
        located = {
            place for name, place in best.items() if place.predicate not in (FLOOR, ELSEWHERE) and self.is_found(name)
        }
        held = {place.args[0] for place in located if place.predicate == HAND}
        likely = [atom for atom, chance in self.facts.items() if chance > 0.5]
        # What is in the hand is beside nothing.
        return frozenset(
            [*located, *(atom for atom in likely if atom.predicate != "nextto" or not held & {*atom.args})]
        )

    def near(self, name: str) -> bool:
        """Whether something is believed to be within reach."""
        return self.likely(Atom("reachable", (name,))) > 0.5

    def opened(self, name: str) -> bool:
        """Whether something is believed to be open."""
        return self.likely(Atom("open", (name,))) > 0.5

    def weight(self, names: Iterable[str], predicate: str, where: str) -> float:
        """How many of the things are expected in a place."""
        return math.fsum(self.places[name].get(Atom(predicate, (name, where)), 0.0) for name in names)


def _prior(name: str, search: Search) -> Places:
    groups: dict[str, list[Atom]] = {"inside": [], "ontop": []}
    for place in search.places[name]:
        groups[place.predicate].append(place)
    groups[FLOOR] = [Atom(FLOOR, (name, room)) for room in search.lookouts]
    weights = {place: PRIOR[kind] / len(group) for kind, group in groups.items() for place in group}
    return _normal({**weights, Atom(ELSEWHERE, (name,)): 0.05, Atom(HAND, (name,)): 0.005})


def _moved(held: Places, hand: Atom, target: Atom, works: float, *, taken: bool) -> Places:
    """The places of a thing after it was taken, or put down: what fails to be put down mostly falls."""
    name = hand.args[0]
    if taken:
        return _normal({**{place: weight * (1 - works) for place, weight in held.items()}, hand: works})
    left, elsewhere = held[hand], Atom(ELSEWHERE, (name,))
    after = {**held, hand: left * (1 - works) / 2}
    after[target] = after.get(target, 0.0) + left * works
    after[elsewhere] = after.get(elsewhere, 0.0) + left * (1 - works) / 2
    return _normal(after)


def _normal(weights: Mapping[Atom, float]) -> Places:
    """The weights as probabilities; none falls to nothing, since answers may be wrong."""
    total = math.fsum(weights.values()) or 1.0
    kept = {place: max(weight / total, BOUND / len(weights)) for place, weight in weights.items()}
    again = math.fsum(kept.values())
    return {place: weight / again for place, weight in kept.items()}


def _clipped(chance: float) -> float:
    return min(max(chance, BOUND), 1 - BOUND)
