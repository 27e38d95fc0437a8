"""From drafts to tasks: eight answers, a start at the right distance, and every filter that a fair task must pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from envs.embodied.expert import looked, plan
from envs.embodied.generate import attributes, counting, distances, handling, layout, social, walks
from envs.embodied.generate.draft import Draft
from envs.embodied.generate.facts import Facts
from envs.embodied.model import Act, Check, Option, Place, Start, Task
from envs.embodied.rules import MOVES, Rules, State
from envs.embodied.scenes import scene, viewer

QUOTAS: dict[str, dict[str, int]] = {
    "AttributeQA": {"count": 26, "function": 16, "compare": 12, "content": 10, "colour": 7, "state": 7, "attributes": 7, "material": 6, "common sense": 4},
    "SpatialQA": {"size": 12, "distance": 10, "layout": 9, "relation": 8, "path": 4, "metres": 3, "line": 3, "imagination": 3},
    "Navigation": {"route": 16, "superlative": 15, "object": 12, "relative": 9, "function": 6},
    "ObjectInteraction": {"device": 27, "several": 21, "one moved": 19, "open": 19, "conditional": 3},
    "SocialInteraction": {"deliver": 19, "pointing": 7, "talk": 6, "come": 2},
}  # fmt: skip
"""The number of tasks of each kind."""
LENGTHS = {
    "AttributeQA": 8.4,
    "SpatialQA": 10.1,
    "Navigation": 10.9,
    "ObjectInteraction": 12.9,
    "SocialInteraction": 12.4,
}
"""Mean lengths of the original's reference runs."""
SHORTEST, LONGEST = 3, 20
_STARTS = 3
_TRIES = 7
PLAIN = 0.3
"""The share of a thing in a picture that must be unhidden if a question depends on the thing."""
LONGEST_RIGHT = 0.125
"""The wanted share of tasks whose right answer is the longest: one in eight, as by chance."""
TEMPLATES = (
    *(*counting.TEMPLATES, *attributes.TEMPLATES),
    *(*layout.TEMPLATES, *distances.TEMPLATES),
    *(*walks.TEMPLATES, *handling.TEMPLATES, *social.TEMPLATES),
)


def facts_of(name: str) -> Facts:
    """The facts of a scene."""
    return Facts(scene(name), viewer(name))


def drafts(facts: Facts, dice: Random) -> dict[tuple[str, str], list[Draft]]:
    """All drafts of the templates for a scene, by category and kind, in random order."""
    found: dict[tuple[str, str], list[Draft]] = {}
    for template in TEMPLATES:
        for draft in template(facts, dice):
            found.setdefault((draft.category, draft.kind), []).append(draft)
    for several in found.values():
        dice.shuffle(several)
        _spread(several)
    return found


def _spread(several: list[Draft]) -> None:
    """Interleave the templates, so that none crowds out the others."""
    turns: dict[str, int] = {}
    keys = []
    for draft in several:
        turns[draft.template] = turns.get(draft.template, 0) + 1
        keys.append(turns[draft.template])
    order = sorted(range(len(several)), key=lambda k: (keys[k], k))
    several[:] = [several[k] for k in order]


def tasks_for(
    facts: Facts, several: Sequence[Draft], dice: Random, used: set[str], longest: float = LONGEST_RIGHT
) -> Iterator[Task]:
    """The drafts that pass all filters, as tasks without an id."""
    for draft in several[:_TRIES]:
        task = attempt(facts, draft, dice, used, longest)
        if task is not None:
            yield task


def attempt(facts: Facts, draft: Draft, dice: Random, used: set[str], longest: float = LONGEST_RIGHT) -> Task | None:
    """A task made of a draft; None if a filter rejects it."""
    wording = dice.randrange(len(draft.texts))
    text = draft.texts[wording]
    text = text[0].upper() + text[1:]
    if text in used:
        return None
    options = _answers(draft, dice, longest) if draft.right else list(draft.options)
    if options is None or len({option.text for option in options}) != len(options):
        return None
    if not facts.shows(*(facts.by[name] for name in draft.evidence)):
        return None
    places = list(draft.places)
    options, places = _put_back(facts, options, places)
    predicates = list(draft.predicates)
    if draft.right:
        from envs.embodied.model import Predicate

        predicates.append(Predicate(Check.CHOOSE, value=draft.right))
    blank = Task(
        "",
        draft.category,
        draft.kind,
        draft.template,
        wording,
        facts.scene.name,
        text,
        Start(0, 0),
        tuple(options),
        tuple(predicates),
        tuple(places),
        tuple(draft.evidence),
    )
    return _started(facts, blank, dice)


