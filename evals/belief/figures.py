"""The figures of the study, per model and split and as means over models, each with its standard error."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, replace

from envs.blocksworld.problems import SPLITS
from evals.belief.cases import Case
from evals.belief.trials import Board, Trial
from memory.belief import Belief
from memory.rates import Rates, Seen, Tally

MEAN = "mean over models"
EXACT = ("exact_raw", "exact_hamming", "exact_likelihood")
SUCCESS = ("published", "open_loop", "belief", "belief_likelihood", "blind")
ILLEGAL = ("illegal_open_loop", "illegal_belief", "illegal_belief_likelihood", "illegal_blind")
MEASURES = (*EXACT, *SUCCESS, *ILLEGAL)


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a measure over the problems of a split, its standard error, and how many problems there are."""

    model: str
    split: str
    measure: str
    value: float
    err: float
    n: int


def study(cases: Iterable[Case], tell: Callable[[str], None] = lambda line: None) -> list[Figure]:
    """Every figure: models in the order of the records, then the mean over them."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.model, case.split), []).append(case)
    boards: dict[str, tuple[Board, list[Trial]]] = {}
    figures = []
    for (model, split), group in groups.items():
        tell(f"{model}, {split}: {len(group)} problems")
        measured = [_measures(case, group, *_board(case, boards)) for case in group]
        figures += [_figure(model, split, name, [one[name] for one in measured]) for name in MEASURES]
    return [*figures, *means(figures)]


def _board(case: Case, boards: dict[str, tuple[Board, list[Trial]]]) -> tuple[Board, list[Trial]]:
    """The board of a problem and how a blind agent fares on it, which no model has a part in."""
    if case.problem.id not in boards:
        board = Board.of(case.problem)
        boards[case.problem.id] = board, board.act_blind()
    return boards[case.problem.id]


def _measures(case: Case, group: list[Case], board: Board, blind: list[Trial]) -> Mapping[str, float]:
    rates = others_rates(case, group)
    near, likely = board.repaired(case.answers, Rates()), board.repaired(case.answers, rates)
    bound = [atom for atom in case.truth if atom in board.space.column]
    straight = board.open_loop(near)
    acting = board.act(Belief.blank(board.space, learns=False).told(case.answers))
    weighing = board.act(Belief.blank(board.space, rates=rates, learns=False).told(case.answers))
    return {
        "exact_raw": all(case.answers.get(atom) == case.truth[atom] for atom in bound),
        "exact_hamming": near == board.start,
        "exact_likelihood": likely == board.start,
        "published": case.solved,
        "open_loop": straight.solved,
        "belief": acting.solved,
        "belief_likelihood": weighing.solved,
        "blind": sum(trial.solved for trial in blind) / len(blind),
        "illegal_open_loop": straight.illegal,
        "illegal_belief": acting.illegal,
        "illegal_belief_likelihood": weighing.illegal,
        "illegal_blind": sum(trial.illegal for trial in blind) / len(blind),
    }


def others_rates(case: Case, group: Iterable[Case]) -> Rates:
    """How often the model is wrong about each predicate, by its answers to all other problems of the split."""
    others = (other for other in group if other.problem.id != case.problem.id)
    seen = (
        Seen(atom.predicate, float(other.truth[atom]), float(said))
        for other in others
        for atom, said in other.answers.items()
    )
    return Tally().with_answers(seen).rates()


def means(figures: Iterable[Figure]) -> Iterator[Figure]:
    """The mean over models, with the error that the spread between models gives it; `n` counts the models.

    The blind control has no model, and one model has no spread: their error stays that of the problems.
    """
    groups: dict[tuple[str, str], list[Figure]] = {}
    for figure in figures:
        groups.setdefault((figure.split, figure.measure), []).append(figure)
    for (split, measure), group in sorted(groups.items(), key=lambda group: SPLITS.index(group[0][0])):
        if measure.endswith("blind") or len(group) == 1:
            yield replace(max(group, key=lambda figure: figure.n), model=MEAN)
        else:
            yield _figure(MEAN, split, measure, [figure.value for figure in group])


def _figure(model: str, split: str, measure: str, values: list[float]) -> Figure:
    n = len(values)
    mean = sum(values) / n
    spread = sum((value - mean) ** 2 for value in values) / (n - 1) if n > 1 else 0.0
    return Figure(model, split, measure, float(mean), math.sqrt(spread / n), n)


def as_rows(figures: Iterable[Figure]) -> list[dict[str, object]]:
    """The figures as plain data."""
    return [asdict(figure) for figure in figures]
