"""Labels that people give to failed episodes or questions, beside the class of the trace.

    python -m evals.labels runs/20260101-120000-viplan-ground_mem-sim_gpt-4.1 --csv

Labels are given in the viewer (`python -m evals.view`) and appended to the run's `labels.jsonl`. The last line of a
person about an episode in a label set counts; a line without a label withdraws the previous one. The first set of a run
are its failure classes, which the trace decides, too; it is named after the benchmark. Further sets are in
`evals/label_sets`, one file each.
"""

from __future__ import annotations

import argparse
import csv
import errno
import json
import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from evals.run.pipes import quietly
from planners.files import Unreadable, read_bytes

if TYPE_CHECKING:
    from evals.run.results import EpisodeResult

PUBLISHED = Path(__file__).parent / "label_sets"
LONGEST = 4000
LONGEST_NAME = 100
LARGEST_LABELS = 16 * 2**20
"""The largest file of labels that is read, in bytes."""
COLUMNS = ("run", "episode", "split", "outcome", "automatic", "set", "label", "who", "at", "step", "comment")
EPILOG = """\
examples:
  python -m evals.labels runs/20260101-120000-viplan-ground_mem-sim_gpt-4.1
  python -m evals.labels runs/* --csv > labels.csv

exit code: 0 done, 2 invalid input
"""


class BadLabel(ValueError):
    """An invalid label; the message says why and what is possible."""


@dataclass(frozen=True, slots=True)
class LabelSet:
    """Labels to choose from, with meanings and groups."""

    name: str
    title: str
    source: str
    labels: Mapping[str, str]
    groups: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Label:
    """A person's label of an episode, or of one of its steps. An empty label withdraws an earlier one."""

    episode: str
    set: str
    label: str | None
    who: str
    at: str
    comment: str = ""
    step: int | None = None


def label_sets(config: Mapping[str, Any]) -> dict[str, LabelSet]:
    """The label sets of a run by name, its own failure classes first. `config` is the contents of `run.json`."""
    from evals.run.judging import Judging

    name, benchmark = own_set(config), str(config.get("benchmark", ""))
    found = {name: LabelSet(name, f"{benchmark}: failure classes", "the run's own", Judging.of(config).meanings)}
    for path in sorted(PUBLISHED.glob("*.json")):
        found[path.stem] = LabelSet(path.stem, **json.loads(path.read_text(encoding="utf-8")))
    return found


def own_set(config: Mapping[str, Any]) -> str:
    """The name of the set whose labels the trace decides, too: the benchmark's, if no other set has it."""
    benchmark = str(config.get("benchmark") or "run")
    return f"{benchmark}_classes" if (PUBLISHED / f"{benchmark}.json").is_file() else benchmark


def new_label(given: Mapping[str, object], episodes: Iterable[str], sets: Mapping[str, LabelSet]) -> Label:
    """A new label with the current time; `BadLabel` if it is invalid."""
    from planners.names import unknown

    try:
        unexpected = sorted(given.keys() - {"episode", "set", "label", "who", "comment", "step"})
        if unexpected:
            raise BadLabel(f"a label has no {unexpected[0]!r}")
        episode, name = _text(given, "episode"), _text(given, "set")
        if episode not in (known := tuple(episodes)):
            raise unknown("episode", episode, known)
        if name not in sets:
            raise unknown("label set", name, tuple(sets))
        label = _text(given, "label") if given.get("label") is not None else None
        if label is not None and label not in sets[name].labels:
            raise unknown("label", label, tuple(sets[name].labels))
    except BadLabel:
        raise
    except ValueError as error:
        raise BadLabel(str(error)) from None
    who = " ".join(_text(given, "who").split())
    if not who:
        raise BadLabel("a label needs the name of who gives it")
    step = given.get("step")
    if step is not None and (not isinstance(step, int) or isinstance(step, bool) or step < 1):
        raise BadLabel(f"a step is a number from 1 on, not {step!r}")
    moment = datetime.now(UTC).isoformat(timespec="seconds")
    comment = _text(given, "comment", LONGEST) if given.get("comment") else ""
    return Label(episode, name, label, who, moment, comment.strip(), step)


def _text(given: Mapping[str, object], name: str, longest: int = LONGEST_NAME) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        raise BadLabel(f"{name} has to be a text, not {value!r}")
    if len(value) > longest:
        raise BadLabel(f"{name} may have {longest:,} characters, not {len(value):,}")
    return value


