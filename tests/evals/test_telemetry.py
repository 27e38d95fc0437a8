"""Spans of runs, finished and under way: where they belong, what they say, and what they never say."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("opentelemetry.exporter.otlp.proto.http", reason="pip install -e '.[otel]'")

from opentelemetry.sdk.trace import ReadableSpan
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from evals.otel.__main__ import main as otel
from evals.otel.finished import send_run
from evals.otel.langsmith import _message
from evals.otel.watching import watches
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.run.results import unplayed
from evals.run.settings import Running
from evals.run.trace import read_trace
from evals.viplan.__main__ import main as viplan
from models.base import Message, Reply, Request
from tests.evals.collectors import Collector, collecting
from tests.evals.quiz import Quiz, QuizSettings, a_run
from tests.small_worlds import Sketch
from tools.events import Acted, Asked, Entered, Planned

GRAPH = """
from typing import TypedDict
import asyncio
from langgraph.graph import END, START, StateGraph
from tools.questions import QuestionTools

class State(TypedDict, total=False): ...

async def node(state, runtime):
    box = runtime.context
    {work}

NEEDS, PLANS = "question", False

def build():
    made = StateGraph(State, context_schema=QuestionTools)
    made.add_node("node", node)
    made.add_edge(START, "node")
    made.add_edge("node", END)
    return made.compile()
"""
BRITTLE = GRAPH.format(work="raise KeyError('no such thing')")
TWICE = GRAPH.format(
    work="await asyncio.gather(box.ask('first'), box.ask('second')); box.answer('red')",
)
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
        assert said["plumbline.fact"] == event.about
        assert said["plumbline.right"] == (event.value == truth.value)
        assert said["plumbline.prompt"] == event.prompt
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
    assert said == f"error: {collector.url}/v1/traces does not accept spans; is a collector listening there?\n"
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT")
    assert otel([str(run.path)]) == 2
    assert capsys.readouterr().err.startswith("error: no endpoint for spans: set OTEL_EXPORTER_OTLP_ENDPOINT")
    assert viplan(["--otel", "--limit", "1"]) == 2
    assert capsys.readouterr().err.startswith("error: no endpoint for spans")


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
    assert kinds["LLM"] == sum(result.asked for result in results)
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


def test_questions_are_told_as_they_were_answered(tmp_path: Path) -> None:
    run = a_run(tmp_path / "quiz")
    found = sent(run)
    assert Counter(facts(span)[KIND] for span in found) == {"CHAIN": 1 + 6, "AGENT": 6, "LLM": 6}
    for result, span, asked in zip(run.results(), of_kind(found, "AGENT"), of_kind(found, "LLM"), strict=True):
        said, question = facts(span), facts(asked)
        assert said["plumbline.tag.answer"] == result.tags["answer"]
        assert said["plumbline.success"] == result.success == (result.tags["answer"] == "red")
        assert said["output.value"].startswith("solved" if result.success else "failed: finished")
        assert asked.name == "question"
        assert "which colour is it?" in question["input.value"]
        assert (question["plumbline.answer"], question["plumbline.true"]) == ("red", result.tags["answer"])
        assert question["plumbline.right"] == result.success
        (told,) = [event for node in found for event in node.events if event.name == "answered" and inside(node, span)]
        assert told.attributes == {"answer": "red", "right": result.success}


def inside(node: ReadableSpan, span: ReadableSpan) -> bool:
    return bool(node.parent and span.context and node.parent.span_id == span.context.span_id)


def test_an_exception_of_the_agent_is_on_its_span(tmp_path: Path) -> None:
    agent = tmp_path / "brittle.py"
    agent.write_text(BRITTLE)
    found = sent(a_run(tmp_path / "run", agent=f"{agent}:build", questions=1))
    (span,) = of_kind(found, "AGENT")
    assert not span.status.is_ok
    assert span.status.description == "KeyError: 'no such thing'"
    assert "plumbline.success" not in facts(span)
    (event,) = (event for event in span.events if event.name == "exception")
    said = dict(event.attributes or {})
    assert (said["exception.type"], said["exception.message"]) == ("KeyError", "'no such thing'")
    assert "brittle.py" in str(said["exception.stacktrace"])
    (node,) = (node for node in found if inside(node, span))
    assert not node.status.is_ok


def test_an_episode_that_could_not_begin_is_told_as_broken_off(tmp_path: Path) -> None:
    run = a_run(tmp_path / "quiz", questions=1)
    run.append(unplayed(Episode("never", "colours"), "it could not be opened"))
    run.close()
    broken = next(span for span in of_kind(sent(run), "AGENT") if span.name == "episode never")
    assert not broken.status.is_ok


def test_each_question_is_told_with_its_own_messages_whichever_is_answered_first(
    collector: Collector, tmp_path: Path
) -> None:
    """An agent asks two things of the same kind at once, and the second is answered first."""
    agent = tmp_path / "twice.py"
    agent.write_text(TWICE)
    words = {"agent": f"{agent}:build", "questions": 1, "model": "scripted:A"}
    with ExitStack() as closing:
        prepared = prepare(
            Quiz(),
            options_of({**words, "out": tmp_path / "run"}, QuizSettings, Running),
            watching=lambda kept: watches(kept, otel=True),
        )
        closing.enter_context(prepared.closing)
        model = Backwards()
        run_until_done(play(replace(prepared, setup=replace(prepared.setup, model=model)), lambda result: None))
    told = [{fact.key: fact.value.string_value for fact in span.attributes} for span in collector.spans()]
    asked = [one for one in told if one[KIND] == "LLM"]
    assert [one["output.value"] for one in asked] == ["to second", "to first"]
    assert all(one["input.value"] == one["output.value"].removeprefix("to ") for one in asked)


class Backwards:
    """Answers what is asked last first, and says what it was asked."""

    identity, looks, simulated, cacheable = "backwards", False, False, False

    async def ask(self, request: Request) -> Reply:
        await asyncio.sleep(0.05 if request.text == "first" else 0)
        return Reply(f"to {request.text}")


def test_pictures_go_to_langsmith_as_hashes() -> None:
    sketch = Sketch()
    told = _message(Message("user", ("Is it so?", sketch)), drawn=True)
    assert told["content"][1] == {"type": "text", "text": f"[picture sha256:{sketch.sha256}]"}
    assert _message(Message("user", (sketch,)), drawn=False)["content"][0]["text"] == "[picture scene:sketch]"
