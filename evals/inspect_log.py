"""Write a finished run as a log of inspect-ai, for `inspect view`.

    python -m evals.inspect_log RUN

An episode or a question becomes a sample: prompts, replies, plans and actions are its transcript, with the truth.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.run.pipes import quietly

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory
    from evals.run.results import EpisodeResult
    from evals.run.trace import Record
    from tools.events import Asked, Value

DESCRIPTION = """\
Write a finished run as a log of inspect-ai (pip install -e '.[inspect]'). An episode or a question becomes a sample
with its score and failure class; prompts, replies, plans and actions are its transcript. Pictures are named by their
hashes.
"""
EPILOG = """\
examples:
  python -m evals.inspect_log runs/DIR
  python -m evals.inspect_log runs/DIR --out logs/mine.eval && inspect view --log-dir logs

exit code: 0 written, 2 invalid input
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
    from evals.run.directory import RunDirectory
    from evals.run.prepare import BadInput, as_bad_input

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
    from evals.run.prompts import NAME, read_prompts

    results = run.results()
    writer = _Writer(run, read_prompts(run.path / NAME))
    samples = [writer.sample(result, run.records_of(result)) for result in results]
    whole = log.EvalLog(
        eval=_spec(log, run, writer.model, samples),
        status="success",
        samples=samples,
        results=_results(log, run, results),
        stats=log.EvalStats(),
    )
    out.parent.mkdir(parents=True, exist_ok=True)
    log.write_eval_log(whole, str(out))


def _spec(log: Any, run: RunDirectory, model: str, samples: Sequence[Any]) -> Any:
    config, name = run.config, run.path.resolve().name
    settings, benchmark = config.get("settings", {}), str(config.get("benchmark", ""))
    control = config.get("control")
    tags = [*(["simulated"] if config.get("simulated") else []), *([f"control {control}"] if control else [])]
    return log.EvalSpec(
        eval_id=name,
        run_id=name,
        task_id=name,
        created=str(config.get("started") or "1970-01-01T00:00:00+00:00"),
        task=benchmark,
        task_args=settings,
        solver=str(settings.get("agent", "")),
        dataset=log.EvalDataset(name=benchmark, samples=len(samples)),
        model=model,
        config=log.EvalConfig(epochs=settings.get("repeats")),
        packages={key: str(value) for key, value in config.get("versions", {}).items()},
        tags=tags or None,
        metadata={"fingerprints": config.get("fingerprints"), "git": config.get("git"), "control": control},
    )


def _results(log: Any, run: RunDirectory, results: Sequence[EpisodeResult]) -> Any:
    """The mean over all samples, as in inspect-ai, and the benchmark's overall number."""
    from evals.run.scores import score_run, score_split

    scored = score_split("all", results, run.judging)
    own = score_run(results, run.splits, run.episodes, run.judging)
    metrics = {"accuracy": scored.success, "stderr": scored.sem, "overall": own.success}
    extra = {"overall": {"formula": own.overall, "interval": own.interval.model_dump() if own.interval else None}}
    kept = {
        name: log.EvalMetric(name=name, value=value, metadata=extra.get(name))
        for name, value in metrics.items()
        if value is not None
    }
    score = log.EvalScore(name="success", scorer="success", metrics=kept, metadata={"measures": scored.measures})
    return log.EvalResults(total_samples=len(results), completed_samples=scored.n, scores=[score])


