"""Run ActionEQA.

    python -m evals.actioneqa
    python -m evals.actioneqa curate bridge/ --out mine
    python -m evals.actioneqa export --form hub --out hub

Asks all questions with one agent and one model, makes questions from other people's episodes, or exports ours to other
formats.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.run.pipes import quietly

if TYPE_CHECKING:
    from evals.actioneqa.benchmark import ActionEqa
    from evals.run.directory import RunDirectory

DESCRIPTION = """\
Run ActionEQA: questions about what a robot arm did (action inference), and about the state that an action leads to
(state prediction), with actions as goals, as motion labels and as seven numbers.

Without options it asks a simulated model our 840 embedded questions: no key, no GPU, no download. Every answer is on
disk before the next question; a run that was stopped or killed is resumed with --resume.

Other commands: curate (questions from RLDS files) and export (ours as parquet, lmms-eval or VLMEvalKit); each has a
--help of its own. Studies of the questions themselves are in python -m evals.actioneqa_study.
"""
EXAMPLES = """\
examples:
  python -m evals.actioneqa
  python -m evals.actioneqa --model openai:gpt-4.1 --prompt cot --source bridge --level mid,low
  python -m evals.actioneqa --agent answer_axes --model anthropic:claude-sonnet-4-5 --views 4
  python -m evals.actioneqa --data TianweiBao/ActionEQA --model openai:gpt-4.1 --parsing official
  python -m evals.actioneqa --model geometry --level mid,low
  python -m evals.actioneqa --control blind
  python -m evals.actioneqa --published published_tables.csv
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    words = list(sys.argv[1:] if argv is None else argv)
    others = {"curate": _curate, "export": _export}
    if words and words[0] in others:
        return _or_refuse(lambda: others[words[0]](words[1:]))
    arguments = vars(_parser().parse_args(words))
    tables, predictions = arguments.pop("published"), arguments.pop("predictions")
    if tables is not None:
        return _or_refuse(lambda: _published(tables))
    from evals.command import run_command

    as_json = bool(arguments["json"])
    return run_command(arguments, _benchmark, lambda run: _or_refuse(lambda: _after(run, predictions, as_json=as_json)))


def _parser() -> argparse.ArgumentParser:
    from evals.actioneqa.settings import ActionSettings
    from evals.command import parser_of

    parser = parser_of(ActionSettings, "python -m evals.actioneqa", DESCRIPTION, EXAMPLES)
    group = parser.add_argument_group("published results")
    group.add_argument(
        "--published", type=Path, metavar="CSV", help="print the published tables in this file and check their sums"
    )
    group.add_argument(
        "--predictions", type=Path, metavar="FILE", help="also write the replies as a list of ids and answers"
    )
    return parser


def _benchmark() -> ActionEqa:
    from evals.actioneqa.benchmark import BENCHMARK

    return BENCHMARK


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


def _published(path: Path) -> int:
    from evals.actioneqa.published import report

    return report(path)


def _after(run: RunDirectory, predictions: Path | None, *, as_json: bool) -> int:
    """Print the tables that only this benchmark has, and write the replies to a file if there is one."""
    from evals.actioneqa.results import print_tables

    print_tables(run, stderr=as_json)
    if predictions is not None:
        from evals.questions.predictions import write_predictions

        print(f"{write_predictions(run, predictions)} replies written to {predictions}", file=sys.stderr)
    return 0


def _curate(words: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m evals.actioneqa curate",
        description="Make questions from episodes in RLDS files (Bridge, DROID, RT-1), by the five published stages, "
        "and write them in the published form. Prints how many each stage dropped, and why.",
    )
    parser.add_argument("where", metavar="FILE|FOLDER", help="TFRecord files of episodes")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="the folder to write parquet files to")
    parser.add_argument("--source", help="bridge, droid or rt1 (default: recognised by the features)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides distractors and letters")
    parser.add_argument("--episodes", type=int, metavar="N", help="only the first N episodes")
    parser.add_argument("--model", metavar="SPEC", help="a model that writes the distractors of the high level")
    parser.add_argument("--gateway", metavar="URL", help="ask it through a gateway (python -m models.gateway)")
    chosen = parser.parse_args(words)
    from evals.actioneqa.curating import curate
    from models.gateway.http import through

    how = {"source": chosen.source, "seed": chosen.seed, "episodes": chosen.episodes, "model": chosen.model}
    with through(chosen.gateway):
        return curate(chosen.where, chosen.out, **how)


def _export(words: Sequence[str]) -> int:
    from evals.actioneqa.export import FORMS

    parser = argparse.ArgumentParser(
        prog="python -m evals.actioneqa export", description="Write questions with their pictures in another form."
    )
    parser.add_argument(
        "--form", choices=tuple(FORMS), default="hub", help="; ".join(f"{a}: {b}" for a, b in FORMS.items())
    )
    parser.add_argument("--out", type=Path, required=True, metavar="PATH", help="a folder; of vlmevalkit a TSV file")
    for name in ("data", "source", "level", "direction", "views"):
        parser.add_argument(f"--{name}", default=argparse.SUPPRESS, help="as for a run")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N of each configuration")
    chosen = vars(parser.parse_args(words))
    form, out = chosen.pop("form"), chosen.pop("out")
    return _write(form, out, chosen)


def _write(form: str, out: Path, chosen: dict[str, Any]) -> int:
    from evals.actioneqa import export
    from evals.actioneqa.settings import ActionSettings

    settings = ActionSettings(model="oracle", **chosen)
    entries = [entry for entry in _benchmark().entries(settings) if not entry.fault]
    if form == "hub":
        export.write_hub(out, entries, lambda line: print(line, file=sys.stderr))
    elif form == "lmms-eval":
        export.write_lmms_eval(out, entries, settings.views)
    else:
        export.write_vlmevalkit(out, entries, settings.views)
    print(f"{len(entries)} questions written to {out}")
    return 0


if __name__ == "__main__":
    sys.exit(quietly(main))
