"""Learn the coefficients of twins from recorded answers, and from published tables where there are none."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist, fmean

import numpy as np

from evals.viplan.twins.clinging import GROUPS, Asked, Likeness, drawn_to, likenesses, shares
from evals.viplan.twins.fitting import Coefficients, Design, Floats
from evals.viplan.twins.records import STATIC, Question, short
from models._twins import COT, PLAIN, RAREST
from models.sim import published

TOGETHER, OWN, KIND = 2.0, 1.5, 0.02
"""How strongly coefficients are drawn to 0, those of a model to what models have in common, and rates of a kind."""
MEAN = "mean"
USUAL = {"blocksworld": "init", "household": "replan"}
"""The phase whose rates are kept. In homes nothing is enumerated at the start."""
LEAST = 0.0025
"""The rate of errors behind a published accuracy of 1.00, which is rounded to two decimals."""

Column = str
"""A model with or without chain of thought, such as `gemma-3-27b plain`."""
Sample = tuple[tuple[str, ...], bool]
"""The features of a question, and whether it was answered wrong."""


@dataclass
class Learned:
    """What is learned of one world."""

    pooled: dict[str, float] = field(default_factory=dict)
    own: dict[Column, dict[str, float]] = field(default_factory=dict)
    published: dict[Column, dict[str, float]] = field(default_factory=dict)
    shares: dict[str, dict[str, float]] = field(default_factory=dict)
    """The shares of groups by model, and their mean over models."""
    unreadable: dict[Column, float] = field(default_factory=dict)
    likely: list[Likeness] = field(default_factory=list)
    questions: int = 0
    rewording: float = 0.0
    """How errors with and without chain of thought about the same thing in the same picture are correlated."""


def column_of(question: Question) -> Column:
    """The column of a question's model."""
    return f"{short(question.model)} {COT if question.cot else PLAIN}"


def learn(questions: Iterable[Question]) -> Learned:
    """What the recorded questions of one world tell. Questions about the same moment are used once."""
    asked = distinct(questions)
    samples: dict[Column, list[Sample]] = defaultdict(list)
    for question in asked:
        samples[column_of(question)].append((fitted_features(question), question.wrong))
    learned = _fitted(samples)
    learned.questions = len(asked)
    learned.unreadable = _unreadable(asked)
    learned.likely, learned.shares = _together(asked, learned)
    learned.rewording = _rewording(asked, learned)
    learned.published = _published(asked, learned.pooled)
    for coefficients in (learned.pooled, *learned.own.values()):
        for name in [name for name in coefficients if " phase " in name]:
            del coefficients[name]
    return learned


def distinct(questions: Iterable[Question]) -> list[Question]:
    """One of all questions with the same model, picture and fact: the first, and better from a run without slips."""
    found: dict[tuple[object, ...], Question] = {}
    for question in sorted(questions, key=lambda one: one.slips):
        key = (question.model, question.cot, question.problem, question.traits.groups["look"], question.atom)
        found.setdefault(key, question)
    return list(found.values())


def fitted_features(question: Question) -> tuple[str, ...]:
    """The features of a question, its level, and when it was asked.

    Agents come to later moments, and ask about an action, because of earlier answers. That changes what is wrong there,
    but not because the question is another one: such features are fitted, and not kept.
    """
    kind = question.traits.features[0]
    phase = () if question.phase == USUAL[question.world] else (f"{kind} phase {question.phase}",)
    return (*question.traits.features, f"{kind} {question.level}", *phase)


def _fitted(samples: Mapping[Column, Sequence[Sample]]) -> Learned:
    names = sorted({name for sample in samples.values() for features, _ in sample for name in features})
    kinds = [name for name in names if " " not in name]
    of_models = [f"{column}: {kind}" for column in samples for kind in kinds]
    every = [
        ((*features, f"{column}: {features[0]}"), wrong) for column in samples for features, wrong in samples[column]
    ]
    design = Design.of(every, [*names, *of_models])
    penalty = np.array([KIND if name in kinds else TOGETHER for name in names] + [0.2] * len(of_models))
    together = design.fit(penalty, np.zeros(len(design.cells)))[: len(names)]
    learned = Learned(pooled=_named(names, together))
    own_penalty = np.array([KIND if name in kinds else OWN for name in names])
    for column in sorted(samples):
        of_model = Design.of(samples[column], names)
        own = of_model.fit(own_penalty, of_model.predicted(together))
        learned.own[column] = _named(names, together + own)
    return learned


