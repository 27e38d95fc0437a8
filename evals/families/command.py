"""The commands of question sets about our homes: play, `generate`, `verify`, `filter`, and the published tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.command import parser_of, run_command

if TYPE_CHECKING:
    from evals.families.base import Recipe
    from evals.families.generate import Progress
    from evals.families.sets import RecipeSet
    from evals.run.directory import RunDirectory
    from evals.run.settings import Settings


@dataclass(frozen=True)
class SetCommand:
    """The command of one set. Everything except its name and help is imported on demand."""

    name: str
    description: str
    examples: str
    settings: Callable[[], type[Settings]]
    benchmark: Callable[[], RecipeSet]
    make: Callable[..., list[Recipe]]
    published: Callable[[Path], int]

    def main(self, argv: Sequence[str] | None = None) -> int:
        """Run the command; the exit code."""
        words = list(sys.argv[1:] if argv is None else argv)
        others = {"generate": self._generate, "verify": self._verify, "filter": self._filter, "sheet": self._sheet}
        if words and words[0] in others:
            return self._or_refuse(others[words[0]], words[1:])
        arguments = vars(self._parser().parse_args(words))
        tables, predictions = arguments.pop("published"), arguments.pop("predictions")
        if tables is not None:
            return self._or_refuse(lambda path: self.published(path), tables)
        after = (lambda run: self._or_refuse(lambda path: _predict(run, path), predictions)) if predictions else None
        return run_command(arguments, self.benchmark, after)

    def _parser(self) -> argparse.ArgumentParser:
        parser = parser_of(self.settings(), f"python -m evals.{self.name}", self.description, self.examples)
        group = parser.add_argument_group("published results")
        group.add_argument(
            "--published", type=Path, metavar="CSV", help="print the published tables in this file and check their sums"
        )
        group.add_argument(
            "--predictions",
            type=Path,
            metavar="FILE",
            help="also write the replies as the authors' evaluator reads them",
        )
        return parser

    def _or_refuse(self, do: Callable[[Any], int], argument: Any) -> int:
        """Run a command; invalid input is reported in one line."""
        from evals.run.prepare import BadInput, as_bad_input

        try:
            with as_bad_input():
                return do(argument)
        except BadInput as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        except KeyboardInterrupt:
            return 130

    def _generate(self, words: Sequence[str]) -> int:
        parser = argparse.ArgumentParser(
            prog=f"python -m evals.{self.name} generate", description="Make a new set with the same counts."
        )
        parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed makes other questions")
        parser.add_argument(
            "--out", type=Path, required=True, metavar="DIR", help="where the recipes go, in a file for each family"
        )
        parser.add_argument("--family", metavar="NAME", help="only the questions of one family")
        parser.add_argument("--work", type=Path, metavar="DIR", help="keeps what was found, so that it can be resumed")
        parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
        chosen = parser.parse_args(words)
        from evals.families import recipes

        found = self.make(
            seed=chosen.seed, only=chosen.family, folder=chosen.work, workers=chosen.workers, report=_show
        )
        by_family: dict[str, list[Recipe]] = {}
        for recipe in found:
            by_family.setdefault(recipe.family, []).append(recipe)
        for name, some in by_family.items():
            file = chosen.out / f"{name}{recipes.SUFFIX}"
            recipes.write(file, some)
            print(f"{len(some)} questions written to {file}, {file.stat().st_size:,} bytes")
        return 0

    def _sheet(self, words: Sequence[str]) -> int:
        parser = argparse.ArgumentParser(
            prog=f"python -m evals.{self.name} sheet", description="Draw a contact sheet of questions to look at."
        )
        parser.add_argument("out", type=Path, metavar="FILE", help="where it goes: FILE.jpg or FILE.png")
        parser.add_argument("--recipes", type=Path, metavar="FILE", help="recipes: a file or a folder (default: ours)")
        parser.add_argument("--each", type=int, default=2, metavar="N", help="of each sub-category (default: 2)")
        chosen = parser.parse_args(words)
        from evals.families import recipes, sheet

        count = sheet.write(chosen.out, recipes.read(chosen.recipes or self.benchmark().recipes), chosen.each)
        print(f"{count} questions drawn on {chosen.out}")
        return 0

    def _verify(self, words: Sequence[str]) -> int:
        parser = argparse.ArgumentParser(
            prog=f"python -m evals.{self.name} verify",
            description="Compute every answer again by another route and list the differences; exit code 1 if any.",
        )
        parser.add_argument(
            "file", nargs="?", type=Path, metavar="FILE", help="recipes: a file or a folder (default: ours)"
        )
        parser.add_argument("--workers", type=int, default=1, metavar="N", help="processes (default: 1)")
        parser.add_argument("--sample", type=int, metavar="N", help="only N questions, evenly spread over the set")
        parser.add_argument(
            "--pictures",
            action="store_true",
            help="draw all pictures in two processes instead, and compare their bytes",
        )
        chosen = parser.parse_args(words)
        from evals.families import recipes
        from evals.families.generate import verify

        listed = recipes.read(chosen.file or self.benchmark().recipes)
        some = listed[:: max(1, len(listed) // chosen.sample)][: chosen.sample] if chosen.sample else listed
        if chosen.pictures:
            return _redraw(some)
        differences = verify(some, workers=chosen.workers)
        for difference in differences:
            print(difference)
        print(f"{len(some)} answers computed again, {len(differences)} of them differ")
        return 1 if differences else 0

    def _filter(self, words: Sequence[str]) -> int:
        from evals.families import filtering

        return filtering.run(self.name, self.benchmark(), words)


def _redraw(some: Sequence[Recipe]) -> int:
    from evals.families.redrawn import redrawn

    count, different = redrawn(some)
    for name in different:
        print(f"{name}: other bytes in a second process")
    print(f"{count} pictures drawn in two processes, {len(different)} of them differ")
    return 1 if different else 0


def _predict(run: RunDirectory, path: Path) -> int:
    from evals.questions.predictions import write_predictions

    count = write_predictions(run, path)
    print(f"{count} replies written to {path}", file=sys.stderr)
    return 0


def _show(progress: Progress) -> None:
    print(
        f"\r{progress.family}: {progress.taken} of {progress.wanted} questions, {progress.scenes} scenes   ",
        end="" if progress.taken < progress.wanted else "\n",
        file=sys.stderr,
        flush=True,
    )
