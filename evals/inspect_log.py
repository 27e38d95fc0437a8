"""Write a finished run as a log of inspect-ai, to look at it with `inspect view`.

    python -m evals.inspect_log RUN

An episode becomes a sample; its questions, plans and actions are its transcript, with the truth beside them.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.pipes import quietly

if TYPE_CHECKING:
    from evals.results import EpisodeResult
    from evals.run_directory import RunDirectory
    from evals.trace import Record

DESCRIPTION = """\
Write finished runs as logs of inspect-ai (pip install -e '.[inspect]'). An episode becomes a sample, scored by whether
the goal was reached; what was asked, planned and done is its transcript. Pictures are named by their hashes.
"""
EPILOG = """\
examples:
  python -m evals.inspect_log runs/DIR
  python -m evals.inspect_log runs/DIR --out logs/mine.eval && inspect view --log-dir logs

exit code: 0 written, 2 the input cannot be used
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.inspect_log",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="the directory of a run")
    parser.add_argument("--out", type=Path, metavar="FILE", help="an .eval or .json file (default: RUN/inspect.eval)")
    arguments = parser.parse_args(argv)
    from evals.prepare import BadInput, as_bad_input
    from evals.run_directory import RunDirectory

    try:
        with as_bad_input():
            run = RunDirectory.open(arguments.run)
            out = arguments.out or run.path / "inspect.eval"
            if out.suffix not in (".eval", ".json"):
                raise ValueError(f"--out {out}: inspect-ai writes .eval and .json files")
            write(run, out)
    except BadInput as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    print(f"{len(run.results())} episodes written to {out}")
    return 0


def write(run: RunDirectory, out: Path) -> None:
    """Write the run as a log; `ValueError` if inspect-ai is not installed."""
    try:
        log = import_module("inspect_ai.log")
    except ImportError:
        raise ValueError("logs of inspect-ai need it: pip install -e '.[inspect]'") from None
    from evals.trace import read_trace

    config, results = run.config, run.results()
    settings, started = config.get("settings", {}), str(config.get("started", ""))
    family, _, rest = str(settings.get("model", "")).partition(":")
    model = f"{family}/{rest or family}"
    name = run.path.resolve().name
    samples = [_sample(log, result, read_trace(run.trace(result.id)), model, started) for result in results]
    spec = log.EvalSpec(
        eval_id=name,
        run_id=name,
        task_id=name,
        created=started or "1970-01-01T00:00:00+00:00",
        task=str(config.get("benchmark", "")),
        task_args=settings,
        solver=str(settings.get("agent", "")),
        dataset=log.EvalDataset(name=str(config.get("benchmark", "")), samples=len(samples)),
        model=model,
        config=log.EvalConfig(),
        packages={key: str(value) for key, value in config.get("versions", {}).items()},
        tags=["simulated"] if config.get("simulated") else None,
        metadata={"fingerprints": config.get("fingerprints"), "git": config.get("git")},
    )
    whole = log.EvalLog(
        eval=spec, status="success", samples=samples, results=_results(log, results), stats=log.EvalStats()
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    log.write_eval_log(whole, str(out))


def _results(log: Any, results: Sequence[EpisodeResult]) -> Any:
    from evals.scores import score_split

    scored = score_split("all", results)
    metrics = {"accuracy": scored.success, "stderr": scored.sem}
    kept = {name: log.EvalMetric(name=name, value=value) for name, value in metrics.items() if value is not None}
    score = log.EvalScore(name="success", scorer="goal reached", metrics=kept)
    return log.EvalResults(total_samples=len(results), completed_samples=scored.n, scores=[score])


def _sample(log: Any, result: EpisodeResult, records: Sequence[Record], model: str, started: str) -> Any:
    models, scorer = import_module("inspect_ai.model"), import_module("inspect_ai.scorer")
    from tools.events import Began

    goal = next((record.event.goal for record in records if isinstance(record.event, Began)), "")
    why = "" if result.success else str(result.failure)
    score = scorer.Score(value="C" if result.success else "I", answer=result.reason, explanation=why or "goal reached")
    said = [models.ChatMessageUser(content=goal), *_conversation(models, records)]
    usage = models.ModelUsage(
        input_tokens=result.prompt_tokens,
        output_tokens=result.completion_tokens,
        total_tokens=result.prompt_tokens + result.completion_tokens,
    )
    broken = log.EvalError(message=result.detail, traceback="", traceback_ansi="")
    return log.EvalSample(
        id=result.id,
        epoch=1,
        input=goal,
        target="the goal holds",
        messages=said,
        output=models.ModelOutput.from_content(model, f"{result.reason} {result.detail}".strip()),
        scores={"success": score} if result.scored else None,
        metadata={"split": result.split, "seed": result.seed, "steps": result.steps, "failure": why},
        events=list(_events(records, model, started)),
        model_usage={model: usage},
        error=None if result.scored else broken,
    )


def _conversation(models: Any, records: Sequence[Record]) -> Iterator[Any]:
    """What was done and what came of it, as a conversation with the world."""
    from tools.events import Acted, CalledOff

    for record in records:
        event = record.event
        if isinstance(event, Acted | CalledOff):
            outcome = event.outcome if isinstance(event, Acted) else f"called off: {', '.join(event.unmet)}"
            yield models.ChatMessageAssistant(content=event.action)
            yield models.ChatMessageUser(content=outcome)


def _events(records: Sequence[Record], model: str, started: str) -> Iterator[Any]:
    """The transcript: replies as calls of a model, the rest as notes."""
    events, models = import_module("inspect_ai.event"), import_module("inspect_ai.model")
    from tools.events import Asked, Decided, Proposed

    when = {"timestamp": started} if started else {}
    for record in records:
        event, truth = record.event, record.truth.model_dump(mode="json", exclude_none=True, exclude={"state"})
        if isinstance(event, Asked | Proposed | Decided):
            question = event.question if isinstance(event, Asked) else event.type
            output = models.ModelOutput.from_content(model, event.reply)
            output.usage = models.ModelUsage(input_tokens=event.prompt_tokens, output_tokens=event.completion_tokens)
            output.time = event.seconds
            facts = event.model_dump(mode="json", exclude_none=True, exclude={"reply", "question"})
            yield events.ModelEvent(
                model=model,
                input=[models.ChatMessageUser(content=question)],
                tools=[],
                tool_choice="none",
                config=models.GenerateConfig(),
                output=output,
                metadata={**facts, "truth": truth},
                **when,
            )
        else:
            data = {**event.model_dump(mode="json", exclude_none=True), "truth": truth}
            yield events.InfoEvent(source=event.type, data=data, **when)


if __name__ == "__main__":
    sys.exit(quietly(main))
