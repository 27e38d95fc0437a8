"""The figures of the study, per model and split and as means over models, each with its error and interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from statistics import fmean

from envs.blocksworld.problems import SPLITS, domain
from evals.run.statistics import Interval, bootstrap, spread, wilson
from evals.viplan.belief.cases import Case
from evals.viplan.belief.trials import Board, Trial
from memory.belief import Belief
from memory.rates import Rates, Seen, Tally
from planners import get_planner
from planners.outcome import Planner
from planners.task import Task

MEAN = "mean over models"
EXACT = ("exact_raw", "exact_hamming", "exact_likelihood")
SUCCESS = ("published", "open_loop", "repair", "belief", "belief_likelihood", "repair_other", "belief_other", "blind")
ILLEGAL = (
    "illegal_open_loop",
    "illegal_repair",
    "illegal_belief",
    "illegal_belief_likelihood",
    "illegal_repair_other",
    "illegal_belief_other",
    "illegal_blind",
)
MEASURES = (*EXACT, *SUCCESS, *ILLEGAL)
CONTROLS = ("repair_other", "belief_other", "blind")
"""Controls: what a method achieves without the answers."""

Measured = Mapping[str, Mapping[str, float]]
"""For each problem its measures."""


@dataclass(frozen=True, slots=True)
class Figure:
    """The mean of a measure over the problems of a split, its standard error, how many there are, and an interval.

    The interval is a 95 % bootstrap over problems.
    """

    model: str
    split: str
    measure: str
    value: float
    err: float
    n: int
    low: float
    high: float


def study(cases: Iterable[Case], tell: Callable[[str], None] = lambda line: None) -> list[Figure]:
    """Every figure: models in the order of the records, then the mean over them."""
    groups: dict[tuple[str, str], list[Case]] = {}
    for case in cases:
        groups.setdefault((case.model, case.split), []).append(case)
    boards: dict[str, tuple[Board, list[Trial]]] = {}
    measured: dict[tuple[str, str], Measured] = {}
    with closing(get_planner("fd")) as planner:
        for (model, split), group in groups.items():
            tell(f"{model}, {split}: {len(group)} problems")
            others = [*group[1:], group[0]]
            measured[model, split] = {
                case.problem.id: _measures(case, other, group, planner, *_board(case, boards))
                for case, other in zip(group, others, strict=True)
            }
    return [*_by_model(measured), *_means(measured)]


def _by_model(measured: Mapping[tuple[str, str], Measured]) -> Iterator[Figure]:
    for (model, split), problems in measured.items():
        for name in MEASURES:
            values = [measures[name] for measures in problems.values()]
            yield _figure(model, split, name, values, _interval(name, values))


def _board(case: Case, boards: dict[str, tuple[Board, list[Trial]]]) -> tuple[Board, list[Trial]]:
    """The board of a problem and the results of a blind agent on it, which no model affects."""
    if case.problem.id not in boards:
        board = Board.of(case.problem)
        boards[case.problem.id] = board, board.act_blind()
    return boards[case.problem.id]


def _measures(
    case: Case, other: Case, group: list[Case], planner: Planner, board: Board, blind: list[Trial]
) -> Mapping[str, float]:
    rates = others_rates(case, group)
    near, likely = board.repaired(case.answers, Rates()), board.repaired(case.answers, rates)
    bound = [atom for atom in case.truth if atom in board.space.column]
    blank = Belief.blank(board.space, learns=False)
    trials = {
        "open_loop": _unrepaired(case, planner, board),
        "repair": board.open_loop(near),
        "belief": board.act(blank.with_answers(case.answers)),
        "belief_likelihood": board.act(Belief.blank(board.space, rates=rates, learns=False).with_answers(case.answers)),
        "repair_other": board.open_loop(board.repaired(other.answers, Rates())),
        "belief_other": board.act(blank.with_answers(other.answers)),
    }
    return {
        "exact_raw": all(case.answers.get(atom) == case.truth[atom] for atom in bound),
        "exact_hamming": near == board.start,
        "exact_likelihood": likely == board.start,
        "published": case.solved,
        "blind": fmean(trial.solved for trial in blind),
        "illegal_blind": fmean(trial.illegal for trial in blind),
        **{name: trial.solved for name, trial in trials.items()},
        **{f"illegal_{name}": trial.illegal for name, trial in trials.items()},
    }


def _unrepaired(case: Case, planner: Planner, board: Board) -> Trial:
    """The outcome of the published method's first plan without checks, from the unrepaired answers."""
    believed = frozenset(atom for atom, yes in case.answers.items() if yes)
    outcome = planner.solve(Task(domain(), case.problem.objects, believed, case.problem.goal)).checked()
    return board.carry_out(outcome.plan)


def others_rates(case: Case, group: Iterable[Case]) -> Rates:
    """The model's error rates per predicate, from all other problems of the split."""
    others = (other for other in group if other.problem.id != case.problem.id)
    seen = (
        Seen(atom.predicate, float(other.truth[atom]), float(answered))
        for other in others
        for atom, answered in other.answers.items()
    )
    return Tally().with_answers(seen).rates()


def _means(measured: Mapping[tuple[str, str], Measured]) -> Iterator[Figure]:
    """The mean over models, with the error from the spread between models; `n` counts the models.

    For the blind control and for a single model the error is that of the problems. Intervals are a bootstrap over
    problems for these models.
    """
    for split in sorted({split for _, split in measured}, key=SPLITS.index):
        models = [problems for (_, other), problems in measured.items() if other == split]
        ids = list(dict.fromkeys(id for problems in models for id in problems))
        for name in MEASURES:
            by_problem = [fmean(problems[id][name] for problems in models if id in problems) for id in ids]
            by_model = [fmean(measures[name] for measures in problems.values()) for problems in models]
            values = by_problem if name.endswith("blind") or len(models) == 1 else by_model
            yield _figure(MEAN, split, name, values, _interval(name, by_problem), fmean(by_model))


def _interval(measure: str, values: Sequence[float]) -> Interval:
    if measure not in ILLEGAL and all(value in (0, 1) for value in values):
        return wilson(int(sum(values)), len(values))
    return bootstrap([values])


def _figure(
    model: str, split: str, measure: str, values: Sequence[float], interval: Interval, value: float | None = None
) -> Figure:
    shown = fmean(values) if value is None else value
    return Figure(model, split, measure, shown, spread(values) or 0.0, len(values), interval.low, interval.high)


def as_rows(figures: Iterable[Figure]) -> list[dict[str, object]]:
    """The figures as plain data."""
    return [asdict(figure) for figure in figures]
