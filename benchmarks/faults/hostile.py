"""Hostile run directories, and every command that reads a run.

python -m benchmarks.faults.hostile RUN DIR      # an archive of them, made from a run
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.faults.processes import Bench, Cell, Ended
from benchmarks.faults.record import Row

SPY = "from pathlib import Path\nPath(__file__).with_suffix('.executed').touch()\ndef build(): pass\n"
ACTS = "\x1b]0;title\x07\x1b[2J\x1b[31m\u202e[/x][red]=cmd|' /C calc'!A0<script>alert(1)</script>"
SECRET = "sk-secret-0123456789"
DEEP = "[" * 100_000 + "]" * 100_000


def _config(run: Path, **parts: Any) -> None:
    config = json.loads((run / "run.json").read_text())
    config["settings"] |= parts.pop("settings", {})
    (run / "run.json").write_text(json.dumps({**config, **parts}))


def _results(run: Path, change: Callable[[dict[str, Any]], None]) -> None:
    lines = [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]
    for line in lines:
        change(line)
    (run / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))


def _agent(run: Path) -> None:
    (run / "pictures" / "x.py").write_text(SPY)
    _config(run, settings={"agent": f"{run}/pictures/x.py:build"})


def _module(run: Path) -> None:
    (run / "pictures" / "x.py").write_text(SPY)
    _config(run, settings={"model": f"{run}/pictures/x.py:build"})


def _source(run: Path) -> None:
    (run / "pictures" / "x.py").write_text(SPY)
    _config(run, source=f"{run}/pictures/x.py:BENCHMARK")


def _named(run: Path) -> None:
    (run / "pictures" / "x.py").write_text(SPY)
    _config(run, benchmark=f"{run}/pictures/x.py:BENCHMARK")


def _address(server: str) -> Callable[[Path], None]:
    return lambda run: _config(run, settings={"model": f"openai:gpt-4.1@{server}?key_env=SECRET"})


def _set(**settings: Any) -> Callable[[Path], None]:
    return lambda run: _config(run, settings=settings)


def _folder(run: Path) -> None:
    """Every setting that may be a path names a folder of the machine."""
    settings = json.loads((run / "run.json").read_text())["settings"]
    paths = {"data", "problems", "viplan_root"} & set(settings)
    _config(run, settings=dict.fromkeys(paths, str(run.parent / "precious")))


def _link(name: str) -> Callable[[Path], None]:
    def make(run: Path) -> None:
        path, target = run / name, run.parent / "precious"
        path = next((run / "episodes").iterdir(), path) if name == "episodes/*" else path
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
            path.symlink_to(target, target_is_directory=True)
        else:
            path.unlink(missing_ok=True)
            path.symlink_to(target / "file")

    return make


def _pipe(name: str) -> Callable[[Path], None]:
    def make(run: Path) -> None:
        path = next((run / "episodes").iterdir(), run / "episodes" / "x.jsonl") if name == "episodes/*" else run / name
        path.unlink(missing_ok=True)
        os.mkfifo(path)

    return make


def _text(name: str, content: str) -> Callable[[Path], None]:
    return lambda run: (run / name).write_text(content) and None


def _large(name: str) -> Callable[[Path], None]:
    def make(run: Path) -> None:
        with (run / name).open("ab") as file:
            file.truncate(400 * 2**20)  # a sparse file

    return make


def _named_episodes(name: str) -> Callable[[Path], None]:
    return lambda run: _results(run, lambda line: line.update(id=name))


def _speaking(run: Path) -> None:
    _config(run, settings={"model": ACTS}, model=ACTS, splits=[ACTS], episodes={ACTS: 3})
    _results(run, lambda line: line.update(split=ACTS, failure=ACTS, detail=ACTS, tags={"domain": ACTS}))


def kinds(server: str) -> dict[str, Callable[[Path], None]]:
    """The manipulations of a run, by name."""
    files = ("run.json", "results.jsonl", "prompts.jsonl", "labels.jsonl", "answers.sqlite", "items.jsonl")
    others, names = ("lock", "episodes/*"), ("../../x", "/tmp/x", "a\0b", "x" * 300)
    return {
        "an agent in the run": _agent,
        "a model in the run": _module,
        "a benchmark in the run": _source,
        "a file as the name of the benchmark": _named,
        "an address with a key": _address(server),
        "another key": _set(model="openai:gpt-4.1?key_env=SECRET"),
        "a folder of the machine": _folder,
        "a file as a model": _set(model="replay:/etc/hostname"),
        "a module": _set(model="langchain:benchmarks.faults.hostile:Spy"),
        "a model of the hub": _set(model="hf:some/model?trust_remote_code=true"),
        "escape codes and formulas": _speaking,
        "settings as a list": _text("run.json", '{"format": 2, "settings": []}'),
        **{f"{name} is a link": _link(name) for name in (*files[1:], *others, "report.html", "episodes", "pictures")},
        **{f"{name} is a pipe": _pipe(name) for name in (*files, *others)},
        **{f"{name} is nested": _text(name, DEEP + "\n") for name in files if "sqlite" not in name},
        **{f"{name} is large": _large(name) for name in files},
        **{f"episodes are named {name[:12]!r}": _named_episodes(name) for name in names},
    }


def readers(run: Path, other: Path, out: Path, benchmark: str, model: str) -> list[list[str]]:
    """Every command that reads a run. The second one confirms the run's model."""
    first = "x"
    for line in (other / "results.jsonl").read_text().splitlines():
        first = json.loads(line)["id"]
    resume = ["benchmarks.faults.command", benchmark, "--resume", str(run)]
    return [
        resume,
        [*resume, "--model", model],
        ["evals.rerun", str(run), "--episode", first, "--with", "oracle-answers"],
        ["evals.blame", str(run)],
        ["evals.compare", str(run), str(other), "--force", "--out", str(out / "comparison")],
        ["evals.view", str(run), "--export", str(out / "page")],
        ["evals.effort", str(run), "--csv", str(out / "effort.csv")],
        ["evals.labels", str(run), "--csv"],
        ["evals.inspect_log", str(run), "--out", str(out / "log.eval")],
    ]


