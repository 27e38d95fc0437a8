"""OpenAI's models, and every server with the same API, such as vLLM.

openai:gpt-4.1                                                  with OPENAI_API_KEY
openai:o4-mini?reasoning_effort=low                             a model that thinks first
openai:Qwen/Qwen2.5-VL-7B-Instruct@http://localhost:8000/v1     your own server
openai:MODEL@https://gpu.example/v1?key_env=MY_SERVER_KEY       a server with a key, in that variable
openai:gpt-4.1?detail=high&logprobs=off&max_tokens=64           pictures in full, no probabilities, another budget

The key, organisation, project and address are read from OPENAI_API_KEY, OPENAI_ORG_ID, OPENAI_PROJECT_ID and
OPENAI_BASE_URL; the first three are sent to OpenAI's own servers only. The parts that questions share, system text and
picture, come first and are identical byte for byte, so that servers can cache them.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING, Any

from models._keys import OPTION, Key, find_key
from models._openai_batches import OpenAIBatches
from models._openai_messages import conversation, read_reply
from models._snippets import Snippets, dumped
from models._spec import Address, check_options, choice, identity, read_name, whole_number
from models._wire import CONNECT_SECONDS, SECONDS, Connection, Rejected
from models.base import Kind, Options, Reply, Request
from models.conduct import Conducted
from models.turns import Turn

if TYPE_CHECKING:
    from types import ModuleType

USAGE = "openai:MODEL[@URL][?reasoning_effort=low&detail=high&max_tokens=N]   OpenAI, vLLM or any compatible server"
HOME = "https://api.openai.com/v1"
HOMES = ("api.openai.com",)
KEY = "OPENAI_API_KEY"
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
OPTIONS = ("detail", OPTION, "logprobs", "max_tokens", "reasoning_effort", "timeout")
THINKING_TOKENS = 2048
"""Thinking tokens, in addition to the reply's."""
ALTERNATIVES = 5
"""For how many candidates of the first word to request probabilities; some servers allow no more."""

_THINKS = re.compile(r"^(o\d|gpt-[5-9])(?!.*chat)")
_BUDGETS = ("max_tokens", "max_completion_tokens")


class OpenAI:
    """One model at one address."""

    calls_tools = True

    def __init__(self, name: str, address: Address, key: Key, options: Options) -> None:
        self.name = name
        self.endpoint = address.host
        self.identity = identity("openai", name, address, options, without=(OPTION, "timeout"))
        self._effort = choice("openai", options, "reasoning_effort", EFFORTS)
        self._max_tokens = whole_number("openai", options, "max_tokens")
        self._logprobs = choice("openai", options, "logprobs", ("on", "off")) != "off"
        detail = choice("openai", options, "detail", ("auto", "high", "low"))
        self._pictures = Snippets(
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,',
            f'","detail":"{detail}"}}}}' if detail else '"}}',
        )
        # With thinking switched off, the model accepts the same parameters as the others.
        self._thinks = bool(_THINKS.match(name.rpartition("/")[2])) and self._effort != "none"
        self.left_out: set[str] = set()
        seconds = float(whole_number("openai", options, "timeout") or SECONDS)

        def make_client(http: Any) -> Any:
            # `models.conduct` retries.
            return _sdk().AsyncOpenAI(
                api_key=key.value or "none", base_url=address.bare, max_retries=0, http_client=http
            )

        self._connection = Connection("openai", name, address, key, _sdk, make_client, seconds)
        self.batches = OpenAIBatches(self._connection, self._written, self._adapts)

    async def send(self, request: Request) -> Reply:
        """One attempt. A parameter that the server does not support is left out from then on."""
        while True:
            parameters, read = self._parameters(request), partial(read_reply, as_turn=isinstance(request, Turn))
            try:
                return await self._connection.post("/chat/completions", self._body(parameters, request), read)
            except Rejected as rejected:
                if not self._leave_out(rejected, parameters):
                    raise rejected.explain_tools() if isinstance(request, Turn) else rejected from None

    def most_tokens(self, request: Request) -> int:
        """The most tokens of a reply, thinking included."""
        return self._max_tokens or request.max_tokens + (THINKING_TOKENS if self._thinks else 0)

    def open(self) -> None:
        """Import and create the client in advance, so that the time does not count as the endpoint's."""
        self._connection.open()

    def connect_within(self, seconds: float) -> None:
        """Limit the time for opening a connection."""
        self._connection.connect_seconds = min(CONNECT_SECONDS, seconds)

    async def close(self) -> None:
        """Close the connections."""
        await self._connection.close()

    def _written(self, request: Request) -> bytes:
        """The body of a request."""
        return self._body(self._parameters(request), request)

    def _adapts(self, request: Request, rejected: Rejected) -> bool:
        """Whether a request that was refused in a batch is sent differently by now, perhaps because of another one."""
        return self._leave_out(rejected, self._parameters(request)) or rejected.blames(self.left_out) is not None

    def _leave_out(self, rejected: Rejected, parameters: dict[str, object]) -> bool:
        """Leave out what the server does not take, if that can be left out."""
        blamed = rejected.blames(self._dispensable(parameters))
        if blamed is not None:
            self.left_out.add(blamed)
        return blamed is not None

    def _body(self, parameters: dict[str, object], request: Request) -> bytes:
        body = dumped({"model": self.name, **parameters})[:-1]
        if isinstance(request, Turn) and request.tools:
            body += b',"tools":[%b]' % ",".join(request.tools).encode()
        return b'%b,"messages":[%b]}' % (body, conversation(request.messages, self._pictures))

    def _parameters(self, request: Request) -> dict[str, object]:
        """Everything but model and messages."""
        parameters: dict[str, object] = {}
        budget = self.most_tokens(request)
        new_names = self._thinks or bool(_THINKS.match(self.name))
        for name in reversed(_BUDGETS) if new_names else _BUDGETS:
            if name not in self.left_out:
                parameters[name] = budget
                break
        if self._effort:
            parameters["reasoning_effort"] = self._effort
        if not self._thinks and "temperature" not in self.left_out:
            parameters["temperature"] = request.temperature
        wanted = self._logprobs and not self._thinks and request.kind is Kind.YES_NO and not request.cot
        if wanted and not self.left_out & {"logprobs", "top_logprobs"}:
            parameters |= {"logprobs": True, "top_logprobs": ALTERNATIVES}
        return parameters

    def _dispensable(self, parameters: dict[str, object]) -> list[str]:
        """Parameters that may be left out or renamed: those that the user did not ask for."""
        names_left = set(_BUDGETS) - self.left_out
        last = names_left if len(names_left) == 1 else set()
        return [name for name in parameters if name != "reasoning_effort" and name not in last]


def _sdk() -> ModuleType:
    # Imported here because the import takes longer than the rest of the program.
    import openai

    return openai


def endpoint(rest: str, options: Options) -> str:
    """The host that would be asked."""
    return read_name("openai", rest, "gpt-4.1", HOME)[1].host


def load(rest: str, options: Options) -> Conducted:
    """Load the model of a spec that starts with `openai:`."""
    check_options("openai", options, OPTIONS)
    name, address = read_name("openai", rest, "gpt-4.1", HOME)
    return Conducted(OpenAI(name, address, find_key("openai", options, address, KEY, HOMES), options))
