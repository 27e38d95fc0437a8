"""Run EmbodiedEval.

    python -m evals.embodiedeval
    python -m evals.embodiedeval scores runs/RUN
    python -m evals.embodiedeval tasks DIR

Play all tasks with one agent and one model, score runs as the original does, or count the original's tasks.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.command import parser_of, run_command
from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.embodiedeval.benchmark import EmbodiedEval

DESCRIPTION = """\
Run EmbodiedEval: an agent sees a room through its own eyes and chooses what to do, to answer a question, to go
somewhere, to handle things or to deal with people.

Without options it plays our 328 tasks with a simulated model: no key, no GPU, no download. Every answer is on disk
before the next question; a run that was stopped or killed is resumed with --resume.

Other commands: play (play as a person in the browser), scores (score a run or a result folder of the original, by our
rules and by the original's), tasks (read the original's task files), export (write a run or our tasks in the original's
form), serve (play the part of the original's game with our tasks); each has a --help of its own.
"""
EXAMPLES = """\
examples:
  python -m evals.embodiedeval
  python -m evals.embodiedeval --model openai:gpt-4.1 --category navigation --feedback reasons
  python -m evals.embodiedeval --agent map --model sim:sight?accuracy=0.9
  python -m evals.embodiedeval --control expert
  python -m evals.embodiedeval --control random --seed 3
  python -m evals.embodiedeval play --category navigation --limit 3 --open
  python -m evals.embodiedeval --published published_tables.csv
  python -m evals.embodiedeval --game-port 50051 --data data/tasks --scenes data/scenes --rules official
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    others = {"tasks": _tasks, "scores": _scores, "export": _export, "play": _play, "serve": _serve}
    if words and words[0] in others:
        return _or_refuse(lambda: others[words[0]](words[1:]))
    from evals.embodiedeval.settings import EmbodiedEvalSettings

    parser = parser_of(EmbodiedEvalSettings, "python -m evals.embodiedeval", DESCRIPTION, EXAMPLES)
    group = parser.add_argument_group("published results")
    group.add_argument(
        "--published", type=Path, metavar="CSV", help="print the published tables in this file and check their sums"
    )
    arguments = vars(parser.parse_args(words))
    tables = arguments.pop("published")
    if tables is not None:
        return _or_refuse(lambda: _published(tables))
    return run_command(arguments, _benchmark)


def _benchmark() -> EmbodiedEval:
    from evals.embodiedeval.benchmark import BENCHMARK

    return BENCHMARK


def _published(path: Path) -> int:
    from evals.embodiedeval.published import report

    return report(path)


def _tasks(words: Sequence[str]) -> int:
    from evals.embodiedeval.original.command import tasks

    return tasks(words)


def _scores(words: Sequence[str]) -> int:
    from evals.embodiedeval.original.command import scores

    return scores(words)


def _export(words: Sequence[str]) -> int:
    from evals.embodiedeval.original.command import export

    return export(words)


def _play(words: Sequence[str]) -> int:
    from evals.embodiedeval.player.command import play

    return play(words)


def _serve(words: Sequence[str]) -> int:
    from evals.embodiedeval.original.serve import serve

    return serve(words)


def _or_refuse(do: Callable[[], int]) -> int:
    """Run a command; input that cannot be used is reported in one line, with exit code 2."""
    from evals.run.prepare import BadInput, as_bad_input

    try:
        with as_bad_input():
            return do()
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(quietly(main))
