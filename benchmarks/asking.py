"""Questions per second with 64 in flight: our client, a plain one, and LangChain's, against a loopback server.

    python -m benchmarks.asking

The server runs in its own process and answers at once, so that only the client's overhead is measured. All clients send
the same questions about the same pictures; ours has its limits, retries and prices on, and its cache off. They take
turns in several rounds. Prints medians of the speed, of its ratio to the plain client's in the same round, and of the
CPU time, which depends least on other load. Without langchain-openai its line is omitted.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import importlib.util
import os
import random
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import cache
from statistics import median
from typing import Any, NamedTuple

from benchmarks.options import parser
from models.base import Kind, Message, Request
from models.conduct import Conducted, Terms
from models.limiter import Limits
from models.registry import load_model

IN_FLIGHT = 64
SYSTEM = "You look at one picture and answer one question about it. Reply with Yes or No, and nothing else."
SCENE = "The picture shows blocks in four columns. " * 10


class Noise:
    """Random bytes of the size of a picture."""

    def __init__(self, number: int, size: int) -> None:
        self._bytes = b"\x89PNG\r\n\x1a\n" + random.Random(number).randbytes(size)
        self.key = self.sha256 = hashlib.sha256(self._bytes).hexdigest()

    def png(self) -> bytes:
        return self._bytes


def requests(count: int, size: int, per_picture: int) -> list[Request]:
    pictures = [Noise(number, size) for number in range(-(-count // per_picture))]
    return [
        Request(
            (
                Message("system", (SYSTEM,)),
                Message("user", (SCENE, pictures[number // per_picture], f"Is block {number} on the table?")),
            ),
            Kind.YES_NO,
            max_tokens=16,
        )
        for number in range(count)
    ]


class Spent(NamedTuple):
    """Wall-clock and CPU seconds."""

    clock: float
    processor: float


async def gathered(ask: Callable[[Any], Awaitable[Any]], asked: list[Any]) -> Spent:
    """The time to ask all requests, `IN_FLIGHT` at once."""
    turn = asyncio.Semaphore(IN_FLIGHT)

    async def one(request: Any) -> None:
        async with turn:
            await ask(request)

    await asyncio.gather(*(one(request) for request in asked[:IN_FLIGHT]))  # connections are up, pictures are encoded
    clock, processor = time.perf_counter(), time.process_time()
    await asyncio.gather(*(one(request) for request in asked))
    return Spent(time.perf_counter() - clock, time.process_time() - processor)


Client = Callable[[str, list[Request]], Awaitable[Spent]]


async def ours(url: str, asked: list[Request]) -> Spent:
    model = load_model(f"openai:any@{url}")
    assert isinstance(model, Conducted)
    model.use_terms(Terms(limits=Limits(in_flight=IN_FLIGHT)))
    try:
        return await gathered(model.ask, asked)
    finally:
        await model.close()


@cache
def data_url(picture: Noise) -> str:
    return "data:image/png;base64," + base64.b64encode(picture.png()).decode()


def payload(request: Request) -> dict[str, Any]:
    """The same request for the plain client, with pictures encoded in advance."""
    system, user = request.messages
    scene, picture, question = user.parts
    assert isinstance(picture, Noise)
    url = data_url(picture)
    content = [
        {"type": "text", "text": scene},
        {"type": "image_url", "image_url": {"url": url}},
        {"type": "text", "text": question},
    ]
    return {
        "messages": [{"role": "system", "content": system.parts[0]}, {"role": "user", "content": content}],
        "max_tokens": 16,
        "temperature": 0,
        "logprobs": True,
        "top_logprobs": 5,
    }


async def plain(url: str, asked: list[Request]) -> Spent:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(api_key="none", base_url=url) as client:

        async def ask(request: Request) -> None:
            reply = await client.chat.completions.create(model="any", **payload(request))
            assert reply.choices[0].message.content == "Yes"

        return await gathered(ask, asked)


async def langchain(url: str, asked: list[Request]) -> Spent:
    from langchain_openai import ChatOpenAI  # type: ignore[import-not-found,unused-ignore]

    fields = {key: value for key, value in payload(asked[0]).items() if key != "messages"}
    model = ChatOpenAI(model="any", api_key="none", base_url=url, **fields)

    async def ask(request: Request) -> None:
        reply = await model.ainvoke(payload(request)["messages"])
        assert reply.content == "Yes"

    return await gathered(ask, asked)


async def in_rounds(clients: dict[str, Client], rounds: int, url: str, asked: list[Request]) -> dict[str, list[Spent]]:
    """The time of each client in each round, in one event loop, because LangChain keeps its connections."""
    spent: dict[str, list[Spent]] = {name: [] for name in clients}
    for _ in range(rounds):
        for name, client in clients.items():
            spent[name].append(await client(url, asked))
    return spent


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a server in a separate process."""
    command = [sys.executable, "-m", "tests.loopback"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    options = parser("asking", __doc__)
    options.add_argument("--questions", type=int, default=500)
    options.add_argument("--kilobytes", type=int, default=60, help="size of a picture")
    options.add_argument("--per-picture", type=int, default=25, help="questions about a picture")
    options.add_argument("--rounds", type=int, default=9)
    parsed = options.parse_args()
    os.environ.pop("OPENAI_API_KEY", None)
    clients: dict[str, Client] = {"ours": ours, "plain openai": plain}
    if importlib.util.find_spec("langchain_openai"):
        clients["langchain"] = langchain
    asked = requests(parsed.questions, parsed.kilobytes * 1024, parsed.per_picture)
    with served() as url:
        spent = asyncio.run(in_rounds(clients, parsed.rounds, url, asked))
    print(
        f"{parsed.questions} questions, {IN_FLIGHT} in flight, {parsed.kilobytes} KB pictures, {parsed.rounds} rounds"
    )
    for name, rounds in spent.items():
        speed = parsed.questions / median(one.clock for one in rounds)
        ratio = median(theirs.clock / one.clock for one, theirs in zip(rounds, spent["plain openai"], strict=True))
        busy = 1000 * median(one.processor for one in rounds) / parsed.questions
        print(f"  {name:12}  {speed:6.0f} questions/s  {ratio:5.2f} of the plain client  {busy:5.2f} ms of processor")
    if "langchain" not in clients:
        print("  langchain     not measured: langchain-openai is not installed")


if __name__ == "__main__":
    main()