class _Writer:
    """Makes samples of episodes; `prompts` are the messages of every request by id."""

    def __init__(self, run: RunDirectory, prompts: Mapping[str, Mapping[str, Any]]) -> None:
        family, _, rest = str(run.config.get("settings", {}).get("model", "")).partition(":")
        self.model = f"{family}/{rest or family}"
        self._log, self._models = import_module("inspect_ai.log"), import_module("inspect_ai.model")
        self._scorer, self._events = import_module("inspect_ai.scorer"), import_module("inspect_ai.event")
        self._prompts, self._meanings = prompts, run.judging.meanings
        started = str(run.config.get("started") or "")
        self._when = {"timestamp": started} if started else {}

    def sample(self, result: EpisodeResult, records: Sequence[Record]) -> Any:
        """An episode as a sample."""
        from tools.events import Began, Ended

        began = next((record.event for record in records if isinstance(record.event, Began)), None)
        last = records[-1].event if records else None
        goal, options = (began.goal, began.options) if began else ("", ())
        right, given = _answers(records)
        repeat = int(result.tags.get("repeat", 0))
        trace = last.traceback if isinstance(last, Ended) else ""
        return self._log.EvalSample(
            id=result.id.removesuffix(f".repeat{repeat}"),
            epoch=repeat + 1,
            input=goal,
            choices=list(options) or None,
            target="the goal holds" if right is None else _lettered(right, options),
            messages=[*self._conversation(goal, records)],
            output=self._models.ModelOutput.from_content(self.model, _explanation(result, given)),
            scores=self._scores(result, _lettered(given, options) if given is not None else result.reason),
            metadata=self._metadata(result),
            events=list(self._transcript(records)),
            model_usage={self.model: self._usage(result.prompt_tokens, result.completion_tokens)},
            error=None
            if result.scored
            else self._log.EvalError(message=result.detail, traceback=trace, traceback_ansi=trace),
        )

    def _scores(self, result: EpisodeResult, answer: str) -> dict[str, Any] | None:
        if not result.scored:
            return None
        why = f"{result.failure}: {self._meanings.get(result.failure, '')}" if result.failure else "solved"
        mark = "C" if result.success else "I"
        scores = {"success": self._scorer.Score(value=mark, answer=answer, explanation=why.rstrip(": "))}
        if 0 < result.value < 1:
            scores["value"] = self._scorer.Score(value=result.value, answer=answer)
        return scores

    def _metadata(self, result: EpisodeResult) -> dict[str, Any]:
        return {
            "split": result.split,
            "seed": result.seed,
            "steps": result.steps,
            "reason": result.reason,
            "failure": result.failure or "",
            "tags": result.tags,
            "measures": result.measures,
        }

    def _usage(self, prompt: int, completion: int) -> Any:
        return self._models.ModelUsage(input_tokens=prompt, output_tokens=completion, total_tokens=prompt + completion)

    def _conversation(self, goal: str, records: Sequence[Record]) -> Iterator[Any]:
        """For a world, the actions and outcomes; for a question, the last prompt and reply."""
        from tools.events import Acted, Asked, CalledOff

        acts = [record.event for record in records if isinstance(record.event, Acted | CalledOff)]
        asked = [record.event for record in records if isinstance(record.event, Asked)]
        if asked and asked[-1].phase == "question":
            yield from self._messages(asked[-1])
            yield self._models.ChatMessageAssistant(content=asked[-1].reply)
            return
        yield self._models.ChatMessageUser(content=goal)
        for event in acts:
            outcome = event.outcome if isinstance(event, Acted) else f"called off: {', '.join(event.unmet)}"
            yield self._models.ChatMessageAssistant(content=event.action)
            yield self._models.ChatMessageUser(content=outcome)

    def _transcript(self, records: Sequence[Record]) -> Iterator[Any]:
        """Replies as model events, the rest as info events."""
        from tools.events import Asked

        for record in records:
            event, truth = record.event, record.truth.model_dump(mode="json", exclude_none=True, exclude={"state"})
            if isinstance(event, Asked):
                yield self._call(event, truth)
            else:
                data = {**event.model_dump(mode="json", exclude_none=True), "truth": truth}
                yield self._events.InfoEvent(source=event.type, data=data, **self._when)

    def _call(self, event: Asked, truth: Mapping[str, Any]) -> Any:
        prompt = self._prompts.get(event.prompt or "", {})
        output = self._models.ModelOutput.from_content(self.model, event.reply)
        output.usage = self._usage(event.prompt_tokens, event.completion_tokens)
        output.time = event.seconds
        facts = event.model_dump(mode="json", exclude_none=True, exclude={"reply"})
        return self._events.ModelEvent(
            model=self.model,
            input=self._messages(event),
            tools=[],
            tool_choice="none",
            config=self._models.GenerateConfig(
                max_tokens=prompt.get("max_tokens"), temperature=prompt.get("temperature", 0.0)
            ),
            output=output,
            cache="read" if event.cached else None,
            metadata={**facts, "truth": truth, **({"tools": _texts(prompt["tools"])} if "tools" in prompt else {})},
            **self._when,
        )

    def _messages(self, event: Asked) -> list[Any]:
        """The prompt, with pictures by name; only the question if the prompt is not stored."""
        stored = self._prompts.get(event.prompt or "", {}).get("messages", ())
        return [self._message(role, _texts(parts)) for role, parts in stored] or [
            self._models.ChatMessageUser(content=event.question or event.phase)
        ]

    def _message(self, role: str, texts: Sequence[str]) -> Any:
        match role:
            case "system":
                return self._models.ChatMessageSystem(content="\n\n".join(texts))
            case "assistant":
                return self._models.ChatMessageAssistant(content="\n".join(texts))
            case "tool":
                return self._models.ChatMessageTool(content="\n".join(texts[1:]), tool_call_id=texts[0])
        return self._models.ChatMessageUser(content=[self._models.ContentText(text=text) for text in texts])


def _answers(records: Sequence[Record]) -> tuple[Value, Value]:
    """The right answer to a question and the given one; empty for worlds."""
    from tools.events import Answered, Asked

    right: Value = None
    given: Value = None
    for record in records:
        event = record.event
        if isinstance(event, Answered) or (isinstance(event, Asked) and event.phase == "question"):
            right = record.truth.value if right is None else right
        if isinstance(event, Answered):
            given = event.value
    return right, given


def _lettered(value: Value, options: Sequence[str]) -> str:
    """An answer in the form of inspect-ai: the letter of an option, or the text."""
    if isinstance(value, str) and value in options[: len(LETTERS)]:
        return LETTERS[options.index(value)]
    return ",".join(value) if isinstance(value, tuple) else str(value)


def _explanation(result: EpisodeResult, given: Value) -> str:
    return f"{result.reason} {result.detail}".strip() if given is None else str(given)


def _texts(parts: Sequence[Any]) -> list[str]:
    """Parts of a message as texts; pictures by their hash, or by their scene if they were not drawn."""
    return [_text(part) for part in parts if isinstance(part, dict)]


def _text(part: Mapping[str, Any]) -> str:
    if "picture" not in part:
        return str(part.get("text", ""))
    return f"[picture sha256:{part['sha256']}]" if "sha256" in part else f"[picture scene:{part['picture']}]"


if __name__ == "__main__":
    sys.exit(quietly(main))