READERS = 9


def hostile_runs(bench: Bench, row: Row) -> None:
    """Read a hostile run with one of the commands: it must be refused in one line or shown, without side effects."""
    all_kinds = kinds(bench.server.url)
    number, cell = row.tried, bench.pick(row)
    base, name = base_run(bench, cell), list(all_kinds)[number % len(all_kinds)]
    place = bench.place()
    (place / "precious").mkdir(parents=True)
    (place / "precious" / "file").write_text("precious\nhalf a line")
    run = shutil.copytree(base, place / "run")
    (run / "results.jsonl").write_text((base / "results.jsonl").read_text().splitlines(keepends=True)[0])
    all_kinds[name](run)
    out, asked = place / "out", bench.server.count
    out.mkdir()
    # After READERS rounds of all kinds every command has had each of them.
    turn = number % len(all_kinds) + number // len(all_kinds)
    command = readers(run, base, out, cell.benchmark, bench.model)[turn % READERS]
    confirmed = "--model" in command
    ended = bench.end(bench.start([sys.executable, "-m", *command], SECRET=SECRET))
    stolen = any(SECRET in str(seen.headers) for seen in bench.server.seen)
    row.note(*_judged(name, command, ended, place, asked=bench.server.count > asked and not confirmed, stolen=stolen))
    if stolen:
        bench.server.seen.clear()


def base_run(bench: Bench, cell: Cell) -> Path:
    """An unmodified run of a cell, made once."""
    path = bench.folder / re.sub(r"\W", "_", f"base {cell.agent} {cell.benchmark}")
    if not path.exists():
        made = bench.place()
        bench.play(cell, made)
        made.rename(path)
    return path


def _judged(name: str, command: list[str], ended: Ended, place: Path, *, asked: bool, stolen: bool) -> tuple[bool, str]:
    wrong = []
    if not ended.clean or ended.code not in (0, 1, 2, 3):
        wrong.append(f"exit code {ended.code}")
    if list(place.rglob("*.executed")):
        wrong.append("code was executed")
    kept = {file.name: file.read_text() for file in (place / "precious").iterdir()}
    if kept != {"file": "precious\nhalf a line"}:
        wrong.append("something was written through a link")
    if {path.name for path in place.iterdir()} != {"precious", "run", "out"}:
        wrong.append("something was written outside of the run")
    if asked:
        wrong.append("the server of the run was asked")
    if stolen:
        wrong.append("a key was sent to the server of the run")
    confirmed = " confirmed" if "--model" in command else ""
    return not wrong, f"{name}, {command[0]}{confirmed}: {', '.join(wrong)}: {ended.last}"


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:3])
    for number, (title, change) in enumerate(kinds("http://127.0.0.1:9/v1").items()):
        made = shutil.copytree(source, target / f"{number:02}" / "run")
        (made.parent / "precious").mkdir()
        (made.parent / "what").write_text(f"{title}\n")
        change(made)
