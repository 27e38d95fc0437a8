"""Anthropic's models.

anthropic:claude-sonnet-4-5                     with ANTHROPIC_API_KEY
anthropic:claude-opus-5?thinking=adaptive       thinks first, as long as it likes; a number of tokens sets how long
anthropic:claude-opus-5?effort=low              less effort per reply
anthropic:MODEL@http://localhost:4000           your own server with the same API; ?key_env=NAME for its key

The system text and everything up to the picture are marked for the server's prompt cache, so that further questions
about the same picture cost little more than their own tokens. Models think only if an option asks for it, as with
the other providers: chain of thought is requested by the agent.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from models._anthropic_batches import AnthropicBatches
from models._anthropic_messages import conversation, read_reply, tools
from models._keys import OPTION, Key, find_key
from models._snippets import Snippets, dumped
from models._spec import Address, check_options, choice, identity, read_name, whole_number
from models._wire import CONNECT_SECONDS, SECONDS, Connection, Rejected
from models.base import Options, Reply, Request
from models.conduct import Conducted
from models.turns import Turn

if TYPE_CHECKING:
    from types import ModuleType

USAGE = "anthropic:MODEL[@URL][?thinking=adaptive&effort=low&max_tokens=N]   Anthropic's models, e.g. claude-sonnet-4-5"
HOME = "https://api.anthropic.com"
HOMES = ("api.anthropic.com",)
KEY = "ANTHROPIC_API_KEY"
EFFORTS = ("low", "medium", "high", "xhigh", "max")
OPTIONS = ("cache", "effort", OPTION, "max_tokens", "thinking", "timeout")
THINKING_TOKENS = 2048
"""Thinking tokens, in addition to the reply's, for a model that decides itself how long it thinks."""
LEAST_THINKING = 1024
"""The API's minimum."""


class Anthropic:
    """One model at one address."""

    calls_tools = True

    def __init__(self, name: str, address: Address, key: Key, options: Options) -> None:
        self.name = name
        self.endpoint = address.host
        self.identity = identity("anthropic", name, address, options, without=("cache", OPTION, "timeout"))
        self._effort = choice("anthropic", options, "effort", EFFORTS)
        self._max_tokens = whole_number("anthropic", options, "max_tokens")
        self._thinking, self._thinking_tokens = _thinking(options)
        self._caches = choice("anthropic", options, "cache", ("on", "off")) != "off"
        self._pictures = Snippets('{"type":"image","source":{"type":"base64","media_type":"image/png","data":"', '"}}')
        self._asked = options.get("thinking")
        self.left_out: set[str] = set()
        seconds = float(whole_number("anthropic", options, "timeout") or SECONDS)

        def make_client(http: Any) -> Any:
            # `models.conduct` retries.
            return _sdk().AsyncAnthropic(
                api_key=key.value or "none", base_url=address.bare, max_retries=0, http_client=http
            )

        self._connection = Connection("anthropic", name, address, key, _sdk, make_client, seconds)
        self.batches = AnthropicBatches(self._connection, self._written, self._adapts)

    async def send(self, request: Request) -> Reply:
        """One attempt. A parameter that the server does not support is left out from then on."""
        while True:
            parameters, read = self._parameters(request), partial(read_reply, as_turn=isinstance(request, Turn))
            try:
                return await self._connection.post("/v1/messages", self._body(parameters, request), read)
            except Rejected as rejected:
                if not self._leave_out(rejected, parameters):
                    raise rejected.explain_tools() if isinstance(request, Turn) else rejected from None

    def most_tokens(self, request: Request) -> int:
        """The most tokens of a reply, thinking included."""
        # Some models cannot switch thinking off.
        thinking_tokens = THINKING_TOKENS if "thinking" in self.left_out else self._thinking_tokens
        return self._max_tokens or request.max_tokens + thinking_tokens

    def open(self) -> None:
        """Import and create the client in advance, so that the time does not count as the endpoint's."""
        self._connection.open()

    def connect_within(self, seconds: float) -> None:
        """Limit the time for opening a connection."""
        self._connection.connect_seconds = min(CONNECT_SECONDS, seconds)

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()

    def _parameters(self, request: Request) -> dict[str, object]:
        """Everything but model and messages."""
        parameters: dict[str, object] = {"max_tokens": self.most_tokens(request)}
        if "thinking" not in self.left_out:
            parameters["thinking"] = self._thinking
        if self._effort:
            parameters["output_config"] = {"effort": self._effort}
        # Models that think accept no temperature, and newer models never do.
        if not self._thinking_tokens and "temperature" not in self.left_out:
            parameters["temperature"] = request.temperature
        return parameters

    def _dispensable(self) -> set[str]:
        """Parameters that may be left out: those that the user did not ask for."""
        return {"temperature"} if self._asked else {"temperature", "thinking"}

    def _written(self, request: Request) -> bytes:
        """The body of a request."""
        return self._body(self._parameters(request), request)

    def _adapts(self, request: Request, rejected: Rejected) -> bool:
        """Whether a request that was refused in a batch is sent differently by now, perhaps because of another one."""
        return self._leave_out(rejected, self._parameters(request)) or rejected.blames(self.left_out) is not None

    def _leave_out(self, rejected: Rejected, parameters: dict[str, object]) -> bool:
        """Leave out what the server does not take, if that can be left out."""
        blamed = rejected.blames(set(parameters) & self._dispensable())
        if blamed is not None:
            self.left_out.add(blamed)
        return blamed is not None

    def _body(self, parameters: dict[str, object], request: Request) -> bytes:
        system, messages = conversation(request.messages, self._pictures, cache=self._caches)
        body = dumped({"model": self.name, **parameters})[:-1]
        if isinstance(request, Turn) and request.tools:
            body += b',"tools":%b' % tools(request.tools)
        if system:
            body += b',"system":[%b]' % b",".join(system)
        return b'%b,"messages":[%b]}' % (body, messages)


def _thinking(options: Options) -> tuple[dict[str, object], int]:
    """The parameter for thinking, and the most tokens for it."""
    value = options.get("thinking", "off")
    if value == "off":
        return {"type": "disabled"}, 0
    if value == "adaptive":
        return {"type": "adaptive"}, THINKING_TOKENS
    if not value.isdecimal() or int(value) < LEAST_THINKING:
        possible = f"off, adaptive, or a number of tokens from {LEAST_THINKING} on"
        raise ValueError(f"anthropic: thinking is {possible}, not {value!r}")
    return {"type": "enabled", "budget_tokens": int(value)}, int(value)


def _sdk() -> ModuleType:
    # Imported here because the import takes longer than the rest of the program.
    import anthropic

    return anthropic


def endpoint(rest: str, options: Options) -> str:
    """The host that would be asked."""
    return read_name("anthropic", rest, "claude-sonnet-4-5", HOME)[1].host


def load(rest: str, options: Options) -> Conducted:
    """Load the model of a spec that starts with `anthropic:`."""
    check_options("anthropic", options, OPTIONS)
    name, named = read_name("anthropic", rest, "claude-sonnet-4-5", HOME)
    address = Address(named.url.removesuffix("/v1"))  # the client adds the version itself
    return Conducted(Anthropic(name, address, find_key("anthropic", options, address, KEY, HOMES), options))
