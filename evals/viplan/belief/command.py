"""What the recorded answers of real models are worth to an agent that knows which states are legal.

    python -m evals.belief_study path/to/recorded --out study

Reads the first enumeration of every recorded Blocksworld problem and prints, per model and split: how often the state
is exactly right as answered, repaired by Hamming distance, and by likelihood; and how often the goal is reached by the
published method, by its plan without its checks, by a plan from the repaired state, by a belief that learns from what
is legal, and by the same belief without any answers.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

from evals.pages.tables import write_rows
from evals.viplan.belief.cases import read_cases
from evals.viplan.belief.display import rich_tables
from evals.viplan.belief.figures import Figure, as_rows, study
from evals.viplan.belief.trials import CERTAIN, STEPS
from models.recorded.reading import RecordError
from planners.outcome import PlannerUnavailable

TITLE = "What recorded answers of real models are worth to an agent that knows which states are legal, in Blocksworld."
MEANINGS = {
    "exact_raw": "the answers to the first picture are all right (facts that actions change)",
    "exact_hamming": "so is the legal state that contradicts the fewest of them",
    "exact_likelihood": "so is the most likely one, with error rates per predicate from the model's other problems",
    "published": "success of the recorded method",
    "open_loop": "the planner's plan from the answers as they are, carried out whatever the world says",
    "repair": "a shortest plan from the Hamming state, carried out whatever the world says",
    "belief": "acts on the most likely state, learns from what is legal, one error rate for all answers",
    "belief_likelihood": "the same with the rates of exact_likelihood",
    "..._other": "control: the same with the answers about another problem",
    "blind": "control: the same belief without any answer",
    "illegal_...": "attempts per problem that were not legal",
}
DESCRIPTION = "\n".join([TITLE, "", *(f"{name:18}  {meaning}" for name, meaning in MEANINGS.items()), ""])
LIMITS = (
    f"Belief and blind have {STEPS} attempts and stop when the goal is held at least {CERTAIN:.0%} likely.",
    "Recorded answers exist only for pictures that were seen then. An agent that acts otherwise comes to states that "
    "nobody was asked about, so only the first enumeration is used: nothing here shows what looking again would "
    "bring, or what fewer questions would cost.",
    "The world is the symbolic one without slips, in which recorded runs replay exactly. Attempts that are not legal "
    "are free here; they are counted because elsewhere they may not be.",
    "Published agents gave up for reasons of their own (a repeated attempt, no plan), the others do not: part of the "
    "difference is conduct, not perception. Compare with open loop, which is theirs without checks, and with blind.",
    "Blind is the mean of several draws of which state it tries first; no model has a part in it. In small worlds it "
    "gets far, so what answers are worth is what a method gains over it.",
    "Intervals hold 95 of 100 times that as many problems are drawn: Wilson's for shares, else by drawing the problems "
    "anew. They are of these models. The standard error of the mean over models, that of the spread between models, is "
    "in the CSV file.",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    try:
        cases = read_cases(arguments.path, arguments.problems, cot=arguments.cot)
        figures = study(cases, lambda line: print(line, file=sys.stderr))
        if arguments.csv:
            _write_csv(arguments.csv, figures)
        if arguments.out:
            _write_folder(arguments.out, figures)
    except (RecordError, PlannerUnavailable) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2 if isinstance(error, RecordError) else 1
    if arguments.json:
        content = {"cases": len(cases), "cot": arguments.cot, "figures": as_rows(figures), "limits": LIMITS}
        print(json.dumps(content, ensure_ascii=False, indent=1))
    else:
        _print(figures)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.belief_study",
        description=DESCRIPTION,
        epilog="exit code: 0 all well, 1 the planner broke down, 2 invalid input",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "path",
        type=Path,
        metavar="PATH",
        help="a folder with answers.jsonl.gz and episodes.jsonl.gz, or a checkout of the original",
    )
    parser.add_argument("--problems", type=Path, help="the problems they are about (default: looked for beside PATH)")
    parser.add_argument("--cot", action="store_true", help="the runs with chain of thought instead of those without")
    parser.add_argument("--csv", type=Path, metavar="OUT", help="write the figures to a file")
    parser.add_argument("--out", type=Path, metavar="DIR", help="write a page, its plots and the figures to a folder")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else on stdout")
    return parser


def _print(figures: list[Figure]) -> None:
    from evals.pages.tables import terminal

    console = terminal(100)
    for table in rich_tables(figures):
        console.print(table)
    for limit in LIMITS:
        console.print(f"- {limit}", highlight=False)


def _write_folder(folder: Path, figures: list[Figure]) -> None:
    from evals.viplan.belief.page import write_page

    try:
        page = write_page(folder, figures, TITLE, MEANINGS, LIMITS)
    except OSError as error:
        raise RecordError(f"{folder}: cannot be written: {error.strerror}") from error
    _write_csv(folder / "figures.csv", figures)
    print(f"page: {page}", file=sys.stderr)


def _write_csv(path: Path, figures: list[Figure]) -> None:
    try:
        write_rows(path, as_rows(figures))
    except OSError as error:
        raise RecordError(f"{path}: cannot be written: {error.strerror}") from error
