"""A learner that never sees a scene: boosted stumps on features of the four options relative to each other.

What can be learned from texts alone is mostly how an option relates to the other three: which one shares most with
them, which one has unusual numbers. The features describe that and the position of the option.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from envs.arm.labels import SELECTION
from envs.arm.reading import read_low, read_mid

Floats = NDArray[np.float64]
OPTIONS = 4
ROUNDS, RATE, BINS, FOLDS = 150, 0.3, 16, 5
_WORD = re.compile(r"[a-z]+")


def text_features(options: Sequence[str], source: str) -> Floats:
    """A row for each option: its position, its length, and its relations to the others."""
    own = _relations(options, source)
    lengths = np.array([[len(option)] for option in options], dtype=np.float64)
    return np.concatenate([np.eye(OPTIONS), lengths, lengths - lengths.mean(), own], axis=1)


def _relations(options: Sequence[str], source: str) -> Floats:
    lows = [read_low(option) for option in options]
    if all(low is not None for low in lows):
        return _numbers(np.array([low for low in lows if low is not None]), source)
    mids = [read_mid(option) for option in options]
    if all(mid is not None for mid in mids):
        signs = np.array([[(mid or {}).get(number, 0) for number in range(7)] for mid in mids], dtype=np.float64)
        return np.concatenate([_consensus(signs), signs], axis=1)
    return _words(options)


def _consensus(values: Floats) -> Floats:
    """How many other options share an option's value: in each dimension, in sum, at least and at most."""
    alike = np.array([[np.sum(np.abs(values[:, d] - values[i, d]) < 1e-9) - 1.0 for d in range(values.shape[1])]
                      for i in range(len(values))])  # fmt: skip
    total = alike.sum(axis=1, keepdims=True)
    return np.concatenate([total, total - total.mean(), alike.min(axis=1, keepdims=True), alike], axis=1)


def _numbers(raw: Floats, source: str) -> Floats:
    """Features of vectors: consensus, sizes, zeros, and distances from each other in thresholds."""
    scaled = raw / np.array(SELECTION[source])
    size = np.abs(scaled)
    distances = np.abs(scaled[:, None] - scaled[None]).sum(axis=2)
    largest = np.abs(raw).argmax(axis=1)
    columns = [
        size.sum(axis=1), size.max(axis=1), np.abs(raw).sum(axis=1), np.abs(raw).max(axis=1),
        np.abs(raw[:, :3]).max(axis=1), np.abs(raw[:, 3:6]).max(axis=1), (raw == 0).sum(axis=1),
        (size > 1).sum(axis=1), (size > 0.5).sum(axis=1), distances.sum(axis=1),
        np.sort(distances, axis=1)[:, 1], distances.max(axis=1), largest.astype(np.float64),
        np.array([np.sum(largest == one) for one in largest], dtype=np.float64),
        np.array([np.sum(np.sign(raw) == np.sign(raw[i])) for i in range(len(raw))], dtype=np.float64),
    ]  # fmt: skip
    found = np.stack(columns, axis=1)
    return np.concatenate([found, found - found.mean(axis=0), _consensus(raw), _consensus(np.abs(raw)), scaled], axis=1)


def _words(options: Sequence[str]) -> Floats:
    """How many words an option shares with the others, how many only it has, and how many share its first word."""
    words = [set(_WORD.findall(option.casefold())) for option in options]
    firsts = [option.casefold().split()[:1] for option in options]
    rows = []
    for place, mine in enumerate(words):
        others = [one for number, one in enumerate(words) if number != place]
        shared = [len(mine & one) / max(len(mine | one), 1) for one in others]
        alone = len(mine - set().union(*others))
        rows.append([sum(shared), max(shared), min(shared), alone, len(mine), firsts.count(firsts[place])])
    found = np.array(rows, dtype=np.float64)
    return np.concatenate([found, found - found.mean(axis=0)], axis=1)


