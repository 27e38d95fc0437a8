"""Models behind the API of OpenAI: theirs, and everything that speaks it, such as vLLM.

openai:gpt-4.1                                                  with OPENAI_API_KEY
openai:o4-mini?reasoning_effort=low                             a model that thinks first
openai:Qwen/Qwen2.5-VL-7B-Instruct@http://localhost:8000/v1     a server of one's own
openai:gpt-4.1?detail=high&logprobs=off&max_tokens=64           pictures in full, no probabilities, another budget

Key, organisation, project and address come from OPENAI_API_KEY, OPENAI_ORG_ID, OPENAI_PROJECT_ID and
OPENAI_BASE_URL. What repeats between questions, system text and picture, is sent before what changes, byte for byte
the same, so that servers that keep prefixes have it already.
"""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any

from models._spec import Address, check_options, choice, identity, read_address, read_key, read_name, whole_number
from models._wire import SECONDS, Line, Rejected, Snippets, dumped
from models.base import Kind, Message, Options, Reply, Request, Transient, Usage
from models.conduct import Conducted

if TYPE_CHECKING:
    from types import ModuleType

USAGE = "openai:MODEL[@URL][?reasoning_effort=low&detail=high&max_tokens=N]   OpenAI, vLLM or any server that speaks it"
HOME = "https://api.openai.com/v1"
KEY = "OPENAI_API_KEY"
EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
OPTIONS = ("detail", "logprobs", "max_tokens", "reasoning_effort", "timeout")
ROOM = 2048
"""Tokens to think with, on top of those for the reply."""
ALTERNATIVES = 5
"""How many first words to ask the probabilities of; some servers give no more."""

_THINKS = re.compile(r"^(o\d|gpt-[5-9])(?!.*chat)")
_BUDGETS = ("max_tokens", "max_completion_tokens")


class OpenAI:
    """One model at one address."""

    def __init__(self, name: str, address: Address, key: str, options: Options) -> None:
        self.name = name
        self.endpoint = address.host
        self.identity = identity("openai", name, address, options, but=("timeout",))
        self._effort = choice("openai", options, "reasoning_effort", EFFORTS)
        self._max_tokens = whole_number("openai", options, "max_tokens")
        self._logprobs = choice("openai", options, "logprobs", ("on", "off")) != "off"
        detail = choice("openai", options, "detail", ("auto", "high", "low"))
        self._pictures = Snippets(
            '{"type":"image_url","image_url":{"url":"data:image/png;base64,',
            f'","detail":"{detail}"}}}}' if detail else '"}}',
        )
        # A model told not to think at all takes what the others take.
        self._thinks = bool(_THINKS.match(name.rpartition("/")[2])) and self._effort != "none"
        self.left_out: set[str] = set()
        seconds = float(whole_number("openai", options, "timeout") or SECONDS)

        def opened(http: Any) -> Any:
            # Trying again is the conduct's business.
            return _sdk().AsyncOpenAI(api_key=key or "none", base_url=address.url, max_retries=0, http_client=http)

        self._line = Line("openai", name, address, KEY, (key, *address.secrets), _sdk, opened, seconds)

    async def send(self, request: Request) -> Reply:
        """One attempt; what the server turns out not to take is left out from then on."""
        while True:
            parameters = self._parameters(request)
            head = dumped({"model": self.name, **parameters})
            body = b'%b,"messages":[%b]}' % (head[:-1], b",".join(map(self._message, request.messages)))
            try:
                answer = await self._line.post("/chat/completions", body)
            except Rejected as rejected:
                blamed = rejected.blames(self._dispensable(parameters))
                if blamed is None:
                    raise
                self.left_out.add(blamed)
            else:
                return self._reply(answer)

    def most_tokens(self, request: Request) -> int:
        """How long a reply may be, thinking included."""
        return self._max_tokens or request.max_tokens + (ROOM if self._thinks else 0)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._line.close()

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
        """What may be left out, or goes by another name. What the user asked for is neither."""
        names_left = set(_BUDGETS) - self.left_out
        last = names_left if len(names_left) == 1 else set()
        return [name for name in parameters if name != "reasoning_effort" and name not in last]

    def _message(self, message: Message) -> bytes:
        parts = message.parts
        if len(parts) == 1 and isinstance(parts[0], str):
            # Some chat templates take plain text only where no picture can be.
            return dumped({"role": message.role, "content": parts[0]})
        content = b",".join(
            dumped({"type": "text", "text": part}) if isinstance(part, str) else self._pictures.of(part)
            for part in parts
        )
        return b'{"role":%b,"content":[%b]}' % (dumped(message.role), content)

    def _reply(self, answer: dict[str, Any]) -> Reply:
        try:
            chosen = answer["choices"][0]
            text = _text(chosen["message"])
        except (LookupError, TypeError):
            raise Transient(f"openai: {self.endpoint} gave an answer without a reply in it") from None
        yes, no = yes_no(chosen.get("logprobs"))
        return Reply(text, _usage(answer.get("usage")), yes, no, truncated=chosen.get("finish_reason") == "length")


def _sdk() -> ModuleType:
    # Importing it takes longer than the rest of the program: only who asks it pays for it.
    import openai

    return openai


def _text(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(part.get("text", "") for part in content if isinstance(part, dict))
    return content or message.get("refusal") or ""


def _usage(told: Any) -> Usage:
    told = told if isinstance(told, dict) else {}
    kept = (told.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return Usage(told.get("prompt_tokens") or 0, told.get("completion_tokens") or 0, cached_tokens=kept)


def yes_no(logprobs: Any) -> tuple[float | None, float | None]:
    """The probabilities that the reply starts with Yes and with No, whatever their case; None if neither is known."""
    tokens = logprobs.get("content") if isinstance(logprobs, dict) else None
    if not isinstance(tokens, list):
        return None, None
    for token in tokens:
        if not _word(token):
            continue  # the model starts with a space or a new line
        seen = {option["token"]: option for option in (token, *(token.get("top_logprobs") or ()))}.values()
        chances = {
            word: math.fsum(math.exp(min(option["logprob"], 0.0)) for option in seen if _word(option) == word)
            for word in ("yes", "no")
        }
        if not any(chances.values()):
            break
        return min(chances["yes"], 1.0), min(chances["no"], 1.0)
    return None, None


def _word(option: Any) -> str:
    """The bare word of a token."""
    return re.sub(r"[\W_]+", "", str(option.get("token", "")).lower())


def load(rest: str, options: Options) -> Conducted:
    """The model for what stands behind `openai:`."""
    check_options("openai", options, OPTIONS)
    name, address = read_name("openai", rest, "gpt-4.1")
    elsewhere = address or (read_address(url) if (url := os.environ.get("OPENAI_BASE_URL", "").strip()) else None)
    key = read_key(KEY, needed_by=None if elsewhere else "openai")
    return Conducted(OpenAI(name, elsewhere or Address(HOME), key, options))
