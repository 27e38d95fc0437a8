"""Goal decomposition: the actions and their order that reach a goal from the state in the picture.

The plan depends on the stacks, the content of the hand, and whether the container is open.
`propose` reads these from contacts and openings and searches for plans; `verify` reads them from the extents of drawn
things, asks Fast Downward, and executes plans by the semantics of PDDL.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import TYPE_CHECKING

from evals.families import chores, rules
from evals.families.base import Answer, Recipe, Shot, moment_of, view_of
from evals.families.chores import ACTIONS, FURNITURE, GOALS, OBJECTS, Action, Goal, Plan, State
from evals.families.guesses import guessable
from evals.families.workplace import Picture, pictures, read_back
from models.base import Kind

if TYPE_CHECKING:
    from envs.shots.situation import Situation

SUB_CATEGORY = "Goal Decomposition"
_RULES = (
    "The picture is the view of a robot with one hand, which may hold something. It opens and closes 4 only with an "
    "empty hand. It moves an object only if no other object lies on it and its hand is empty or holds this very "
    "object. It moves objects into 4 or out of it only while 4 is open. What is on 5 lies directly on it. The robot "
    "drives by itself."
)
_FEWEST = "The robot is to reach the goal with as few actions as possible."
GUESSED = 0.36
"""The largest share of states in which an order of actions may be right, so that it cannot be guessed."""
_RARE = 0.2
"""Orders that are right at most this often are always used, likelier ones less often."""
_STATES = 5
"""The number of states of a home."""
_MOST = 16
"""The number of candidate questions about a home."""
_SHORT = 3
"""The least length of an offered plan."""


@dataclass(frozen=True, slots=True)
class Case:
    """A state and a goal with all shortest plans, and the plans for the same goal in the simplest state."""

    state: State
    goal: Goal
    plans: tuple[Plan, ...]
    plain: tuple[Plan, ...]

    @property
    def needed(self) -> list[Action]:
        """The actions of all shortest plans."""
        return [action for action in ACTIONS if all(action in plan for plan in self.plans)]

    @property
    def useless(self) -> list[Action]:
        """The actions of no shortest plan."""
        return [action for action in ACTIONS if not any(action in plan for plan in self.plans)]


PLAIN = State(dict.fromkeys(OBJECTS, FURNITURE), opened=False)
"""The state that a guesser would assume: every object on the furniture, the container closed."""


def case(state: State, goal: Goal) -> Case:
    """The data for questions about a state and a goal."""
    return Case(state, goal, tuple(chores.shortest(state, goal)), tuple(chores.shortest(PLAIN, goal)))


class Decomposition:
    """Plans for chores in one room."""

    sub_category = SUB_CATEGORY

    def propose(self, dice: Random, types: Collection[str]) -> Iterator[Recipe]:
        """Questions about one room, in several states."""
        found: list[Recipe] = []
        for picture in pictures(dice, _STATES):
            for kind, make in _MAKERS:
                goals = dice.sample(tuple(GOALS.values()), _GOALS.get(make, 2))
                asked = [make(case(picture.state, goal), dice) for goal in goals] if kind in types else []
                found += [_recipe(picture, made) for made in asked if made is not None]
        # A home gives few questions, about different states of it. Orders are rare.
        yield from sorted(rules.shuffled(found, dice), key=lambda recipe: recipe.kind is not Kind.ORDER)[:_MOST]

    def verify(self, recipe: Recipe) -> Answer:
        """The answer from drawn things, by the planner and the semantics of PDDL."""
        things = rules.marked_things(recipe, view_of(recipe))
        return _answer(recipe, read_back(moment_of(recipe), view_of(recipe), things))


@dataclass(frozen=True, slots=True)
class Asked:
    """A question without its picture."""

    kind: Kind
    text: str
    answer: Answer
    options: tuple[str, ...] = ()
    shortest: int = 0


def _recipe(picture: Picture, made: Asked) -> Recipe:
    situation: Situation = picture.situation
    proof = {"state": dict(picture.state.places), "open": picture.state.opened}
    if made.shortest:
        proof["shortest"] = made.shortest
    shot = Shot(picture.eye, picture.marks, picture.actions)
    return Recipe(
        "decomposition", SUB_CATEGORY, made.kind, situation, (shot,), made.text, made.answer, made.options, proof=proof
    )  # fmt: skip


def _with_goal(goal: Goal, question: str) -> str:
    return f"{_RULES} Goal: {goal}. {question}"


def _sort(case: Case, dice: Random) -> Asked | None:
    """Sort the actions of a shortest plan with a single right order, which is not the most frequent one."""
    plan = dice.choice(case.plans)
    if not 4 <= len(plan) <= 6 or len(set(plan)) < len(plan):
        return None
    options = sorted(plan)
    right = _orders(case, options)
    if len(right) > 1 or right != _orders(case, options, lenient=True):
        return None
    likely, share = guessable(case.goal, plan)
    if likely > GUESSED or dice.random() > _RARE / share:
        return None
    text = _with_goal(case.goal, "Put these actions in the order in which the robot reaches the goal with them.")
    return Asked(Kind.ORDER, text, right[0], tuple(map(str, options)), len(plan))


def _orders(case: Case, options: Sequence[Action], *, lenient: bool = False) -> list[tuple[int, ...]]:
    """All orders in which some actions are executable and reach the goal."""
    ways = permutations(range(len(options)))
    return [way for way in ways if chores.works(case.state, [options[k] for k in way], case.goal, lenient=lenient)]


def _first(case: Case, dice: Random) -> Asked | None:
    """Choose a possible first action."""
    return _at(case, dice, 0, "Which of these actions can come first?")


def _second(case: Case, dice: Random) -> Asked | None:
    """Choose a possible second action."""
    return _at(case, dice, 1, "Which of these actions can come second?")


def _at(case: Case, dice: Random, place: int, question: str) -> Asked | None:
    if len(case.plans[0]) < 3:
        return None
    right = {plan[place] for plan in case.plans}
    wrong = [action for action in ACTIONS if action not in right]
    return _one_of(case, dice, right, _tempting(case, wrong, dice), f"{_FEWEST} {question}")


def _tempting(case: Case, wrong: Sequence[Action], dice: Random) -> list[Action]:
    """Wrong actions in random order, those of the simplest state first."""
    plain = {action for plan in case.plain for action in plan}
    return sorted(rules.shuffled(wrong, dice), key=lambda action: action not in plain and dice.random() < 0.5)


def _part(case: Case, dice: Random) -> Asked | None:
    """Choose the only necessary action."""
    if not case.needed or len(case.useless) < 4:
        return None
    wrong = _tempting(case, case.useless, dice)
    return _one_of(case, dice, case.needed, wrong, f"{_FEWEST} Which of these actions has to be among them?")


def _needless(case: Case, dice: Random) -> Asked | None:
    """Choose the only unnecessary action."""
    if len(case.needed) < 4 or not case.useless:
        return None
    wrong = rules.shuffled(case.needed, dice)
    return _one_of(case, dice, case.useless, wrong, f"{_FEWEST} Which of these actions is not among them?")


def _one_of(case: Case, dice: Random, right: Collection[Action], wrong: Sequence[Action], question: str) -> Asked:
    """A choice of one right action among five to seven wrong ones, or as many as there are."""
    chosen = dice.choice(sorted(right))
    options = sorted((chosen, *wrong[: dice.randint(5, 7)]))
    text = _with_goal(case.goal, question)
    return Asked(Kind.CHOICE, text, (options.index(chosen),), tuple(map(str, options)), len(case.plans[0]))


def _which_plan(case: Case, dice: Random) -> Asked | None:
    """Choose the only one of five plans that works; the others are for other random states."""
    right = dice.choice(case.plans)
    if len(right) < _SHORT:
        return None
    wrong: list[Plan] = []
    for plan in _strange(case.goal, dice):
        fails = not chores.works(case.state, plan, case.goal, lenient=True)
        if fails and plan not in wrong and len(plan) >= _SHORT:
            wrong.append(plan)
        if len(wrong) == 4:
            break
    if len(wrong) < 4:
        return None
    options = sorted((right, *wrong))
    text = _with_goal(case.goal, "Which of these plans can be carried out from start to end and reaches the goal?")
    listed = tuple(", ".join(map(str, plan)) for plan in options)
    return Asked(Kind.CHOICE, text, (options.index(right),), listed, len(right))


def _strange(goal: Goal, dice: Random) -> Iterator[Plan]:
    """Shortest plans for the same goal in other states."""
    for _ in range(40):
        yield dice.choice(chores.shortest(chores.random_state(dice), goal))


def _possible(case: Case, dice: Random) -> Asked | None:
    """Choose the only action that is possible now."""
    can, cannot = _now(case.state)
    if not can or len(cannot) < 4:
        return None
    return _now_asked(dice, can, cannot, "Which of these actions can the robot carry out right now, as the first one?")


def _impossible(case: Case, dice: Random) -> Asked | None:
    """Choose the only action that is impossible now."""
    can, cannot = _now(case.state)
    if not cannot or len(can) < 4:
        return None
    return _now_asked(dice, cannot, can, "Which of these actions can the robot not carry out right now?")


def _now_asked(dice: Random, right: Sequence[Action], wrong: Sequence[Action], question: str) -> Asked:
    chosen = dice.choice(right)
    options = sorted((chosen, *rules.shuffled(wrong, dice)[:6]))
    return Asked(Kind.CHOICE, f"{_RULES} {question}", (options.index(chosen),), tuple(map(str, options)))


def _all_possible(case: Case, dice: Random) -> Asked | None:
    """Choose all actions that are possible now."""
    can, cannot = _now(case.state)
    if len(can) < 2 or len(cannot) < 2:
        return None
    options = sorted((*rules.shuffled(can, dice)[:4], *rules.shuffled(cannot, dice)[:3]))
    text = f"{_RULES} Which of these actions can the robot carry out right now, as the first one? Choose all."
    answer = tuple(k for k, action in enumerate(options) if action in can)
    return Asked(Kind.CHOICES, text, answer, tuple(map(str, options)))


def _now(state: State) -> tuple[list[Action], list[Action]]:
    """The possible and the impossible actions now, without those that change nothing."""
    moved = [action for action in ACTIONS if not state.idle(action)]
    return [action for action in moved if state.allows(action)], [a for a in moved if not state.allows(a)]


def _judge(case: Case, dice: Random) -> Asked | None:
    """Judge which of five actions are necessary."""
    needed, useless = case.needed, case.useless
    count = dice.randint(2, 3)
    if len(needed) < count or len(useless) < 5 - count:
        return None
    chosen = sorted((*rules.shuffled(needed, dice)[:count], *rules.shuffled(useless, dice)[: 5 - count]))
    answer = tuple(int(action in needed) for action in chosen)
    text = _with_goal(case.goal, f"{_FEWEST} Judge for each action whether it has to be among them.")
    return Asked(Kind.JUDGEMENTS, text, answer, tuple(map(_sentence, chosen)), len(case.plans[0]))


def _sentence(action: Action) -> str:
    text = str(action)
    return f"{text[0].upper()}{text[1:]}."


def _count(case: Case, dice: Random) -> Asked | None:
    """Count the necessary actions."""
    number = len(case.plans[0])
    if number < 2:
        return None
    text = _with_goal(case.goal, f"{_FEWEST} How many actions does it need?")
    return Asked(Kind.NUMBER, text, (number,), (), number)


Maker = Callable[[Case, Random], Asked | None]
_MAKERS: tuple[tuple[str, Maker], ...] = (
    ("sorting", _sort),
    ("multiple-choice", _first),
    ("multiple-choice", _second),
    ("multiple-choice", _part),
    ("multiple-choice", _needless),
    ("multiple-choice", _which_plan),
    ("multiple-choice", _possible),
    ("multiple-choice", _impossible),
    ("multiple-choice", _all_possible),
    ("composite-judgement", _judge),
    ("counting", _count),
)
_GOALS: Mapping[Maker, int] = {_possible: 1, _impossible: 1, _all_possible: 1, _sort: len(GOALS)}
"""The number of goals to try for each question, by default two."""


def _answer(recipe: Recipe, state: State) -> Answer:
    """The answer to the recipe's text, by PDDL alone."""
    goal = next((goal for words, goal in GOALS.items() if f"Goal: {words}. " in recipe.text), None)
    task = chores.task_of(state, goal or next(iter(GOALS.values())))
    if goal is None:
        can = tuple(chores.followed(task, [Action.parse(option)], to_goal=False) for option in recipe.options)
        wanted = "not carry out" not in recipe.text
        return tuple(k for k, possible in enumerate(can) if possible == wanted)
    number = chores.planned(state, goal)
    if recipe.kind is Kind.NUMBER:
        return (number,)
    if "Which of these plans" in recipe.text:
        plans = [[Action.parse(part) for part in option.split(", ")] for option in recipe.options]
        return tuple(k for k, plan in enumerate(plans) if chores.followed(task, plan))
    options = [Action.parse(option.lower().rstrip(".")) for option in recipe.options]
    if recipe.kind is Kind.ORDER:
        ways = permutations(range(len(options)))
        right = [way for way in ways if chores.followed(task, [options[k] for k in way])]
        if not right or len(options) != number:
            raise ValueError(f"the shortest plan has {number} actions")
        return tuple(right) if len(right) > 1 else right[0]
    found = chores.all_plans(state, goal, number)
    if "come first" in recipe.text or "come second" in recipe.text:
        place = int("come second" in recipe.text)
        return tuple(k for k, action in enumerate(options) if any(plan[place] == action for plan in found))
    needed = [all(action in plan for plan in found) for action in options]
    if recipe.kind is Kind.JUDGEMENTS:
        return tuple(map(int, needed))
    wanted = "is not among them" not in recipe.text
    return tuple(k for k, one in enumerate(needed) if one == wanted)


FAMILY = Decomposition()
