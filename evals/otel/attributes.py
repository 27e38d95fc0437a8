"""Attributes of spans as named by OpenInference. Pictures appear by hash or scene, never by bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from openinference.semconv.trace import (
    ImageAttributes,
    MessageAttributes,
    MessageContentAttributes,
    OpenInferenceSpanKindValues,
    SpanAttributes,
    ToolCallAttributes,
)

from models.base import Message, Picture
from models.turns import Call
from tools.events import Asked, Observed

Attributes = dict[str, Any]
Kind = OpenInferenceSpanKindValues


def kind(value: Kind) -> Attributes:
    """The kind of the span."""
    return {SpanAttributes.OPENINFERENCE_SPAN_KIND: value.value}


def given(value: str, *, as_json: bool = False) -> Attributes:
    """The input."""
    mime = "application/json" if as_json else "text/plain"
    return {SpanAttributes.INPUT_VALUE: value, SpanAttributes.INPUT_MIME_TYPE: mime}


def gave(value: str, *, as_json: bool = False) -> Attributes:
    """The output."""
    mime = "application/json" if as_json else "text/plain"
    return {SpanAttributes.OUTPUT_VALUE: value, SpanAttributes.OUTPUT_MIME_TYPE: mime}


def metadata(**facts: object) -> Attributes:
    """Our own metadata, as one object for display and as single attributes for filters."""
    known = {name: value for name, value in facts.items() if value is not None}
    apart = {f"plumbline.{name}": value for name, value in known.items() if isinstance(value, str | bool | int | float)}
    return {SpanAttributes.METADATA: json.dumps(known, ensure_ascii=False, default=str), **apart}


def replied(event: Asked, model: str) -> Attributes:
    """The model, its reply and usage."""
    family, _, name = model.partition(":")
    found: Attributes = {
        **kind(Kind.LLM),
        **gave(event.reply),
        SpanAttributes.LLM_MODEL_NAME: name or family,
        SpanAttributes.LLM_PROVIDER: family,
        **_message(SpanAttributes.LLM_OUTPUT_MESSAGES, 0, "assistant", event.reply),
    }
    if event.decides:
        found |= _calls(event.actions)
    if event.prompt_tokens or event.completion_tokens:
        found |= {
            SpanAttributes.LLM_TOKEN_COUNT_PROMPT: event.prompt_tokens,
            SpanAttributes.LLM_TOKEN_COUNT_COMPLETION: event.completion_tokens,
            SpanAttributes.LLM_TOKEN_COUNT_TOTAL: event.prompt_tokens + event.completion_tokens,
        }
    if event.cost:
        found[SpanAttributes.LLM_COST_TOTAL] = event.cost
    if event.truncated:
        found[SpanAttributes.LLM_FINISH_REASON] = "length"
    return found


def _calls(calls: Sequence[str]) -> Attributes:
    start = f"{SpanAttributes.LLM_OUTPUT_MESSAGES}.0.{MessageAttributes.MESSAGE_TOOL_CALLS}"
    found: Attributes = {}
    for place, call in enumerate(map(Call.parse, calls)):
        arguments = json.dumps(dict(call.arguments), ensure_ascii=False)
        found[f"{start}.{place}.{ToolCallAttributes.TOOL_CALL_FUNCTION_NAME}"] = call.name
        found[f"{start}.{place}.{ToolCallAttributes.TOOL_CALL_FUNCTION_ARGUMENTS_JSON}"] = arguments
    return found


def asked(messages: Sequence[Message], *, drawn: bool) -> Attributes:
    """The messages of a request; `drawn` says whether its pictures have hashes."""
    found: Attributes = {}
    texts = []
    for place, message in enumerate(messages):
        parts = [part if isinstance(part, str) else reference(part, drawn=drawn) for part in message.parts]
        texts += parts
        if all(isinstance(part, str) for part in message.parts):
            found |= _message(SpanAttributes.LLM_INPUT_MESSAGES, place, message.role, "\n".join(parts))
            continue
        start = f"{SpanAttributes.LLM_INPUT_MESSAGES}.{place}"
        found[f"{start}.{MessageAttributes.MESSAGE_ROLE}"] = message.role
        for number, (part, text) in enumerate(zip(message.parts, parts, strict=True)):
            found |= _part(f"{start}.{MessageAttributes.MESSAGE_CONTENTS}.{number}", text, isinstance(part, str))
    return {**given("\n".join(texts)), **found}


def question(text: str, seen: Observed | None) -> Attributes:
    """The request as known from a trace: the question, and the last picture."""
    start = f"{SpanAttributes.LLM_INPUT_MESSAGES}.0"
    found: Attributes = {**given(text), f"{start}.{MessageAttributes.MESSAGE_ROLE}": "user"}
    found |= _part(f"{start}.{MessageAttributes.MESSAGE_CONTENTS}.0", text, True)
    if seen is not None:
        found |= _part(f"{start}.{MessageAttributes.MESSAGE_CONTENTS}.1", picture(seen), False)
    return found


def picture(seen: Observed) -> str:
    """The observed picture, by its hash if it was drawn."""
    return f"sha256:{seen.sha256}" if seen.sha256 else f"scene:{seen.picture}"


def reference(shown: Picture, *, drawn: bool) -> str:
    """A reference to a picture of a request, which must not draw it."""
    return f"sha256:{shown.sha256}" if drawn else f"scene:{shown.key}"


def tool(name: str, parameters: Mapping[str, object], result: str) -> Attributes:
    """A tool call and its result."""
    written = json.dumps(parameters, ensure_ascii=False, default=str)
    return {
        **kind(Kind.TOOL),
        SpanAttributes.TOOL_NAME: name,
        SpanAttributes.TOOL_PARAMETERS: written,
        **given(written, as_json=True),
        **gave(result),
    }


def failed(detail: str, traceback: str) -> Attributes:
    """An exception in the agent's code, as OpenTelemetry names its parts; `detail` is `TYPE: message`."""
    what, _, message = detail.partition(": ")
    return {"exception.type": what, "exception.message": message, "exception.stacktrace": traceback}


def _message(where: str, place: int, role: str, content: str) -> Attributes:
    start = f"{where}.{place}"
    return {
        f"{start}.{MessageAttributes.MESSAGE_ROLE}": role,
        f"{start}.{MessageAttributes.MESSAGE_CONTENT}": content,
    }


def _part(start: str, content: str, is_text: bool) -> Attributes:
    what = f"{start}.{MessageContentAttributes.MESSAGE_CONTENT_TYPE}"
    if is_text:
        return {what: "text", f"{start}.{MessageContentAttributes.MESSAGE_CONTENT_TEXT}": content}
    image = f"{start}.{MessageContentAttributes.MESSAGE_CONTENT_IMAGE}.{ImageAttributes.IMAGE_URL}"
    return {what: "image", image: content}
