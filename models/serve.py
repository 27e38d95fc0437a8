"""Models served on this machine for the length of a run: the server is started, asked, and ended.

serve:vllm:Qwen/Qwen2.5-VL-7B-Instruct                        vllm serve NAME
serve:sglang:Qwen/Qwen2.5-VL-7B-Instruct                      python -m sglang.launch_server --model-path NAME
serve:transformers:./my-model                                 transformers serve NAME
serve:vllm:NAME?args=--max-model-len 8192 --dtype bfloat16    with options of the server's own
serve:vllm:NAME?wait=1800                                     has half an hour to load the model

The server listens on a free port of 127.0.0.1 and writes its log into the run. It ends with the run, even if that is
killed. The options of `openai:` apply too.
"""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from models._keys import Key
from models._server import Server
from models._spec import Address, check_options, whole_number
from models.base import Options, Reply, Request, Transient
from models.conduct import Conducted
from models.openai import OpenAI
from planners.names import unknown

ASKS_TRUST = True
"""It starts a program, which fetches the model and reads its weights."""
USAGE = "serve:vllm:NAME, serve:sglang:NAME, serve:transformers:NAME   starts a server for the run (docs/models.md)"
OWN = ("args", "wait")
OPTIONS = ("detail", "logprobs", "max_tokens", "timeout")
"""Options of `openai:` that make sense here."""
WAIT = 900
"""The default time limit, in seconds, for a server to become ready (`wait=`)."""


def _vllm(name: str, port: int) -> list[str]:
    return [_program("vllm", "vllm"), "serve", name, "--host", "127.0.0.1", "--port", str(port)]


def _sglang(name: str, port: int) -> list[str]:
    if find_spec("sglang") is None:
        raise _missing("sglang", "sglang")
    launch = [sys.executable, "-m", "sglang.launch_server", "--model-path", name]
    return [*launch, "--host", "127.0.0.1", "--port", str(port)]


def _transformers(name: str, port: int) -> list[str]:
    program = _program("transformers", "transformers[serving]")
    return [program, "serve", name, "--host", "127.0.0.1", "--port", str(port)]


PROGRAMS: dict[str, Callable[[str, int], list[str]]] = {
    "vllm": _vllm,
    "sglang": _sglang,
    "transformers": _transformers,
}


def load(rest: str, options: Options) -> Served:
    """Load the model of a spec that starts with `serve:`. Its server is started when the first question is asked."""
    program, _, name = rest.partition(":")
    check_options("serve", options, (*OWN, *OPTIONS))
    if program not in PROGRAMS:
        raise unknown("server", program, tuple(PROGRAMS))
    if not name.strip() or name.startswith("-"):
        raise ValueError(
            f"serve:{program} needs the name of a model, as in serve:{program}:Qwen/Qwen2.5-VL-7B-Instruct"
        )
    try:
        words = shlex.split(options.get("args", ""))
    except ValueError as error:
        raise ValueError(f"serve: args cannot be read: {error}") from None
    PROGRAMS[program](name, 0)  # say now that the program is missing

    def command(port: int) -> Sequence[str]:
        return [*PROGRAMS[program](name, port), *words]

    server = Server(f"serve:{program}:{name}", command, float(whole_number("serve", options, "wait") or WAIT))
    return Served(ServedModel(program, name, options, server), server)


class ServedModel:
    """The provider of a served model: the client of OpenAI at an address that is known when the server has started."""

    calls_tools = True

    def __init__(self, program: str, name: str, options: Options, server: Server) -> None:
        self.name = name
        self.endpoint = f"serve:{program}"
        self.identity = _identity(program, name, options)
        self._server = server
        self._options = {key: value for key, value in options.items() if key in OPTIONS}
        if program == "transformers":
            self._options.setdefault("logprobs", "off")  # it refuses requests that ask for them
        self._client = self._client_at(Address("http://127.0.0.1:1/v1"))  # checks the options
        self._port = 0

    async def send(self, request: Request) -> Reply:
        """One attempt. If the server has ended, there is nobody to wait for."""
        if self._port != self._server.port:
            self._port = self._server.port
            self._client = self._client_at(Address(f"{self._server.url}/v1"))
        try:
            return await self._client.send(request)
        except Transient:
            self._server.check()
            raise

    def most_tokens(self, request: Request) -> int:
        """How long a reply may be."""
        return self._client.most_tokens(request)

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    def _client_at(self, address: Address) -> OpenAI:
        return OpenAI(self.name, address, Key("", "OPENAI_API_KEY", home=False), self._options)


class Served(Conducted):
    """A model whose server is started for it. It costs nothing."""

    priced = True

    def __init__(self, provider: ServedModel, server: Server) -> None:
        super().__init__(provider)
        self.server = server

    async def ask(self, request: Request) -> Reply:
        """The reply; the first question waits until the server is ready."""
        await self.server.ready(self.terms.notify)
        return await super().ask(request)

    async def close(self) -> None:
        """Let go of the connections and end the server."""
        await super().close()
        self.server.stop()


def _identity(program: str, name: str, options: Options) -> str:
    """Everything that decides the replies: the port and how long to wait do not."""
    folder = Path(name).expanduser()
    if folder.is_dir():
        from models._hf_loading import contents

        name = f"{folder.name} ({contents(folder)})"
    try:
        release = version(program)
    except PackageNotFoundError:
        release = "of another environment"
    suffix = "".join(f", {key} {options[key]}" for key in sorted(options) if key not in ("wait", "timeout"))
    return f"serve:{program} {release}:{name}{suffix}"


def _program(name: str, package: str) -> str:
    """Where a program is: beside this Python, or on the path."""
    found = shutil.which(name, path=str(Path(sys.executable).parent)) or shutil.which(name)
    if found is None:
        raise _missing(name, package)
    return found


def _missing(name: str, package: str) -> ValueError:
    return ValueError(f"serve:{name}: there is no program {name} here; install it with pip install '{package}'")
