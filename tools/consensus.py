"""Combine many small answers into one: the likeliest order, the best assignment, the majority of votes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import median

from envs.base import Question
from models.base import Kind
from tools.events import Value

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
EXACT = 10
"""Up to so many things, the likeliest order is found exactly; beyond, by swapping neighbours."""
SURE = 0.99
"""Probabilities are clipped to this, so that one answer cannot outweigh all others."""


def log_odds(probability: float) -> float:
    """The log-odds of a clipped probability: 0 for one half."""
    kept = min(max(probability, 1 - SURE), SURE)
    return math.log(kept / (1 - kept))


def likeliest_order(before: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """The order that agrees most with `before[i][j]`, the evidence that i comes before j.

    Of equally good orders the lexicographically first is returned.
    """
    count = len(before)
    return _exact(before) if count <= EXACT else _approached(before)


def _exact(before: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """By dynamic programming over the set of remaining things."""
    count = len(before)
    best: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    for left in range(1, 2**count):
        members = [place for place in range(count) if left >> place & 1]
        options = []
        for first in members:
            value, rest = best[left ^ 1 << first]
            options.append((value + sum(before[first][later] for later in rest), (first, *rest)))
        best.append(max(options, key=lambda option: (round(option[0], 9), [-place for place in option[1]])))
    return best[-1][1]


def _approached(before: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """By the total evidence for each thing, then by swapping neighbours while that is better."""
    order = sorted(range(len(before)), key=lambda place: -sum(before[place]))
    changed = True
    while changed:
        changed = False
        for place in range(len(order) - 1):
            first, second = order[place : place + 2]
            if before[second][first] > before[first][second]:
                order[place : place + 2] = second, first
                changed = True
    return tuple(order)


def best_assignment(worth: Sequence[Sequence[float]]) -> tuple[int, ...]:
    """For each row a column, each column at most once, so that the sum is largest (the Hungarian method).

    With more rows than columns, every row gets its best column.
    """
    if not worth:
        return ()
    rows, columns = len(worth), len(worth[0])
    if rows > columns:
        return tuple(max(range(columns), key=row.__getitem__) for row in worth)
    # Potentials of rows and columns, and the row that each column belongs to; place 0 is outside.
    of_row, of_column, owner = [0.0] * (rows + 1), [0.0] * (columns + 1), [0] * (columns + 1)
    for row in range(1, rows + 1):
        owner[0] = row
        _augment(worth, of_row, of_column, owner)
    found = {owner[column]: column - 1 for column in range(1, columns + 1) if owner[column]}
    return tuple(found[row] for row in range(1, rows + 1))


def _augment(worth: Sequence[Sequence[float]], of_row: list[float], of_column: list[float], owner: list[int]) -> None:
    """Assign the row that owns column 0, moving others along the shortest augmenting path."""
    columns = len(of_column)
    slack, came_from, used = [math.inf] * columns, [0] * columns, [False] * columns
    here = 0
    while owner[here]:
        used[here] = True
        row, step, there = owner[here], math.inf, 0
        for column in range(1, columns):
            if used[column]:
                continue
            cost = -worth[row - 1][column - 1] - of_row[row] - of_column[column]
            if cost < slack[column]:
                slack[column], came_from[column] = cost, here
            if slack[column] < step:
                step, there = slack[column], column
        for column in range(columns):
            if used[column]:
                of_row[owner[column]] += step
                of_column[column] -= step
            else:
                slack[column] -= step
        here = there
    while here:
        owner[here] = owner[came_from[here]]
        here = came_from[here]


def settled(votes: Sequence[Value], question: Question) -> Value:
    """The answer that the votes agree on, in the form of the question. Of equals the first vote counts.

    Letters and judgements are decided one by one, orders by pairs, matchings by the assignment with most votes, numbers
    by the most frequent one, or by the median if there is none.
    """
    lists = [vote for vote in votes if isinstance(vote, tuple)]
    match question.kind:
        case Kind.CHOICES if lists:
            return _letters(lists)
        case Kind.JUDGEMENTS if lists:
            return _judgements(lists)
        case Kind.ORDER if lists:
            return _order(lists)
        case Kind.MATCHING if lists:
            return _matching(lists)
        case Kind.NUMBER:
            return _number([float(vote) for vote in votes if isinstance(vote, int | float)])
    return Counter(votes).most_common(1)[0][0] if votes else None


def _letters(votes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    counts = Counter(letter for vote in votes for letter in set(vote))
    chosen = sorted(letter for letter, count in counts.items() if 2 * count > len(votes))
    return tuple(chosen) or Counter(votes).most_common(1)[0][0]


def _judgements(votes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    usual = _of_usual_length(votes)
    return tuple(Counter(vote[place] for vote in usual).most_common(1)[0][0] for place in range(len(usual[0])))


def _order(votes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """The order that agrees with most votes about each pair; the most frequent answer if it agrees with as many."""
    things = sorted({letter for vote in votes for letter in vote})
    before = [[0.0] * len(things) for _ in things]
    for vote in votes:
        places = [things.index(letter) for letter in dict.fromkeys(vote)]
        for number, first in enumerate(places):
            for second in places[number + 1 :]:
                before[first][second] += 1.0
    usual = Counter(votes).most_common(1)[0][0]
    found = tuple(things[place] for place in likeliest_order(before))
    if sorted(usual) != things or _agreement(found, things, before) > _agreement(usual, things, before):
        return found
    return usual


def _agreement(order: Sequence[str], things: Sequence[str], before: Sequence[Sequence[float]]) -> float:
    places = [things.index(letter) for letter in order]
    return sum(before[first][second] for number, first in enumerate(places) for second in places[number + 1 :])


def _matching(votes: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    usual = _of_usual_length(votes)
    letters = sorted({letter for vote in usual for letter in vote})
    counts = [
        [float(sum(vote[item] == letter for vote in usual)) for letter in letters] for item in range(len(usual[0]))
    ]
    if any(len(set(vote)) < len(vote) for vote in usual):  # some vote uses an option twice, so that is allowed
        return tuple(letters[max(range(len(letters)), key=row.__getitem__)] for row in counts)
    return tuple(letters[column] for column in best_assignment(counts))


def _number(votes: Sequence[float]) -> Value:
    if not votes:
        return None
    (value, count), *others = Counter(votes).most_common(2)
    if count > 1 and (not others or others[0][1] < count):
        return value
    middle = median(votes)
    return min(votes, key=lambda vote: abs(vote - middle))  # one of the votes, not the mean of two


def _of_usual_length(votes: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """The votes of the most frequent length."""
    length = Counter(map(len, votes)).most_common(1)[0][0]
    return [vote for vote in votes if len(vote) == length]


def whole(question: Question, chances: Mapping[str, float]) -> Value:
    """The likeliest answer by the probabilities of its parts; None for a form that has no parts.

    Parts are named as in `tools.parts`.
    """
    options, items = question.options, question.items
    letters = LETTERS[: len(options)]
    match question.kind:
        case Kind.CHOICE:
            best = max(letters, key=lambda letter: chances[f"option {letter}"])
            return options[letters.index(best)]
        case Kind.CHOICES:
            chosen = tuple(letter for letter in letters if chances[f"option {letter}"] > 0.5)
            return chosen or (max(letters, key=lambda letter: chances[f"option {letter}"]),)
        case Kind.JUDGEMENTS:
            return tuple("1" if chances[f"option {letter}"] > 0.5 else "0" for letter in letters)
        case Kind.ORDER:
            odds = {name: log_odds(chance) for name, chance in chances.items()}
            before = [[_precedes(odds, first, second) for second in letters] for first in letters]
            return tuple(letters[place] for place in likeliest_order(before))
        case Kind.MATCHING:
            worth = [
                [log_odds(chances[f"match {number} {letter}"]) for letter in letters]
                for number in range(1, len(items) + 1)
            ]
            return tuple(letters[column] for column in best_assignment(worth))
    return None


def _precedes(odds: Mapping[str, float], first: str, second: str) -> float:
    name = f"before {first} {second}"
    return odds[name] if name in odds else -odds.get(f"before {second} {first}", 0.0)
