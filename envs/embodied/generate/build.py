"""Ask every scene for tasks until all quotas are full, then balance the positions of the answers."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing import get_context
from pathlib import Path
from random import Random

from envs.embodied.generate.filters import LONGEST_RIGHT, QUOTAS, drafts, facts_of, tasks_for
from envs.embodied.model import CATEGORIES, Act, Task
from envs.embodied.plans import SCENES
from envs.embodied.scenes import names
from envs.embodied.tasks import read, write

Want = tuple[str, str]
Full = frozenset[tuple[str, str]]
Job = tuple[str, list[Want], int, int, frozenset[str], Path | None, float, Full]
_ROUNDS = 6


def generate(seed: int, scenes: int = 0, jobs: int = 2, work: Path | None = None) -> list[Task]:
    """All tasks: each scene is asked for some kinds, and missing ones are asked for in further rounds.

    With `work`, the results of each scene are kept in that folder, and a stopped run continues from them.
    """
    dice = Random(f"tasks {seed}")
    every = list(names())
    dice.shuffle(every)
    every = every[:scenes] if scenes else every
    share = len(every) / len(names())
    missing = Counter(
        {
            (category, kind): math.ceil(number * share)
            for category, kinds in QUOTAS.items()
            for kind, number in kinds.items()
        }
    )
    accepted: list[Task] = []
    before = 0
    for number in range(_ROUNDS):
        jobs_ = list(_assigned(every, missing, accepted, dice, number))
        if not jobs_ or (number > 2 and len(accepted) == before):
            break
        before = len(accepted)
        texts = frozenset(task.text for task in accepted)
        longest, full = _longest(accepted, missing), _full(accepted)
        with _working(
            jobs, [(name, wants, seed, number, texts, work, longest, full) for name, wants in jobs_]
        ) as results:
            for several in results:
                for task in several:
                    if missing[task.category, task.kind] > 0 and _fits(task, accepted):
                        accepted.append(task)
                        missing[task.category, task.kind] -= 1
        sys.stderr.write(f"round {number + 1}: {len(accepted)} tasks, {sum(missing.values())} missing\n")
    return _numbered(_placed(accepted, dice))


def _assigned(
    every: Sequence[str], missing: Counter[Want], accepted: Sequence[Task], dice: Random, number: int
) -> Iterator[tuple[str, list[Want]]]:
    """The kinds that each scene is asked for."""
    held = Counter(task.scene for task in accepted)
    wants: dict[str, list[Want]] = {name: [] for name in every}
    social = [name for name in every if SCENES[name].people]
    for want, count in sorted(missing.items(), key=lambda pair: (pair[0][0] != "SocialInteraction", pair[0])):
        suiting = social if want[0] == "SocialInteraction" else every
        if want[1] == "pointing":
            suiting = [name for name in social if "point" in SCENES[name].people]
        if want in (("SpatialQA", "path"),):
            suiting = [name for name in every if len(SCENES[name].rooms) > 2]
        # More are asked for than needed, because not every scene can give every kind.
        # Solutions of questions are longer where there are several rooms.
        near = 1 if want[0].endswith("QA") else -1
        order = sorted(
            suiting,
            key=lambda name: (held[name] + len(wants[name]) + near * (len(SCENES[name].rooms) < 2), dice.random()),
        )
        for name in order[: count if number == 0 else 2 * count + 4]:
            wants[name].append(want)
    for name, several in wants.items():
        if several and held[name] < 8:
            yield name, several


@contextmanager
def _working(jobs: int, given: Sequence[Job]) -> Iterator[Iterable[list[Task]]]:
    """The results in the order of the jobs, from several processes or from this one."""
    if jobs == 1:
        yield map(_work, given)
        return
    with get_context("spawn").Pool(jobs) as pool:
        yield pool.imap(_work, given)


def _work(job: Job) -> list[Task]:
    """The tasks of one job: a scene and the kinds that it is asked for."""
    name, wants, seed, number, texts, work, longest, full = job
    kept = work / f"{seed}_{number}_{name}.json" if work else None
    if kept and kept.exists():
        return list(read(kept))
    dice = Random(f"{name} {seed} {number}")
    facts = facts_of(name)
    offered = drafts(facts, dice)
    found: list[Task] = []
    used = set(texts)
    for want in wants:
        fresh = [draft for draft in offered.get(want, []) if (draft.template, draft.right) not in full]
        task = next(tasks_for(facts, fresh, dice, used, longest), None)
        if task is not None:
            used.add(task.text)
            found.append(task)
    if kept:
        write(kept, found)
    return found


def _fits(task: Task, accepted: Sequence[Task]) -> bool:
    """Whether a task repeats no text, and no answer becomes too common in its template."""
    if any(other.text == task.text for other in accepted):
        return False
    if task.answer is None:
        return True
    alike = [other.answer for other in accepted if other.template == task.template]
    return alike.count(task.answer) + 1 <= _most(len(alike) + 1)


def _most(number: int) -> int:
    """How often one answer may be right among this number of tasks of a template."""
    return max(1, math.floor(0.25 * number), 1 if number < 8 else 2)


def _full(accepted: Sequence[Task]) -> Full:
    """Templates with answers that have been right often enough."""
    totals = Counter(task.template for task in accepted)
    pairs = Counter((task.template, str(task.answer)) for task in accepted if task.answer is not None)
    return frozenset(pair for pair, number in pairs.items() if number + 1 > _most(totals[pair[0]] + 1))


def _longest(accepted: Sequence[Task], missing: Counter[Want]) -> float:
    """How often the right answer must be the longest among the missing tasks, so that the whole set has the wanted share."""
    asking = [task for task in accepted if task.answer is not None]
    left = sum(number for (category, _), number in missing.items() if category.endswith("QA"))
    have = sum(
        all(len(str(task.answer)) > len(other) for other in task.answers if other != task.answer) for task in asking
    )
    return min(max((LONGEST_RIGHT * (len(asking) + left) - have) / max(left, 1), 0.0), 0.9)


def _placed(tasks: Sequence[Task], dice: Random) -> list[Task]:
    """The tasks with their answers ordered so that each position is right equally often."""
    asking = [number for number, task in enumerate(tasks) if task.answer is not None]
    spots = [number % 8 for number in range(len(asking))]
    dice.shuffle(spots)
    found = list(tasks)
    for number, spot in zip(asking, spots, strict=True):
        task = found[number]
        answers = [option for option in task.options if option.act is Act.ANSWER and option.text != task.answer]
        right = next(option for option in task.options if option.text == task.answer)
        rest = [option for option in task.options if option.act is not Act.ANSWER]
        found[number] = replace(task, options=(*rest, *answers[:spot], right, *answers[spot:]))
    return found


def _numbered(tasks: Sequence[Task]) -> list[Task]:
    """In order of category and scene, with ids."""
    found: list[Task] = []
    for category in CATEGORIES:
        mine = sorted(
            (task for task in tasks if task.category == category),
            key=lambda task: (task.scene, task.template, task.text),
        )
        found += [replace(task, id=f"{CATEGORIES[category]}_{number:03}") for number, task in enumerate(mine, 1)]
    return found
