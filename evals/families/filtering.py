"""The command `filter` of question sets about our homes: drops questions that are too easy, and records why."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from evals.families.base import Recipe
    from evals.families.sets import RecipeSet
    from evals.questions.asking import Asker
    from evals.questions.filters import Step
    from evals.questions.known import Known

STEPS = ("text", "captions", "counts", "weak", "quotas")
DESCRIPTION = """\
Drop questions that are too easy from files of recipes, step by step, and write those that stay.

  text      drops what a model answers right from the text alone          (--model)
  captions  drops what a model answers right from short descriptions      (--model)
  counts    drops counts of 0 and 1, but for a share of them              (--trivial)
  weak      drops what fewer than two of a weak panel get wrong: the eight shortcut programs, or models  (--weak)
  quotas    samples down to so many questions of each value of a tag      (--quota, --by)

Without --steps the steps are those that have what they need. Every decision is written to the log with its reason, when
it is made; the same command after an interruption continues from there and asks no model twice.
"""
EXAMPLES = """\
examples:
  python -m evals.{name} filter mine/*.jsonl.gz --out kept
  python -m evals.{name} filter mine --model openai:gpt-4.1-mini --out kept
  python -m evals.{name} filter mine --weak openai:gpt-4.1-nano sim:gpt-5-nano anthropic:claude-haiku-4-5 --out kept
  python -m evals.{name} filter mine --steps counts quotas --by type --quota sorting=40 --quota counting=20 --out kept

exit code: 0 filtered, 2 a file or an option cannot be used, or a model gives no answer
"""


def parser_of(name: str) -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(
        prog=f"python -m evals.{name} filter",
        description=DESCRIPTION,
        epilog=EXAMPLES.format(name=name),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="recipes: files, or folders with them")
    parser.add_argument(
        "--out",
        type=Path,
        required=True,
        metavar="DIR",
        help="folder for the questions that are kept, a file for each family",
    )
    parser.add_argument("--log", type=Path, metavar="FILE", help="the decisions (default: filter.jsonl in DIR)")
    parser.add_argument(
        "--steps", nargs="+", choices=STEPS, metavar="STEP", help=f"which, in order: {', '.join(STEPS)}"
    )
    parser.add_argument("--model", metavar="SPEC", help="the model of the steps text and captions")
    parser.add_argument("--gateway", metavar="URL", help="ask it through a gateway (python -m models.gateway)")
    parser.add_argument("--trivial", type=float, default=0.0, metavar="SHARE", help="of the counts that may be 0 or 1")
    parser.add_argument("--weak", nargs="+", metavar="SPEC", help="models of the weak panel (default: eight programs)")
    parser.add_argument(
        "--wrong", type=int, default=2, metavar="N", help="how many of them have to be wrong (default: 2)"
    )
    parser.add_argument("--by", default="sub_category", metavar="TAG", help="of the quotas (default: sub_category)")
    parser.add_argument("--quota", action="append", default=[], metavar="VALUE=N", help="how many stay of a value")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides which ones are sampled")
    parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes that count pixels (default: 1)")
    return parser


def run(name: str, benchmark: RecipeSet, words: Sequence[str]) -> int:
    """Filter files of recipes."""
    parser = parser_of(name)
    chosen = parser.parse_args(words)
    from evals.families import recipes
    from evals.families.known import known
    from evals.pages.tables import print_table
    from evals.questions.asking import Asker
    from evals.questions.filters import table_of, winnow
    from models.gateway.http import through

    steps = _steps(chosen)
    listed = [recipe for file in chosen.files for recipe in recipes.read(file)]
    if not listed:
        raise ValueError(f"no recipes in {', '.join(map(str, chosen.files))}")
    quotas = _quotas(chosen.quota)
    questions = known(listed, chosen.workers)
    mine = benchmark.of(listed)
    with through(chosen.gateway), Asker(mine, mine.settings()) as asker:
        made = [_step(step, chosen, quotas, questions, asker) for step in steps]
        found = winnow(questions, made, chosen.log or chosen.out / "filter.jsonl")
    kept = {question.id for question in found.kept}
    by_family: dict[str, list[Recipe]] = {recipe.family: [] for recipe in listed}
    for recipe in listed:
        if recipe.id in kept:
            by_family[recipe.family].append(recipe)
    for family, some in by_family.items():
        recipes.write(chosen.out / f"{family}{recipes.SUFFIX}", some)
    print_table(table_of(found))
    print(f"{len(kept)} of {len(listed)} questions written to {chosen.out}", file=sys.stderr)
    return 0


def _steps(chosen: argparse.Namespace) -> tuple[str, ...]:
    """The chosen steps, by default all whose requirements are met."""
    if chosen.steps:
        for step, needed in (("text", "model"), ("captions", "model"), ("quotas", "quota")):
            if step in chosen.steps and not getattr(chosen, needed):
                raise ValueError(f"the step {step} needs --{needed}")
        return tuple(chosen.steps)
    asked = ("text", "captions") if chosen.model else ()
    return (*asked, "counts", "weak", *(("quotas",) if chosen.quota else ()))


def _step(
    step: str, chosen: argparse.Namespace, quotas: dict[str, int], questions: Sequence[Known], asker: Asker
) -> Step:
    from evals.judges.question import CAPTIONS
    from evals.questions import filters

    def asked(control: str | None) -> Callable[[Known, str], bool]:
        return lambda question, model: asker.right(question.id, model, control)

    match step:
        case "text":
            asker.check(chosen.model, "blind")
            return filters.text_only(chosen.model, asked("blind"))
        case "captions":
            asker.check(chosen.model, CAPTIONS)
            return filters.captions(chosen.model, asked(CAPTIONS))
        case "counts":
            return filters.TrivialCounts(share=chosen.trivial, seed=chosen.seed)
        case "quotas":
            tagged = {question.tags.get(chosen.by, "") for question in questions}
            for value in quotas:
                if value not in tagged:
                    from planners.names import unknown

                    raise unknown(f"value of {chosen.by}", value, tagged)
            return filters.Quotas(chosen.by, quotas, chosen.seed)
    for model in chosen.weak or ():
        asker.check(model)
    members = filters.members_of(chosen.weak, asked(None)) if chosen.weak else filters.programs_of(questions)
    return filters.WeakPanel(members, chosen.wrong)


def _quotas(words: Sequence[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for word in words:
        value, _, number = word.rpartition("=")
        if not value or not number.isdecimal():
            raise ValueError(f"--quota takes VALUE=N, not {word!r}")
        found[value] = int(number)
    return found
