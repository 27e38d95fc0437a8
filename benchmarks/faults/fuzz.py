"""Fuzz the readers of files: each changed file must be read, refused in one line, or marked as damaged.

python -m benchmarks.faults.fuzz --seed 0 --count 2000
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

SECONDS = 60
"""Seconds after which a reader counts as hanging."""
TOKENS = (b"null", b"-1", b"1e999", b"NaN", b"{}", b"[]", b'""', b"\x00", b"\xff\xfe", b"\\ud800", b"\n", b"[" * 3000)
Read = Callable[[Path], object]


def seeds(folder: Path) -> dict[str, tuple[bytes, Read]]:
    """Valid files by name, each with its reader. A run is made for them with a simulated model."""
    from envs.blocksworld.problems import domain
    from evals.compare.own import read_part
    from evals.effort import efforts
    from evals.labels import read_labels
    from evals.play import play_run
    from evals.run.benchmarks import find_benchmark
    from evals.run.directory import RunDirectory
    from evals.run.prompts import read_prompts
    from evals.run.trace import read_trace
    from evals.sweep.config import read_plan
    from evals.view.shown import Shown
    from evals.view.site import Site
    from models.cache import AnswerCache
    from models.prices import read_prices
    from models.recorded.packed import lines_of
    from models.recorded.reading import read_file
    from models.registry import load_model
    from planners.pddl import read_domain, read_problem
    from tests.conftest import ROOT

    run = folder / "run"
    play_run(find_benchmark("viplan"), agent="ground_cot", split="simple", limit=1, steps=2, out=run)
    questions = folder / "questions"
    play_run(find_benchmark(f"{ROOT}/tests/evals/tiny_benchmarks.py:QUESTIONS"), model="oracle", out=questions)
    trace = next((run / "episodes").iterdir())
    label = {"episode": trace.stem, "set": "viplan", "label": None, "who": "me", "at": "now", "comment": "", "step": 1}
    (run / "labels.jsonl").write_text(json.dumps(label) + "\n")

    def in_run(source: Path, name: str, read: Read) -> tuple[bytes, Read]:
        def replaced(path: Path) -> object:
            kept = (source / name).read_bytes()
            shutil.copyfile(path, source / name)
            try:
                return read(source)
            finally:
                (source / name).write_bytes(kept)

        return (source / name).read_bytes(), replaced

    def everything(path: Path) -> object:
        opened = RunDirectory.open(path)
        return [_trace_of(opened, result) for result in opened.results()]

    def shown(path: Path) -> object:
        site = Site.of([Shown("run", path)])
        return [site.get(address) for address in site.addresses()]

    def cached(path: Path) -> object:
        cache = AnswerCache(path)
        try:
            return [cache.get(key) for (key,) in sqlite3.connect(path).execute("SELECT key FROM answers")]
        finally:
            cache.close()

    made = folder / "made.sqlite"
    kept = AnswerCache(made)
    from models.base import Reply

    for number in range(30):
        kept.put(str(number), Reply("Yes " * number))
    kept.close()
    answer = ["yes", 0.9, 0.1, "", True, "Yes", True]
    attempt = {"action": "moveblock(r, c1)", "preconditions_results": {"clear r": answer}, "action_info": "success"}
    record = json.dumps({"simple_problem_1.pddl": {"action_results": [attempt], "replans": [], "goal_reached": True}})
    blocks = ROOT / "envs" / "blocksworld"
    domain_file = next(blocks.rglob("domain.pddl"))
    problem = sorted(path for path in blocks.rglob("*.pddl") if b"(problem" in path.read_bytes())[0]
    found: dict[str, tuple[bytes, Read]] = {
        "trace": (trace.read_bytes(), read_trace),
        "cache": (made.read_bytes(), cached),
        "prompts": ((run / "prompts.jsonl").read_bytes(), read_prompts),
        "recorded run": (record.encode(), read_file),
        "packed record": (gzip.compress(record.encode() * 3), lambda path: list(lines_of(path))),
        "script": (b'{"on r,b": "Yes", "*": "No"}', lambda path: load_model(f"scripted:{path}")),
        "prices": ((ROOT / "models" / "prices.json").read_bytes(), read_prices),
        "sweep": ((ROOT / "examples" / "sweep.toml").read_bytes(), read_plan),
        "domain": (domain_file.read_bytes(), read_domain),
        "problem": (problem.read_bytes(), lambda path: read_problem(domain(), path)),
        "labels": in_run(run, "labels.jsonl", read_labels),
        **_published(folder / "published"),
    }
    for source in (run, questions):
        for name in ("run.json", "results.jsonl", "prompts.jsonl", "items.jsonl", f"episodes/{trace.name}"):
            if (source / name).exists():
                for reader in (everything, shown, read_part, lambda path: efforts([path])):
                    found[f"{source.name}/{name} {len(found)}"] = in_run(source, name, reader)
    return found


def _published(folder: Path) -> dict[str, tuple[bytes, Read]]:
    """Data sets in each published format, and predictions for them."""
    from evals.erqa import data as erqa
    from evals.erqa_plus import data as plus
    from evals.questions.readers import Form, read
    from models.registry import load_model
    from tests.evals.published_files import ERQA, RED, plus_rows, write_parquet, write_tfrecord

    (folder / "img").mkdir(parents=True)
    rows = plus_rows()
    parquet, records, listed = folder / "test.parquet", folder / "erqa.tfrecord", []
    write_parquet(parquet, rows)
    write_tfrecord(records)
    for row in rows:
        names = [f"img/{row['question_id']}_{place}" for place in range(len(row["images"]))]
        for name in names:
            (folder / name).write_bytes(RED)
        texts = {name: value for name, value in row.items() if name != "images"}
        listed.append({**texts, "img_path": names, "evaluator_kwargs": json.loads(row["evaluator_kwargs"])})
    answers = json.dumps([{"question_id": row["question_id"], "answer": "A"} for row in rows])

    def pictures(form: Form, name: str) -> Read:
        def opened(path: Path) -> object:
            place = folder / name
            shutil.copyfile(path, place)
            return [photo.png() for row in read(form, str(place)).rows for photo in row.pictures]

        return opened

    return {
        "parquet": (parquet.read_bytes(), pictures(replace(plus.FORM, expected=7), "x.parquet")),
        "tfrecord": (records.read_bytes(), pictures(replace(erqa.FORM, expected=len(ERQA)), "x.tfrecord")),
        "list of questions": (json.dumps(listed).encode(), pictures(replace(plus.FORM, expected=7), "x.json")),
        "predictions": (answers.encode(), lambda path: load_model(f"replay:{path}")),
    }


def _trace_of(run: Any, result: Any) -> object:
    """Read a trace; a missing one is a one-line error, as in every command."""
    try:
        return run.records_of(result)
    except FileNotFoundError:
        return None


ODD: tuple[Any, ...] = (
    *(None, True, -1, 0, 1.5, 10**30, float("nan"), float("inf"), "", "x", "\ud800", "../../x", "\x1b[31m"),
    *([], {}, [[]], [1, "x", None], {"x": 1}, {"": {}}, "x" * 5000, ["x"] * 2000),
)
"""Replacement values for JSON."""


def mutated(content: bytes, dice: random.Random) -> bytes:
    """The content with a few changes, of JSON values if there are any, or of bytes."""
    if dice.random() < 0.6:
        lines = content.split(b"\n")
        for _ in range(dice.choice((1, 1, 3))):
            whole = dice.random() < 0.3 or len(lines) < 3
            place = dice.randrange(len(lines))
            try:
                value = json.loads(content if whole else lines[place])
            except ValueError:
                break
            written = json.dumps(_changed(value, dice)).encode()
            if whole:
                return written
            lines[place] = written
        else:
            return b"\n".join(lines)
    return _changed_bytes(content, dice)


def _changed(value: Any, dice: random.Random) -> Any:
    """JSON with a changed value or name."""
    if isinstance(value, dict) and value and dice.random() < 0.9:
        name = dice.choice(list(value))
        if dice.random() < 0.1:
            return {**{key: one for key, one in value.items() if key != name}, str(dice.choice(ODD)): value[name]}
        return {**value, name: _changed(value[name], dice)}
    if isinstance(value, list) and value and dice.random() < 0.9:
        place = dice.randrange(len(value))
        return [*value[:place], _changed(value[place], dice), *value[place + 1 :]]
    return dice.choice(ODD)


def _changed_bytes(content: bytes, dice: random.Random) -> bytes:
    """Flip bits, insert tokens, drop or repeat pieces."""
    data = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 5))):
        place, length = dice.randrange(len(data) + 1), dice.choice((1, 4, 40, 400))
        match dice.randrange(6):
            case 0 if data:
                data[min(place, len(data) - 1)] ^= 1 << dice.randrange(8)
            case 1:
                data[place:place] = dice.choice(TOKENS)
            case 2:
                del data[place : place + length]
            case 3:
                data[place:place] = data[place : place + length] * dice.choice((1, 2, 20))
            case 4:
                del data[place:]
            case _:
                data[place : place + length] = dice.choice(TOKENS)
    return bytes(data)


def _refusals() -> tuple[type[BaseException], ...]:
    from evals.compare.arms import Unusable
    from evals.questions.readers import BadData
    from evals.run.directory import RunError
    from evals.run.trace import DamagedTrace
    from evals.sweep.config import BadConfig
    from models.base import CannotKeep
    from models.cache import DamagedCache
    from models.recorded.reading import RecordError
    from planners.files import Unreadable
    from planners.pddl import PddlError

    of_runs = (Unusable, RunError, DamagedTrace, BadConfig, CannotKeep, DamagedCache)
    return (*of_runs, RecordError, Unreadable, PddlError, BadData, FileNotFoundError)


def tried(read: Read, path: Path, refusals: tuple[type[BaseException], ...]) -> str:
    """The error of a reader; empty if the file was read, or refused in one line."""

    def hang(*_: object) -> None:
        raise TimeoutError("it hung")

    signal.signal(signal.SIGALRM, hang)
    signal.alarm(SECONDS)
    try:
        read(path)
    except refusals as refusal:
        return f"refused in several lines: {refusal}" if "\n" in str(refusal) else ""
    except sqlite3.DatabaseError:
        return ""  # of our own check of the file
    except ValueError as error:  # a one-line error
        ours = type(error) is ValueError and "\n" not in str(error)
        return "" if ours else "".join(traceback.format_exception(error)[-3:])
    except BaseException as error:
        return "".join(traceback.format_exception(error)[-3:])
    finally:
        signal.alarm(0)
    return ""


def fuzz(seed: int, count: int) -> dict[str, Any]:
    """How many files were tried, and each kind of error once."""
    dice, wrong = random.Random(seed), dict[str, str]()
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        refusals, readable = _refusals(), seeds(folder)
        names = list(readable)
        failed = 0
        for number in range(count):
            name = names[number % len(names)]
            content, read = readable[name]
            path = (
                folder / f"file{'.gz' if 'packed' in name else '.pddl' if name in ('domain', 'problem') else '.json'}"
            )
            path.write_bytes(mutated(content, dice))
            fault = tried(read, path, refusals)
            if fault:
                failed += 1
                wrong.setdefault(f"{name}: {fault.strip().splitlines()[-1][:100]}", fault)
    return {"tried": count, "failed": failed, "wrong": wrong}


def main(argv: Sequence[str] | None = None) -> int:
    summary = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m benchmarks.faults.fuzz", description=summary)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=int, default=2000, help="how many files (default: %(default)s)")
    arguments = parser.parse_args(argv)
    found = fuzz(arguments.seed, arguments.count)
    print(json.dumps(found))
    return 1 if found["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
