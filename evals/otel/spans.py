"""An episode as spans: the agent, its graph's nodes, and in those questions, plans and actions."""

from __future__ import annotations

from collections.abc import Sequence

from openinference.semconv.trace import SpanAttributes
from opentelemetry.trace import Span, Status, StatusCode, Tracer, set_span_in_context

from evals.otel import attributes as attrs
from evals.otel.attributes import Attributes, Kind
from evals.otel.clocks import Clock
from evals.run.trace import Record, Truth
from models.base import Message
from tools.events import (
    AGENT_ERRORS,
    INFRASTRUCTURE,
    Acted,
    Answered,
    Asked,
    Began,
    Believed,
    Called,
    CalledOff,
    Ended,
    Entered,
    Observed,
    Planned,
    Replanned,
)


class EpisodeSpans:
    """Makes spans of the records of an episode. `success` is given if the episode is over and scored."""

    def __init__(
        self,
        tracer: Tracer,
        parent: Span,
        clock: Clock,
        model: str,
        facts: Attributes,
        *,
        success: bool | None = None,
    ) -> None:
        self._tracer, self._clock, self._model, self._success = tracer, clock, model, success
        context = set_span_in_context(parent)
        name = f"episode {facts['plumbline.episode']}"
        self._agent = tracer.start_span(name, context, attributes=facts, start_time=clock.now())
        self._agent.set_attributes(attrs.kind(Kind.AGENT))
        self._node: Span | None = None
        self._path = ""
        self._seen: Observed | None = None
        self._goal = ""
        self._answered_right: bool | None = None

    def add_event(self, record: Record, messages: Sequence[Message] | None = None, *, drawn: bool = False) -> None:
        """Add an event. `messages` are those of its request, if they are known."""
        event = record.event
        match event:
            case Began():
                self._goal = event.goal
                self._agent.set_attributes(attrs.given(event.goal))
            case Entered():
                self._enter(event)
            case Asked():
                known = attrs.asked(messages, drawn=drawn) if messages else None
                self._reply(event, record.truth, known)
            case Answered():
                self._answered_right = record.truth.right
                right = {} if record.truth.right is None else {"right": record.truth.right}
                self._note("answered", {"answer": str(event.value), **right})
            case Planned() | Called() | Acted() | CalledOff():
                self._use(event, record.truth)
            case Observed():
                self._seen = event
                self._note("observed", {"picture": attrs.picture(event), "step": event.step})
            case Believed():
                self._note("believed", {"added": event.added, "dropped": event.dropped, "step": event.step})
            case Replanned():
                self._note("replanned", {"because": event.because, "step": event.step})
            case Ended():
                self._end(event, record.truth)

    def break_off(self) -> None:
        """End open spans, if the episode broke off."""
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
            **attrs.kind(Kind.CHAIN),
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

    def _reply(self, event: Asked, truth: Truth, known: Attributes | None) -> None:
        # Facts are asked concurrently; other requests are sequential.
        together = (event.step, event.phase) if event.of_fact and not event.attempt else None
        facts = {
            **attrs.replied(event, self._model),
            **(known or attrs.question(event.question or self._goal, self._seen)),
        }
        name = _name(event)
        self._span(name, {**facts, **attrs.metadata(**_about(event, truth))}, event.seconds, together, event.fault)

    def _use(self, event: Planned | Called | Acted | CalledOff, truth: Truth) -> None:
        facts: dict[str, object] = {"step": event.step, "legal": truth.legal, "happened": truth.happened}
        seconds = 0.0
        match event:
            case Planned():
                result = " ".join(event.plan) or event.status
                used = attrs.tool("plan_pddl", {"true_facts": list(event.belief)}, result)
                wrong = None if truth.wrong is None else list(truth.wrong)
                facts |= {"engine": event.engine, "status": event.status, "wrong": wrong}
                seconds = event.seconds
            case Called():
                used = attrs.tool(event.name, {"arguments": event.arguments}, event.result)
            case Acted():
                used = attrs.tool("step_environment", {"action": event.action}, event.outcome)
            case CalledOff():
                used = attrs.tool("step_environment", {"action": event.action}, "called off")
                facts["unmet"] = list(event.unmet)
        self._span(event.type, {**used, **attrs.metadata(**facts)}, seconds)

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
        broken = event.reason in AGENT_ERRORS
        if broken and self._node is not None:
            self._node.set_status(Status(StatusCode.ERROR, event.detail))
        self._leave()
        reached = truth.goal if self._answered_right is None else self._answered_right
        success = bool(reached if self._success is None else self._success)
        outcome = "solved" if success else f"failed: {event.reason}"
        self._agent.set_attributes(attrs.gave(f"{outcome}. {event.detail}".rstrip(". ") + "."))
        self._agent.set_attributes({"plumbline.reason": event.reason, "plumbline.steps": event.step})
        if broken or event.reason in INFRASTRUCTURE:
            self._agent.set_status(Status(StatusCode.ERROR, event.detail))
        else:
            self._agent.set_attribute("plumbline.success", success)
            self._agent.set_status(Status(StatusCode.OK))
        if event.traceback:
            facts = attrs.failed(event.detail, event.traceback)
            self._agent.add_event("exception", facts, timestamp=self._clock.now())
        self._agent.end(self._clock.now())


def _name(event: Asked) -> str:
    """The name of a reply's span: its kind, or its phase and subject."""
    if event.proposes:
        return "proposed"
    return "decided" if event.decides else f"{event.phase} {event.about}".rstrip()


def _about(event: Asked, truth: Truth) -> dict[str, object]:
    """The metadata of a reply that OpenInference has no names for."""
    found: dict[str, object] = {
        "step": event.step,
        "kind": event.kind.value,
        "cached": event.cached,
        "fault": event.fault,
        "prompt": event.prompt,
        "attempt": event.attempt or None,
    }
    if event.proposes:
        return {**found, "proposed": list(event.actions)}
    if event.decides:
        return found
    return {
        **found,
        "phase": event.phase,
        "fact" if event.of_fact else "about": event.about or None,
        "expected": event.expected,
        "answer": event.value,
        "true": truth.value,
        "right": truth.right,
        "yes": event.yes,
        "no": event.no,
    }