def _named(names: Sequence[str], values: Floats) -> dict[str, float]:
    return {name: round(float(value), 2) for name, value in zip(names, values, strict=True)}


def chance_of(coefficients: Coefficients, features: Iterable[str]) -> float:
    """The chance of an error."""
    odds = sum(coefficients.get(name, 0.0) for name in features)
    return min(max(1.0 / (1.0 + math.exp(-odds)), RAREST), 1.0 - RAREST)


def _unreadable(asked: Sequence[Question]) -> dict[Column, float]:
    total: dict[Column, list[bool]] = defaultdict(list)
    for question in asked:
        total[column_of(question)].append(question.said is None)
    return {column: round(fmean(lost), 5) for column, lost in sorted(total.items()) if any(lost)}


def _together(asked: Sequence[Question], learned: Learned) -> tuple[list[Likeness], dict[str, dict[str, float]]]:
    """The correlations of all models, and the shares of each."""
    episodes: dict[tuple[str, Column, str], list[Asked]] = defaultdict(list)
    for question in asked:
        if question.atom.predicate not in STATIC:
            keys = [question.traits.groups.get(name, "") for name in GROUPS]
            key = (short(question.model), column_of(question), question.problem)
            episodes[key].append(_surprise(question, learned, keys))
    common = likenesses(episodes.values())
    found = {}
    for model in sorted({model for model, _, _ in episodes}):
        own = likenesses(episode for key, episode in episodes.items() if key[0] == model)
        found[model] = shares(drawn_to(common, own))
    names = {name for one in found.values() for name in one}
    found[MEAN] = {name: round(fmean(one.get(name, 0.0) for one in found.values()), 3) for name in sorted(names)}
    return common, found


def _surprise(question: Question, learned: Learned, keys: Sequence[str]) -> Asked:
    chance = chance_of(learned.own[column_of(question)], fitted_features(question))
    return Asked(keys, NormalDist().inv_cdf(chance), question.wrong - chance)


def _rewording(asked: Sequence[Question], learned: Learned) -> float:
    """The correlation of errors with and without chain of thought, of one model about one fact in one picture."""
    pairs: dict[tuple[str, ...], list[Asked]] = defaultdict(list)
    for question in asked:
        if question.atom.predicate not in STATIC:
            key = (question.model, question.problem, question.traits.groups["look"], str(question.atom))
            pairs[key].append(_surprise(question, learned, [""] * len(GROUPS)))
    found = likenesses(pair for pair in pairs.values() if len(pair) > 1)
    return round(found[0].correlation, 3) if found else 0.0


def _published(asked: Sequence[Question], pooled: Coefficients) -> dict[Column, dict[str, float]]:
    """For each published model, how far common coefficients have to be moved to reach its accuracies.

    The reference is what was asked of all recorded models, enumerations only, as in the published tables.
    """
    world = asked[0].world
    odds: dict[tuple[str, str], list[float]] = defaultdict(list)
    seen = set()
    for question in asked:
        key = (question.problem, question.traits.groups["look"], question.atom)
        if question.phase in ("init", "replan") and key not in seen:
            seen.add(key)
            names = (*question.traits.features, f"{question.traits.features[0]} {question.level}")
            odds[question.atom.predicate, question.level].append(sum(pooled.get(name, 0.0) for name in names))
    columns: dict[Column, dict[str, float]] = defaultdict(dict)
    for model, rates in published().items():
        for (where, cot, level, predicate), accuracy in rates.items():
            if where == world and (predicate, level) in odds:
                offset = _offset(np.array(odds[predicate, level]), max(1.0 - accuracy, LEAST))
                for truth in "+-":
                    columns[f"{model} {COT if cot else PLAIN}"][f"{predicate}{truth} {level}"] = offset
    return dict(columns)


def _offset(odds: Floats, rate: float) -> float:
    """What to add to log-odds so that errors come at a rate."""
    low, high = -12.0, 12.0
    for _ in range(30):
        middle = (low + high) / 2
        mean = float((1.0 / (1.0 + np.exp(-(odds + middle)))).mean())
        low, high = (middle, high) if mean < rate else (low, middle)
    return round(low, 2)
