"""Compare the agents for questions on the same simulated eyes, with independent or shared errors.

    python -m benchmarks.answering [QUESTIONS] [--model NAME]

Every question has an answer in one of eight forms. The eyes are SIMULATED from a model's published accuracy by
category: they know the answer or not, whatever is shown, so looking closer cannot help. With fresh errors each wording
is another try; with shared errors an unknown question stays unknown. Prints the share of right answers, the paired
comparison of each agent with `answer`, and the requests per question.
"""

from __future__ import annotations

import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any, ClassVar

from benchmarks.options import at_least_one, parser
from evals.judges.question import Facts
from evals.questions import Item, QuestionSet
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.run.results import EpisodeResult
from evals.run.settings import Running
from evals.run.statistics import sign_flip
from models.base import Kind

AGENTS = ("answer", "answer_cot", "answer_vote", "answer_split", "answer_zoom", "answer_marked", "answer_checked")
ERRORS = ("fresh", "shared")
CATEGORIES = ("spatial", "perception", "planning", "prediction")
LETTERS = "ABCDE"
FORMS = (
    Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS, Kind.NUMBER, Kind.YES_NO, Kind.TEXT,
)  # fmt: skip


class Sheet(QuestionSet):
    """Questions of every form over the four categories. Their pictures are never drawn."""

    name = "erqa_plus"
    dimensions: ClassVar[Mapping[str, str]] = {"form": "form of the answer"}

    def __init__(self, count: int) -> None:
        self.count = count

    def items(self, settings: Any) -> Sequence[Item]:
        """The questions, deterministic."""
        return [question(form, number) for form in FORMS for number in range(self.count)]

    def picture(self, name: str, settings: Any) -> bytes:
        """Empty: simulated eyes do not look."""
        raise AssertionError("a picture was drawn")


def question(form: Kind, number: int) -> Item:
    """A question of this form about named things."""
    dice = random.Random(f"{form} {number}")
    options = tuple(f"thing {letter} of {number}" for letter in LETTERS) if form in LETTERED else ()
    items = tuple(f"place {place + 1}" for place in range(4)) if form is Kind.MATCHING else ()
    count = dice.randint(2, 9)
    places = tuple((0, dice.random(), dice.random()) for _ in range(count))
    answers: dict[Kind, Any] = {
        Kind.CHOICES: tuple(letter for letter in LETTERS if dice.random() < 0.5) or ("A",),
        Kind.ORDER: tuple(dice.sample(LETTERS, len(LETTERS))),
        Kind.MATCHING: tuple(dice.sample(LETTERS, len(items))),
        Kind.JUDGEMENTS: tuple(dice.choice("01") for _ in LETTERS),
        Kind.NUMBER: float(count),
        Kind.YES_NO: dice.random() < 0.5,
        Kind.TEXT: f"a thing of {number}",
    }
    answer = dice.choice(options) if form is Kind.CHOICE else answers[form]
    return Item(
        f"{form}_{number}", f"How many, which, or in which order? Question {number}.", answer, options, ("a picture",),
        form, tags={"form": str(form)}, items=items, level=CATEGORIES[number % 4], facts=Facts(spots=places),
    )  # fmt: skip


LETTERED = frozenset({Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS})


def played(benchmark: Sheet, agent: str, model: str, out: Path) -> list[EpisodeResult]:
    """The results of one run, by question."""
    prepared = prepare(benchmark, options_of({"agent": agent, "model": model, "out": out}, benchmark.settings, Running))
    with prepared.closing:
        run_until_done(play(prepared, lambda result: None))
    return sorted(prepared.run.results(), key=lambda result: result.id)


def line(agent: str, results: Sequence[EpisodeResult], plain: Sequence[EpisodeResult]) -> str:
    """The figures of one agent, compared with the plain one."""
    right: defaultdict[str, list[bool]] = defaultdict(list)
    for result in results:
        right[result.tags["form"]].append(result.success)
    shares = " ".join(f"{mean(right[form]):{max(len(form), 5)}.2f}" for form in FORMS)
    share = mean(result.success for result in results)
    differences = [one.success - other.success for one, other in zip(results, plain, strict=True)]
    beside = "the same"
    if any(differences):
        beside = f"{mean(differences):+.3f} p={sign_flip(differences).exact:.3f}"
    asked = mean(result.asked for result in results)
    return f"  {agent:15} {share:.3f}  {beside:14}  {asked:5.1f}   {shares}"


def same_wrong(results: Sequence[EpisodeResult]) -> float:
    """How often two wrong votes on a question are the same answer."""
    pairs = sum(result.measures.get("wrong_pairs", 0) for result in results)
    return sum(result.measures.get("wrong_pairs_alike", 0) for result in results) / pairs if pairs else 0.0


def main() -> None:
    options = parser("answering", __doc__)
    options.add_argument(
        "questions", type=at_least_one, nargs="?", default=100, metavar="QUESTIONS", help="of each form (default: 100)"
    )
    options.add_argument("--model", default="gpt-5", metavar="NAME", help="whose accuracy (default: gpt-5)")
    arguments = options.parse_args()
    benchmark, started = Sheet(arguments.questions), time.process_time()
    print(f"{arguments.questions * len(FORMS)} questions, SIMULATED eyes of {arguments.model}")
    with tempfile.TemporaryDirectory() as folder:
        for errors in ERRORS:
            forms = " ".join(f"{form:>5}" for form in FORMS)
            print(f"\nerrors {errors}\n  {'agent':15} right  beside answer   asked   {forms}")
            runs = {
                agent: played(benchmark, agent, f"sim:{arguments.model}?errors={errors}", Path(folder) / errors / agent)
                for agent in AGENTS
            }
            for agent, results in runs.items():
                print(line(agent, results, runs["answer"]))
            print(f"  two wrong votes are the same answer: {same_wrong(runs['answer_vote']):.2f}")
    print(f"\n{time.process_time() - started:.0f} s of CPU")


if __name__ == "__main__":
    main()
