"""An episode as spans: the agent, in it the nodes of its graph, in those what was asked, planned and done."""

from __future__ import annotations

from collections.abc import Sequence

from openinference.semconv.trace import SpanAttributes
from opentelemetry.trace import Span, Status, StatusCode, Tracer, set_span_in_context

from evals.telemetry import attributes as said
from evals.telemetry.attributes import Attributes, Kind
from evals.telemetry.clocks import Clock
from evals.trace import Record, Truth
from models.base import Message
from tools.events import (
    INFRASTRUCTURE,
    Acted,
    Asked,
    Began,
    Believed,
    Called,
    CalledOff,
    Decided,
    Ended,
    Entered,
    Observed,
    Planned,
    Proposed,
    Replanned,
)


class EpisodeSpans:
    """Makes spans of what is heard of an episode. `messages` finds what a request said, where that is known."""

    def __init__(self, tracer: Tracer, parent: Span, clock: Clock, model: str, facts: Attributes) -> None:
        self._tracer, self._clock, self._model = tracer, clock, model
        context = set_span_in_context(parent)
        name = f"episode {facts['plumbline.episode']}"
        self._agent = tracer.start_span(name, context, attributes=facts, start_time=clock.now())
        self._agent.set_attributes(said.kind(Kind.AGENT))
        self._node: Span | None = None
        self._path = ""
        self._seen: Observed | None = None
        self._goal = ""

    def hear(self, record: Record, messages: Sequence[Message] | None = None, *, drawn: bool = False) -> None:
        """Take note of an event. `messages` are those it replies to, if they are known."""
        event = record.event
        match event:
            case Began():
                self._goal = event.goal
                self._agent.set_attributes(said.given(event.goal))
            case Entered():
                self._enter(event)
            case Asked() | Proposed() | Decided():
                known = said.asked(messages, drawn=drawn) if messages else None
                self._reply(event, record.truth, known)
            case Planned() | Called() | Acted() | CalledOff():
                self._use(event, record.truth)
            case Observed():
                self._seen = event
                self._note("observed", {"picture": said.picture(event), "step": event.step})
            case Believed():
                self._note("believed", {"added": event.added, "dropped": event.dropped, "step": event.step})
            case Replanned():
                self._note("replanned", {"because": event.because, "step": event.step})
            case Ended():
                self._end(event, record.truth)

    def give_up(self) -> None:
        """End what is open, if the episode ended without saying so."""
        self._leave()
        if self._agent.is_recording():
            self._agent.set_status(Status(StatusCode.ERROR, "it was broken off"))
            self._agent.end(self._clock.now())

    @property
    def _innermost(self) -> Span:
        return self._node or self._agent

    def _enter(self, event: Entered) -> None:
        self._leave()
        facts = {
            **said.kind(Kind.CHAIN),
            SpanAttributes.GRAPH_NODE_ID: event.node,
            SpanAttributes.GRAPH_NODE_NAME: event.node,
            "plumbline.step": event.step,
        }
        if self._path:
            facts[SpanAttributes.GRAPH_NODE_PARENT_ID] = self._path
        context = set_span_in_context(self._agent)
        self._node = self._tracer.start_span(event.node, context, attributes=facts, start_time=self._clock.now())
        self._path = event.node

    def _leave(self) -> None:
        if self._node is not None:
            self._node.end(self._clock.now())
            self._node = None

    def _reply(self, event: Asked | Proposed | Decided, truth: Truth, known: Attributes | None) -> None:
        together = (event.step, event.phase) if isinstance(event, Asked) else None
        wanted = event.question if isinstance(event, Asked) else self._goal
        facts = {**said.replied(event, self._model), **(known or said.question(wanted, self._seen))}
        about: dict[str, object] = {"step": event.step, "cached": event.cached, "fault": event.fault}
        if isinstance(event, Asked):
            right = None if truth.value is None else event.answer == truth.value
            about |= {"phase": str(event.phase), "fact": event.atom, "expected": event.expected}
            about |= {"answer": event.answer, "true": truth.value, "right": right, "yes": event.yes, "no": event.no}
        elif isinstance(event, Proposed):
            about["proposed"] = list(event.plan)
        name = f"{event.phase} {event.atom}" if isinstance(event, Asked) else event.type
        self._span(name, {**facts, **said.metadata(**about)}, event.seconds, together, event.fault)

    def _use(self, event: Planned | Called | Acted | CalledOff, truth: Truth) -> None:
        facts: dict[str, object] = {"step": event.step, "legal": truth.legal, "happened": truth.happened}
        seconds = 0.0
        match event:
            case Planned():
                result = " ".join(event.plan) or event.status
                used = said.tool("plan_pddl", {"true_facts": list(event.belief)}, result)
                wrong = None if truth.wrong is None else list(truth.wrong)
                facts |= {"engine": event.engine, "status": event.status, "wrong": wrong}
                seconds = event.seconds
            case Called():
                used = said.tool(event.name, {"arguments": event.arguments}, event.result)
            case Acted():
                used = said.tool("step_environment", {"action": event.action}, event.outcome)
            case CalledOff():
                used = said.tool("step_environment", {"action": event.action}, "called off")
                facts["unmet"] = list(event.unmet)
        self._span(event.type, {**used, **said.metadata(**facts)}, seconds)

    def _span(
        self, name: str, facts: Attributes, seconds: float, together: object = None, fault: str | None = None
    ) -> None:
        start, end = self._clock.lasted(seconds, together)
        span = self._tracer.start_span(name, set_span_in_context(self._innermost), attributes=facts, start_time=start)
        if fault:
            span.set_status(Status(StatusCode.ERROR, fault))
        span.end(end)

    def _note(self, name: str, facts: Attributes) -> None:
        self._innermost.add_event(name, facts, timestamp=self._clock.now())

    def _end(self, event: Ended, truth: Truth) -> None:
        self._leave()
        outcome = "solved" if truth.goal else f"failed: {event.reason}"
        scored = event.reason not in INFRASTRUCTURE
        self._agent.set_attributes(said.gave(f"{outcome}. {event.detail}".rstrip(". ") + "."))
        self._agent.set_attributes({"plumbline.reason": event.reason, "plumbline.steps": event.step})
        if scored:
            self._agent.set_attribute("plumbline.success", bool(truth.goal))
            self._agent.set_status(Status(StatusCode.OK))
        else:
            self._agent.set_status(Status(StatusCode.ERROR, event.detail))
        self._agent.end(self._clock.now())
