"""Spans of runs, finished and under way: where they belong, what they say, and what they never say."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="pip install -e '.[otel]'")

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from evals.otel import main as otel
from evals.run_directory import RunDirectory
from evals.telemetry.finished import send_run
from evals.telemetry.langsmith import _message
from evals.trace import read_trace
from evals.viplan import main as viplan
from models.base import Message
from tests.evals.collectors import Collector, collecting
from tests.small_worlds import Sketch
from tools.events import Acted, Asked, Entered, Planned

KIND = "openinference.span.kind"
WORDS = ("--split", "simple", "--limit", "2", "--fail-probability", "0.3")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    folder = tmp_path_factory.mktemp("runs") / "asking"
    assert viplan(["--agent", "ground", *WORDS, "--model", "sim:gpt-4.1", "--out", str(folder)]) == 0
    return RunDirectory.open(folder)


@pytest.fixture(scope="module")
def spans(run: RunDirectory) -> tuple[ReadableSpan, ...]:
    return sent(run)


def sent(run: RunDirectory) -> tuple[ReadableSpan, ...]:
    memory = InMemorySpanExporter()
    count = send_run(run, memory)
    found: tuple[ReadableSpan, ...] = memory.get_finished_spans()
    assert count == len(found)
    return found


def facts(span: ReadableSpan) -> dict[str, Any]:
    return dict(span.attributes or {})


def of_kind(spans: tuple[ReadableSpan, ...], kind: str) -> list[ReadableSpan]:
    return [span for span in spans if facts(span)[KIND] == kind]


def test_a_run_holds_episodes_hold_nodes_hold_questions(run: RunDirectory, spans: tuple[ReadableSpan, ...]) -> None:
    by_id = {span.context.span_id: span for span in spans if span.context}
    assert len({span.context.trace_id for span in spans if span.context}) == 1
    (root,) = (span for span in spans if span.parent is None)
    assert root.name == "run asking"
    parents = Counter(
        (facts(span)[KIND], facts(by_id[span.parent.span_id])[KIND] if span.parent else None) for span in spans
    )
    events = [record.event for result in run.results() for record in read_trace(run.trace(result.id))]
    assert parents == {
        ("CHAIN", None): 1,
        ("AGENT", "CHAIN"): 2,
        ("CHAIN", "AGENT"): sum(isinstance(event, Entered) for event in events),
        ("LLM", "CHAIN"): sum(isinstance(event, Asked) for event in events),
        ("TOOL", "CHAIN"): sum(isinstance(event, Planned | Acted) for event in events),
    }


def test_what_is_inside_happens_within(spans: tuple[ReadableSpan, ...]) -> None:
    by_id = {span.context.span_id: span for span in spans if span.context}
    for span in spans:
        assert span.start_time is not None
        assert span.end_time is not None
        assert span.start_time < span.end_time
        if span.parent:
            above = by_id[span.parent.span_id]
            assert (above.start_time or 0) <= span.start_time
            assert span.end_time <= (above.end_time or 0), (span.name, above.name)


def test_a_question_says_what_was_asked_answered_and_true(run: RunDirectory, spans: tuple[ReadableSpan, ...]) -> None:
    records = [record for result in run.results() for record in read_trace(run.trace(result.id))]
    asked = [(record.event, record.truth) for record in records if isinstance(record.event, Asked)]
    for (event, truth), span in zip(asked, of_kind(spans, "LLM"), strict=True):
        said = facts(span)
        assert said["llm.model_name"] == "gpt-4.1"
        assert said["llm.provider"] == "sim"
        assert said["input.value"] == event.question
        assert said["llm.input_messages.0.message.contents.0.message_content.text"] == event.question
        assert said["llm.input_messages.0.message.contents.1.message_content.image.image.url"].startswith("scene:")
        assert said["llm.output_messages.0.message.content"] == said["output.value"] == event.reply
        assert said["plumbline.fact"] == event.atom
        assert said["plumbline.right"] == (event.answer == truth.value)
        assert json.loads(said["metadata"])["true"] == truth.value


def test_an_episode_says_what_came_of_it(run: RunDirectory, spans: tuple[ReadableSpan, ...]) -> None:
    for result, span in zip(run.results(), of_kind(spans, "AGENT"), strict=True):
        said = facts(span)
        assert span.name == f"episode {result.id}"
        assert said["session.id"] == "asking"
        assert said["agent.name"] == "ground"
        assert said["plumbline.success"] == result.success
        assert said["output.value"].startswith("solved" if result.success else f"failed: {result.reason}")
        assert said.get("plumbline.failure") == (str(result.failure) if result.failure else None)
        assert span.status.is_ok


def test_the_same_run_has_the_same_spans_whenever_it_is_sent(
    run: RunDirectory, spans: tuple[ReadableSpan, ...]
) -> None:
    assert [span.to_json() for span in sent(run)] == [span.to_json() for span in spans]


@pytest.mark.parametrize(("agent", "model"), [("plan_cot", "sim:gpt-4.1"), ("action", "scripted:I cannot say")])
def test_proposals_are_told_too(agent: str, model: str, tmp_path: Path) -> None:
    words = ["--agent", agent, "--split", "simple", "--limit", "1", "--model", model, "--out", str(tmp_path / "run")]
    assert viplan(words) == 0
    found = sent(RunDirectory.open(tmp_path / "run"))
    asked = of_kind(found, "LLM")
    assert asked
    assert {span.name for span in asked} == {"proposed"}
    unreadable = model.startswith("scripted")
    assert asked[-1].status.is_ok is not unreadable
    assert bool(asked[-1].status.description) is unreadable


def test_a_finished_run_is_sent_over_the_network(
    run: RunDirectory, spans: tuple[ReadableSpan, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    with collecting() as collector:
        assert otel([str(run.path), "--endpoint", collector.url]) == 0
        assert sorted(span.name for span in collector.spans()) == sorted(span.name for span in spans)
    assert f"{len(spans):,} spans of 2 episodes sent to {collector.url}/v1/traces" in capsys.readouterr().out


def test_a_collector_that_takes_nothing_is_one_line(
    run: RunDirectory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with collecting() as collector:
        collector.status = 400
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url)
        assert otel([str(run.path)]) == 1
    said = capsys.readouterr().err
    assert said == f"error: {collector.url}/v1/traces does not take spans; is somebody listening there?\n"
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    assert otel([str(run.path)]) == 2
    assert capsys.readouterr().err.startswith("error: no place to send spans to: set OTEL_EXPORTER_OTLP_ENDPOINT")
    assert viplan(["--otel", "--limit", "1"]) == 2
    assert capsys.readouterr().err.startswith("error: no place to send spans to")


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[Collector]:
    with collecting() as running:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", running.url)
        yield running


def test_a_run_is_told_while_it_is_played(collector: Collector, tmp_path: Path) -> None:
    words = ["--agent", "ground", *WORDS, "--model", "pixels", "--otel", "--out", str(tmp_path / "live")]
    assert viplan(words) == 0
    run = RunDirectory.open(tmp_path / "live")
    found = collector.spans()
    said = [{fact.key: fact.value for fact in span.attributes} for span in found]
    kinds = Counter(one[KIND].string_value for one in said)
    results = run.results()
    assert kinds["AGENT"] == len(results) == 2
    assert kinds["LLM"] == sum(result.questions for result in results)
    pictures = {path.stem for path in (tmp_path / "live" / "pictures").glob("*.png")}
    for one in said:
        if one[KIND].string_value != "LLM":
            continue
        messages = {name: value.string_value for name, value in one.items() if name.startswith("llm.input_messages")}
        (picture,) = (value for name, value in messages.items() if name.endswith("image.url"))
        assert picture.removeprefix("sha256:") in pictures
        assert any("Yes" in value and "No" in value for value in messages.values()), "the whole prompt is there"
    assert_no_bytes(collector.everything())


def assert_no_bytes(told: bytes) -> None:
    assert b"iVBOR" not in told
    assert b"\x89PNG" not in told
    assert b"base64" not in told
    assert not re.search(rb"[A-Za-z0-9+/]{400}", told)


@pytest.mark.slow
def test_a_run_goes_on_if_nobody_takes_its_spans(collector: Collector, tmp_path: Path, run: RunDirectory) -> None:
    collector.status = 400
    words = ["--agent", "ground", *WORDS, "--model", "sim:gpt-4.1", "--otel", "--out", str(tmp_path / "run")]
    assert viplan(words) == 0
    assert collector.requests
    assert sorted(RunDirectory.open(tmp_path / "run").results(), key=lambda result: result.id) == sorted(
        run.results(), key=lambda result: result.id
    )


def test_pictures_go_to_langsmith_as_hashes() -> None:
    sketch = Sketch()
    told = _message(Message("user", ("Is it so?", sketch)), drawn=True)
    assert told["content"][1] == {"type": "text", "text": f"[picture sha256:{sketch.sha256}]"}
    assert _message(Message("user", (sketch,)), drawn=False)["content"][0]["text"] == "[picture scene:sketch]"
