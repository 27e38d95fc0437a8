"""Anthropic's models.

anthropic:claude-sonnet-4-5                     with ANTHROPIC_API_KEY
anthropic:claude-opus-5?thinking=adaptive       thinks first, as long as it likes; a number of tokens sets how long
anthropic:claude-opus-5?effort=low              takes less trouble
anthropic:MODEL@http://localhost:4000           a server of one's own that speaks the same

The system text and everything up to the picture are marked to be kept by the server, so that the questions that
follow about the same picture pay for little more than themselves. Models do not think unless told to, as with the
other providers: chain of thought is the agent's to ask for.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from models._spec import Address, check_options, choice, identity, read_address, read_key, read_name, whole_number
from models._wire import SECONDS, Line, Rejected, Snippets, dumped
from models.base import Message, Options, Part, Reply, Request, Transient, Usage
from models.conduct import Conducted

if TYPE_CHECKING:
    from types import ModuleType

USAGE = "anthropic:MODEL[@URL][?thinking=adaptive&effort=low&max_tokens=N]   Anthropic's models, e.g. claude-sonnet-4-5"
HOME = "https://api.anthropic.com"
KEY = "ANTHROPIC_API_KEY"
EFFORTS = ("low", "medium", "high", "xhigh", "max")
OPTIONS = ("cache", "effort", "max_tokens", "thinking", "timeout")
ROOM = 2048
"""Tokens to think with, on top of those for the reply, for a model that decides itself how long it thinks."""
LEAST_THINKING = 1024
"""The API takes no smaller number."""

_KEEP = b',"cache_control":{"type":"ephemeral"}}'


class Anthropic:
    """One model at one address."""

    def __init__(self, name: str, address: Address, key: str, options: Options) -> None:
        self.name = name
        self.endpoint = address.host
        self.identity = identity("anthropic", name, address, options, but=("cache", "timeout"))
        self._effort = choice("anthropic", options, "effort", EFFORTS)
        self._max_tokens = whole_number("anthropic", options, "max_tokens")
        self._thinking, self._room = _thinking(options)
        self._keeps = choice("anthropic", options, "cache", ("on", "off")) != "off"
        self._pictures = Snippets('{"type":"image","source":{"type":"base64","media_type":"image/png","data":"', '"}}')
        self._asked = options.get("thinking")
        self.left_out: set[str] = set()
        seconds = float(whole_number("anthropic", options, "timeout") or SECONDS)

        def opened(http: Any) -> Any:
            # Trying again is the conduct's business.
            return _sdk().AsyncAnthropic(api_key=key or "none", base_url=address.url, max_retries=0, http_client=http)

        self._line = Line("anthropic", name, address, KEY, (key, *address.secrets), _sdk, opened, seconds)

    async def send(self, request: Request) -> Reply:
        """One attempt; what the server turns out not to take is left out from then on."""
        while True:
            parameters = self._parameters(request)
            try:
                answer = await self._line.post("/v1/messages", self._body(parameters, request))
            except Rejected as rejected:
                blamed = rejected.blames(set(parameters) & self._dispensable())
                if blamed is None:
                    raise
                self.left_out.add(blamed)
            else:
                return self._reply(answer)

    def most_tokens(self, request: Request) -> int:
        """How long a reply may be, thinking included."""
        # A model that cannot be told not to think may do so.
        room = ROOM if "thinking" in self.left_out else self._room
        return self._max_tokens or request.max_tokens + room

    async def close(self) -> None:
        """Let go of the connections."""
        await self._line.close()

    def _parameters(self, request: Request) -> dict[str, object]:
        """Everything but model and messages."""
        parameters: dict[str, object] = {"max_tokens": self.most_tokens(request)}
        if "thinking" not in self.left_out:
            parameters["thinking"] = self._thinking
        if self._effort:
            parameters["output_config"] = {"effort": self._effort}
        # Who thinks takes none, and newer models never do.
        if not self._room and "temperature" not in self.left_out:
            parameters["temperature"] = request.temperature
        return parameters

    def _dispensable(self) -> set[str]:
        """What may be left out. What the user asked for may not."""
        return {"temperature"} if self._asked else {"temperature", "thinking"}

    def _body(self, parameters: dict[str, object], request: Request) -> bytes:
        system = [part for message in request.messages if message.role == "system" for part in message.parts]
        turns = [message for message in request.messages if message.role != "system"]
        kept = _repeats(turns[-1].parts) if turns else 0
        body = dumped({"model": self.name, **parameters})[:-1]
        if system:
            body += b',"system":[%b]' % self._blocks(system, 0 if kept else len(system))
        messages = [self._turn(message, kept if message is turns[-1] else 0) for message in turns]
        return b'%b,"messages":[%b]}' % (body, b",".join(messages))

    def _turn(self, message: Message, kept: int) -> bytes:
        return b'{"role":%b,"content":[%b]}' % (dumped(message.role), self._blocks(message.parts, kept))

    def _blocks(self, parts: list[Part] | tuple[Part, ...], kept: int) -> bytes:
        """The parts as JSON, of which the first so many are to be kept."""
        blocks = [
            dumped({"type": "text", "text": part}) if isinstance(part, str) else self._pictures.of(part)
            for part in parts
        ]
        if kept and self._keeps:
            blocks[kept - 1] = blocks[kept - 1][:-1] + _KEEP
        return b",".join(blocks)

    def _reply(self, answer: dict[str, Any]) -> Reply:
        content = answer.get("content")
        if not isinstance(content, list):
            raise Transient(f"anthropic: {self.endpoint} gave an answer without a reply in it")
        texts = [part["text"] for part in content if isinstance(part, dict) and part.get("type") == "text"]
        cut = answer.get("stop_reason") in ("max_tokens", "model_context_window_exceeded")
        return Reply("".join(texts), _usage(answer.get("usage")), truncated=cut)


def _repeats(parts: tuple[Part, ...]) -> int:
    """How many parts come again with the next question: those up to the picture, if a question follows it."""
    pictures = [place for place, part in enumerate(parts) if not isinstance(part, str)]
    return len(parts) - 1 if pictures and pictures[-1] < len(parts) - 1 else 0


def _thinking(options: Options) -> tuple[dict[str, object], int]:
    """What to say about thinking, and the tokens it takes."""
    told = options.get("thinking", "off")
    if told == "off":
        return {"type": "disabled"}, 0
    if told == "adaptive":
        return {"type": "adaptive"}, ROOM
    if not told.isdecimal() or int(told) < LEAST_THINKING:
        possible = f"off, adaptive, or a number of tokens from {LEAST_THINKING} on"
        raise ValueError(f"anthropic: thinking is {possible}, not {told!r}")
    return {"type": "enabled", "budget_tokens": int(told)}, int(told)


def _sdk() -> ModuleType:
    # Importing it takes longer than the rest of the program: only who asks it pays for it.
    import anthropic

    return anthropic


def _usage(told: Any) -> Usage:
    told = told if isinstance(told, dict) else {}
    read = told.get("cache_read_input_tokens") or 0
    prompt = (told.get("input_tokens") or 0) + read + (told.get("cache_creation_input_tokens") or 0)
    return Usage(prompt, told.get("output_tokens") or 0, cached_tokens=read)


def load(rest: str, options: Options) -> Conducted:
    """The model for what stands behind `anthropic:`."""
    check_options("anthropic", options, OPTIONS)
    name, address = read_name("anthropic", rest, "claude-sonnet-4-5")
    url = os.environ.get("ANTHROPIC_BASE_URL", "").strip()
    elsewhere = address or (read_address(url) if url else None)
    key = read_key(KEY, needed_by=None if elsewhere else "anthropic")
    # The client adds the version itself.
    return Conducted(Anthropic(name, Address((elsewhere or Address(HOME)).url.removesuffix("/v1")), key, options))