def _answers(draft: Draft, dice: Random, longest: float) -> list[Option] | None:
    """Eight answers. Where possible, the right one is the longest at the rate `longest`."""
    wrong = [text for text in dict.fromkeys(draft.wrong) if text and text != draft.right]
    if len(wrong) < 7:
        return None
    chosen = wrong[:7]
    if dice.random() < longest:
        shorter = [text for text in wrong if len(text) < len(draft.right)]
        chosen = shorter[:7] if len(shorter) >= 7 else chosen
    elif max(len(text) for text in chosen) < len(draft.right):
        longer = [text for text in wrong if len(text) >= len(draft.right)]
        if not longer:
            return None
        chosen[-1] = longer[0]
    texts = [*chosen, draft.right]
    dice.shuffle(texts)
    return [Option(Act.ANSWER, text) for text in texts]


def _put_back(facts: Facts, options: Sequence[Option], places: list[Place]) -> tuple[list[Option], list[Place]]:
    """Add options to put wrong things back: with a wrong thing in the hand the task would be a dead end."""
    picks = [name for option in options if option.act is Act.PICK_UP for name in option.objects]
    if not picks:
        return list(options), places
    backs = [
        Place(f"back_{number}", facts.by[name].at, facts.by[name].on)
        for number, name in enumerate(dict.fromkeys(picks), 1)
    ]
    back = Option(Act.PLACE_TO, "put it back", tuple(place.name for place in backs))
    return [*options, back], [*places, *backs]


def _started(facts: Facts, blank: Task, dice: Random) -> Task | None:
    """The task with a start from which its solution is about as long as in the original's tasks."""
    points = facts.scene.graph.points
    wanted = min(max(dice.gauss(LENGTHS[blank.category], 2.5), SHORTEST + 1), LONGEST - 2)
    best: Task | None = None
    for trial in range(2 * _STARTS if blank.answer else _STARTS):
        number = dice.randrange(len(points))
        start = Start(number, dice.randrange(len(points[number].headings)))
        task = _at(facts, blank, start)
        rules = Rules(task, facts.scene, facts.viewer)
        first = rules.start()
        if all(value == 1 for value in rules.truths(first)) or (
            task.evidence and looked(rules, first, frozenset(task.evidence)) == frozenset(task.evidence)
        ):
            continue
        steps = plan(rules, first, limit=LONGEST)
        if steps is None or len(steps) < SHORTEST:
            if steps is None and best is None and trial == 1:
                return None
            continue
        task = replace(task, steps=len(steps))
        if best is None or abs(task.steps - wanted) < abs(best.steps - wanted):
            best = task
        if abs(best.steps - wanted) <= 2.5:
            break
    if best is None or abs(best.steps - wanted) > 6.0 or not no_dead_end(facts, best):
        return None
    return best if not best.evidence or in_plain_view(facts, best) else None


def _at(facts: Facts, blank: Task, start: Start) -> Task:
    places = blank.places
    if any(predicate.place == walks.START for predicate in blank.predicates):
        places = (*places, facts.place(walks.START, start.point))
    return replace(blank, start=start, places=places)


def in_plain_view(facts: Facts, task: Task) -> bool:
    """Whether other things leave a good part of all evidence unhidden, each in some picture of the solution.

    Many pixels are not enough: of a television behind a wall they may show only an edge.
    """
    rules = Rules(task, facts.scene, facts.viewer)
    state, hidden = rules.start(), set(task.evidence)
    by = {option.text: option for option in task.options}
    for step in ("", *(plan(rules, state, limit=LONGEST) or ())):
        if step:
            state = rules.moved(state, step) if step in MOVES else rules.apply(state, by[step]).state
        eye, seen = rules.eye(state), looked(rules, state, frozenset(hidden))
        counts = facts.viewer.counts(eye, state.moment) if seen else {}
        for name in seen:
            if counts.get(name, 0) >= PLAIN * facts.viewer.alone(eye, name, state.moment):
                hidden.discard(name)
    return not hidden


def no_dead_end(facts: Facts, task: Task) -> bool:
    """Whether success stays possible after each interaction that is not part of the solution.

    An interaction is tried at the first moment of the solution at which it succeeds.
    """
    rules = Rules(task, facts.scene, facts.viewer)
    state: State = rules.start()
    steps = plan(rules, state, limit=LONGEST)
    if steps is None:
        return False
    by = {option.text: option for option in task.options if option.act is not Act.ANSWER}
    left = dict(by)
    for step in steps:
        left.pop(step, None)
        for text, option in list(left.items()):
            result = rules.apply(state, option)
            if not result.fault and result.state != state:
                del left[text]
                if plan(rules, result.state, frozenset(task.evidence), limit=LONGEST + 8) is None:
                    return False
        if step in by or step in MOVES:
            state = rules.moved(state, step) if step in MOVES else rules.apply(state, by[step]).state
    return True