def add_label(run: Path, label: Label) -> None:
    """Append a label to the run. It is on disk when this returns."""
    line, path = json.dumps(asdict(label), ensure_ascii=False) + "\n", run / "labels.jsonl"
    # Never through a link, which might point outside the run. Not every system can refuse links on opening.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
    if path.is_symlink():
        raise OSError(errno.ELOOP, "labels are not written through symbolic links", str(path))
    handle = os.open(path, flags, 0o666)
    try:
        os.write(handle, line.encode("utf-8", "replace"))
        os.fsync(handle)
    finally:
        os.close(handle)


def read_labels(run: Path) -> tuple[list[Label], list[str]]:
    """All labels, in order, and errors of unreadable lines."""
    path = run / "labels.jsonl"
    if not path.is_file() or path.is_symlink():
        return [], []
    labels, notices = [], []
    try:
        content = read_bytes(path, LARGEST_LABELS)
    except Unreadable as error:
        return [], [f"labels.jsonl cannot be read: {error}"]
    for number, raw in enumerate(content.split(b"\n"), 1):
        line = raw.decode("utf-8", "replace").strip()
        if not line:
            continue
        try:
            label = Label(**json.loads(line))
            named = "" if label.label is None else label.label
            texts = (label.episode, label.set, label.who, label.at, label.comment, named)
            if not all(isinstance(text, str) for text in texts) or not isinstance(label.step, int | None):
                raise TypeError("not what labels are made of")
        except (TypeError, ValueError, RecursionError) as error:
            notices.append(f"labels.jsonl, line {number} cannot be read and is left out: {str(error)[:200]}")
        else:
            labels.append(label)
    return labels, notices


def current(labels: Iterable[Label]) -> list[Label]:
    """The current labels: each person's last one about an episode in a set, unless withdrawn."""
    last: dict[tuple[str, str, str], Label] = {}
    for label in labels:
        key = (label.episode, label.set, label.who)
        last.pop(key, None)
        last[key] = label
    return [label for label in last.values() if label.label is not None]


def rows(run: Path, results: Mapping[str, EpisodeResult], labels: Iterable[Label]) -> Iterator[dict[str, object]]:
    """Labels as rows of a table, with the class of the trace."""
    for label in labels:
        result = results.get(label.episode)
        known = {
            "split": result.split if result else "",
            "outcome": _outcome(result) if result else "",
            "automatic": str(result.failure or "") if result else "",
        }
        yield {"run": run.name, **asdict(label), **known}


def _outcome(result: EpisodeResult) -> str:
    if not result.scored:
        return "not scored"
    return "success" if result.success else "failure"


def write_csv(lines: Iterable[dict[str, object]], file: TextIO) -> None:
    """The table as CSV."""
    from evals.pages.tables import safe

    writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {name: safe(value, numbers=False) if isinstance(value, str) else value for name, value in line.items()}
        for line in lines
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.labels",
        description="Show the labels that people gave to failed episodes.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", nargs="+", type=Path, metavar="RUN", help="run directories")
    parser.add_argument("--csv", action="store_true", help="all labels as CSV on stdout, instead of totals")
    parser.add_argument("--history", action="store_true", help="include labels that were corrected or withdrawn")
    arguments = parser.parse_args(argv)

    from evals.run.directory import RunDirectory, RunError

    lines: list[dict[str, object]] = []
    agreed: dict[str, list[bool]] = {}
    for path in arguments.runs:
        try:
            run = RunDirectory.open(path)
            results = {result.id: result for result in run.results()}
        except RunError as error:
            print(f"error: {error}", file=sys.stderr)
            return 2
        labels, notices = read_labels(path)
        for notice in notices:
            print(f"{path}: {notice}", file=sys.stderr)
        found = list(rows(path, results, labels if arguments.history else current(labels)))
        own = own_set(run.config)
        same = [line["label"] == line["automatic"] for line in found if line["set"] == own and line["label"]]
        agreed.setdefault(own, []).extend(same)
        lines += found
    if arguments.csv:
        write_csv(lines, sys.stdout)
    else:
        _print_totals(lines, agreed)
    return 0


def _print_totals(lines: Sequence[Mapping[str, object]], agreed: Mapping[str, Sequence[bool]]) -> None:
    if not lines:
        print("no labels yet: give some with python -m evals.view")
    counts: dict[tuple[str, str], int] = {}
    for line in lines:
        key = (str(line["set"]), str(line["label"] or "taken back"))
        counts[key] = counts.get(key, 0) + 1
    for (name, label), number in sorted(counts.items(), key=lambda item: (item[0][0], -item[1], item[0][1])):
        print(f"{name:16} {label:28} {number:6,}")
    for name, same in sorted(agreed.items()):
        if same:
            print(f"{sum(same):,} of {len(same):,} labels of {name} say what the trace says")


if __name__ == "__main__":
    sys.exit(quietly(main))
