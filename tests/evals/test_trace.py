"""Traces on disk: a line for each event, what was read again is what was written, and where an episode breaks off."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.run.trace import (
    NOTHING,
    DamagedTrace,
    Record,
    Recorder,
    Truth,
    dumped,
    item_line,
    read_trace,
    read_whole,
    until,
    whole,
)
from tools.events import Acted, CalledOff, Ended, Event, Observed, Reason

SEEN = Observed(step=0, picture="Käfer")
DONE = Acted(step=0, action="lift(a)", outcome="executed")
OFF = CalledOff(step=1, action="lift(b)", unmet=("clear b",))
END = Ended(step=2, reason=Reason.FINISHED)


class Judge:
    """Knows one thing of attempts, and nothing of anything else."""

    def beside(self, event: Event) -> Truth:
        return Truth(legal=True, state=()) if isinstance(event, Acted) else NOTHING


def written(path: Path | None, *events: Event) -> list[Record]:
    judge: Any = Judge()
    recorder = Recorder(path, judge)
    for event in events:
        recorder(event)
    recorder.close()
    return recorder.records


def test_a_trace_is_a_line_for_each_event_without_what_is_not_known(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    records = written(path, SEEN, DONE, END)
    lines = path.read_text(encoding="utf-8").split("\n")
    assert (len(lines), lines[-1]) == (4, "")
    assert "null" not in path.read_text(encoding="utf-8")
    assert "Käfer" in lines[0]
    assert [record.truth for record in records] == [NOTHING, Truth(legal=True, state=()), NOTHING]
    assert read_trace(path) == records == read_whole(path)


def test_an_event_is_on_disk_before_the_next_one(tmp_path: Path) -> None:
    judge: Any = Judge()
    recorder = Recorder(tmp_path / "trace.jsonl", judge)
    for number, event in enumerate((SEEN, DONE, END), 1):
        recorder(event)
        assert len(read_trace(tmp_path / "trace.jsonl")) == number
    recorder.close()


def test_without_a_path_records_are_only_kept() -> None:
    assert [record.event for record in written(None, SEEN, END)] == [SEEN, END]


def test_a_cut_off_last_line_is_left_out_and_any_other_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "trace.jsonl"
    records = written(path, SEEN, DONE)
    good = path.read_text(encoding="utf-8")
    path.write_text(good + '{"event": {"ty', encoding="utf-8")
    assert read_trace(path) == records
    path.write_text(good + '{"event": {"ty\n', encoding="utf-8")
    with pytest.raises(DamagedTrace, match=r"trace\.jsonl, line 3: "):
        read_trace(path)
    with pytest.raises(DamagedTrace, match="incomplete"):
        whole(records, "it")
    with pytest.raises(DamagedTrace, match="incomplete"):
        whole([], "it")


@pytest.mark.parametrize(("step", "kept"), [(0, 0), (1, 2), (2, 4), (3, 5)])
def test_until_an_attempt(step: int, kept: int) -> None:
    records = [Record(event=event) for event in (SEEN, DONE, SEEN, OFF, END)]
    assert until(records, step) == records[:kept]


def test_lines_of_items_and_json_of_run_directories() -> None:
    line = item_line("q1", [Record(event=END)])
    assert line.endswith("}\n")
    assert "null" not in line
    assert dumped({"b": "ä", "a": 1}) == '{\n  "a": 1,\n  "b": "ä"\n}\n'
    assert dumped({"b": 1, "a": 2}, sort=False) == '{\n  "b": 1,\n  "a": 2\n}\n'