def cross_validated(features: Sequence[Floats], right: Sequence[int], groups: Sequence[str]) -> float:
    """The share of questions that boosted stumps answer right, learned from other groups (scenes)."""
    rows = np.stack(features)
    truth = np.array(right)
    names = {name: number % FOLDS for number, name in enumerate(sorted(set(groups)))}
    fold = np.array([names[group] for group in groups])
    hits = 0
    for held in range(FOLDS):
        test, train = fold == held, fold != held
        if test.any() and train.any():
            scores = _boosted(rows[train], truth[train], rows[test])
            hits += int((scores.argmax(axis=1) == truth[test]).sum())
    return hits / len(truth)


def _boosted(rows: Floats, right: NDArray[np.int64], asked: Floats) -> Floats:
    """Scores of the options of new questions, by gradient boosting on the softmax over the options of a question."""
    count, _, width = rows.shape
    flat = rows.reshape(-1, width)
    edges = [np.unique(np.quantile(flat[:, column], np.linspace(0, 1, BINS + 1)[1:-1])) for column in range(width)]
    binned = _binned(flat, edges)
    new = _binned(asked.reshape(-1, width), edges)
    target = np.zeros((count, OPTIONS))
    target[np.arange(count), right] = 1.0
    scores, given = np.zeros((count, OPTIONS)), np.zeros((len(asked), OPTIONS))
    for _ in range(ROUNDS):
        chance = np.exp(scores - scores.max(axis=1, keepdims=True))
        chance /= chance.sum(axis=1, keepdims=True)
        column, edge, low, high = _stump(binned, (target - chance).ravel(), edges)
        if column < 0:
            break
        scores += RATE * np.where(binned[:, column] <= edge, low, high).reshape(count, OPTIONS)
        given += RATE * np.where(new[:, column] <= edge, low, high).reshape(len(asked), OPTIONS)
    return given


def _binned(flat: Floats, edges: Sequence[Floats]) -> NDArray[np.int64]:
    return np.stack([np.searchsorted(one, flat[:, column]) for column, one in enumerate(edges)], axis=1)


def _stump(binned: NDArray[np.int64], residual: Floats, edges: Sequence[Floats]) -> tuple[int, int, float, float]:
    """The column and the edge that split the residuals best, with the means (times 4/3) on both sides."""
    best, found = 1e-9, (-1, 0, 0.0, 0.0)
    total, every = residual.sum(), len(residual)
    for column, one in enumerate(edges):
        if not len(one):
            continue
        sums = np.cumsum(np.bincount(binned[:, column], residual, len(one) + 1))[:-1]
        counts = np.cumsum(np.bincount(binned[:, column], minlength=len(one) + 1))[:-1]
        safe = np.maximum(counts, 1), np.maximum(every - counts, 1)
        gain = np.where((counts > 0) & (counts < every), sums**2 / safe[0] + (total - sums) ** 2 / safe[1], 0.0)
        edge = int(gain.argmax())
        if gain[edge] > best:
            best = float(gain[edge])
            found = (column, edge, float(sums[edge] / safe[0][edge]), float((total - sums[edge]) / safe[1][edge]))
    # The curvature of the softmax over four options is at most 3/16: a step of 4/3 of it stays below Newton's.
    column, edge, low, high = found
    return column, edge, 4 / 3 * low, 4 / 3 * high


def by_hand(options: Sequence[str]) -> int:
    """A rule against the published distractors of vectors: one has the true values on other axes, two change one value.

    So the truth is the option whose values another option has, too, and that agrees with the others in most places.
    """
    lows = [read_low(option) for option in options]
    if not all(low is not None for low in lows):
        return 0
    values = np.array([low for low in lows if low is not None])
    ordered = [tuple(sorted(row[:6])) for row in values.round(3).tolist()]
    shared = _consensus(values)[:, 0]
    return max(range(len(values)), key=lambda place: (ordered.count(ordered[place]) > 1, shared[place]))
