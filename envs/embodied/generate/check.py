"""Check the frozen tasks: find and play the shortest solution of each, and check the statistics of the whole set."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from multiprocessing import get_context

from envs.embodied.expert import EVIDENCE, looked, plan
from envs.embodied.generate.filters import LENGTHS, LONGEST, QUOTAS, SHORTEST, facts_of, no_dead_end
from envs.embodied.model import CATEGORIES, Scene, Task
from envs.embodied.rules import MOVES, Rules, State
from envs.embodied.tasks import tasks
from envs.embodied.view import Viewer

SCENES = 125
_CHI = 14.07
"""The 5 % critical value of chi squared for eight equally likely positions."""
_PIXELS = 0.6
"""Rays estimate pixels roughly: the real picture must have this share of the required pixels."""


def check(jobs: int = 2, chosen: Sequence[Task] | None = None) -> int:
    """Print the faults and a summary; 1 if there are faults."""
    every = list(tasks() if chosen is None else chosen)
    groups = [
        list(several) for _, several in groupby(sorted(every, key=lambda task: task.scene), key=lambda task: task.scene)
    ]
    if jobs == 1:
        faults = [fault for several in groups for fault in scene_faults(several)]
    else:
        with get_context("spawn").Pool(jobs) as pool:
            faults = [fault for several in pool.imap_unordered(scene_faults, groups) for fault in several]
    faults += set_faults(every)
    for fault in sorted(faults):
        sys.stdout.write(f"{fault}\n")
    sys.stdout.write(f"{len(every)} tasks in {len(groups)} scenes, {len(faults)} faults\n")
    for category in CATEGORIES:
        mine = [task.steps for task in every if task.category == category]
        if mine:
            sys.stdout.write(
                f"{category}: {len(mine)} tasks, mean {sum(mine) / len(mine):.1f} steps, {min(mine)} to {max(mine)}\n"
            )
    return 1 if faults else 0


def scene_faults(several: Sequence[Task]) -> list[str]:
    """What is wrong with the tasks of one scene."""
    facts = facts_of(several[0].scene)
    found = [f"{facts.scene.name}: {fault}" for fault in graph_faults(facts.scene)]
    for task in several:
        found += [f"{task.id}: {fault}" for fault in task_faults(task, facts.scene, facts.viewer)]
        if not no_dead_end(facts, task):
            found.append(f"{task.id}: a wrong interaction makes success impossible")
    return found


def graph_faults(scene: Scene) -> Iterator[str]:
    """Whether the graph is in one piece and symmetric."""
    points = scene.graph.points
    seen, todo = {0}, [0]
    while todo:
        for heading in points[todo.pop()].headings:
            if heading.to >= 0 and heading.to not in seen:
                seen.add(heading.to)
                todo.append(heading.to)
    if len(seen) != len(points):
        yield f"{len(points) - len(seen)} points of the graph cannot be reached"
    for number, point in enumerate(points):
        for heading in point.headings:
            if heading.to >= 0 and number not in {back.to for back in points[heading.to].headings}:
                yield f"the edge from point {number} to {heading.to} has no way back"


def task_faults(task: Task, scene: Scene, viewer: Viewer) -> Iterator[str]:
    """Whether the shortest solution is as long as stated, and shows all evidence."""
    rules = Rules(task, scene, viewer)
    state = rules.start()
    evidence = frozenset(task.evidence)
    if evidence and looked(rules, state, evidence) == evidence:
        yield "everything that it asks about is in the first picture"
    steps = plan(rules, state, limit=LONGEST)
    if steps is None:
        yield f"no solution within {LONGEST} steps"
        return
    if len(steps) != task.steps or not SHORTEST <= task.steps <= LONGEST:
        yield f"the shortest solution has {len(steps)} steps, {task.steps} are stated; {SHORTEST} to {LONGEST} are allowed"
    states = list(_played(rules, state, steps))
    if not all(value == 1 for value in rules.truths(states[-1])):
        yield "the shortest solution does not lead to success"
    for name in task.evidence:
        views = [state for state in states if name in looked(rules, state, frozenset((name,)))]
        if not any(viewer.counts(rules.eye(state), state.moment).get(name, 0) >= _PIXELS * EVIDENCE for state in views):
            yield f"{name} is not seen well in any picture of the solution"
    if task.answer is not None and (len(set(task.answers)) != 8 or task.answer not in task.answers):
        yield f"{len(set(task.answers))} different answers, not 8 with the right one among them"


def _played(rules: Rules, state: State, steps: Sequence[str]) -> Iterator[State]:
    by = {option.text: option for option in rules.task.options}
    yield state
    for step in steps:
        state = rules.moved(state, step) if step in MOVES else rules.apply(state, by[step]).state
        yield state


def set_faults(every: Sequence[Task]) -> Iterator[str]:
    """What is wrong with the set as a whole."""
    kinds = Counter((task.category, task.kind) for task in every)
    for category, quotas in QUOTAS.items():
        for kind, number in quotas.items():
            if kinds[category, kind] != number:
                yield f"{category}, {kind}: {kinds[category, kind]} tasks, not {number}"
        mine = [task.steps for task in every if task.category == category]
        if mine and abs(sum(mine) / len(mine) - LENGTHS[category]) > 0.2 * LENGTHS[category]:
            yield f"{category}: mean length {sum(mine) / len(mine):.1f}, more than a fifth from {LENGTHS[category]}"
    if len({task.scene for task in every}) < SCENES:
        yield f"{len({task.scene for task in every})} scenes, fewer than {SCENES}"
    texts = Counter(task.text for task in every)
    yield from (f"the text {text!r} occurs {number} times" for text, number in texts.items() if number > 1)
    yield from _answer_faults([task for task in every if task.answer is not None])


def _answer_faults(asking: Sequence[Task]) -> Iterator[str]:
    if not asking:
        return
    spots = Counter(task.answers.index(str(task.answer)) for task in asking)
    mean = len(asking) / 8
    chi = sum((spots[place] - mean) ** 2 / mean for place in range(8))
    if chi > _CHI:
        yield f"the right answer has favourite places: chi squared is {chi:.1f}"
    longest = sum(
        all(len(str(task.answer)) > len(other) for other in task.answers if other != task.answer) for task in asking
    )
    if abs(longest / len(asking) - 0.125) > 0.05:
        yield f"the right answer is the longest in {100 * longest / len(asking):.1f} % of the questions, not 12.5 ± 5"
    for template in {task.template for task in asking}:
        answers = Counter(task.answer for task in asking if task.template == template)
        total, (answer, most) = sum(answers.values()), answers.most_common(1)[0]
        if most > max(1, math.ceil(0.25 * total)):
            yield f"template {template}: {answer!r} is right in {most} of {total}"
