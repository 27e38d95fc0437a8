"""Questions per second at 64 in flight: our client, the plain one, and LangChain's, against a server on loopback.

    python -m benchmarks.asking

The server runs in a process of its own and answers at once, so that what is measured is what a client costs. All
send the same questions about the same pictures; ours has its limits, retries and prices on, and its cache off. Each
runs in several rounds, in turn, and the median counts. Without langchain-openai its line is left out.
"""

from __future__ import annotations

import argparse
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
from typing import Any

from models.base import Kind, Message, Request
from models.conduct import Conducted, Terms
from models.limiter import Limits
from models.registry import load_model

IN_FLIGHT = 64
SYSTEM = "You look at one picture and answer one question about it. Reply with Yes or No, and nothing else."
SCENE = "The picture shows blocks in four columns. " * 10


class Noise:
    """Bytes of the size of a picture; nobody here looks at them."""

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


async def gathered(ask: Callable[[Any], Awaitable[Any]], asked: list[Any]) -> float:
    """Seconds to ask all, so many at once."""
    turn = asyncio.Semaphore(IN_FLIGHT)

    async def one(request: Any) -> None:
        async with turn:
            await ask(request)

    await asyncio.gather(*(one(request) for request in asked[:IN_FLIGHT]))  # connections are up, pictures are encoded
    started = time.perf_counter()
    await asyncio.gather(*(one(request) for request in asked))
    return time.perf_counter() - started


async def ours(url: str, asked: list[Request]) -> float:
    model = load_model(f"openai:any@{url}")
    assert isinstance(model, Conducted)
    model.agree(Terms(limits=Limits(in_flight=IN_FLIGHT)))
    try:
        return await gathered(model.ask, asked)
    finally:
        await model.close()


@cache
def data_url(picture: Noise) -> str:
    return "data:image/png;base64," + base64.b64encode(picture.png()).decode()


def payload(request: Request) -> dict[str, Any]:
    """The same request as a user of the plain client writes it, pictures encoded beforehand."""
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


async def plain(url: str, asked: list[Request]) -> float:
    from openai import AsyncOpenAI

    async with AsyncOpenAI(api_key="none", base_url=url) as client:

        async def ask(request: Request) -> None:
            reply = await client.chat.completions.create(model="any", **payload(request))
            assert reply.choices[0].message.content == "Yes"

        return await gathered(ask, asked)


async def langchain(url: str, asked: list[Request]) -> float:
    from langchain_openai import ChatOpenAI

    fields = {key: value for key, value in payload(asked[0]).items() if key != "messages"}
    model = ChatOpenAI(model="any", api_key="none", base_url=url, **fields)

    async def ask(request: Request) -> None:
        reply = await model.ainvoke(payload(request)["messages"])
        assert reply.content == "Yes"

    return await gathered(ask, asked)


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a server in a process of its own."""
    command = [sys.executable, "-m", "tests.loopback"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        yield process.stdout.readline().strip()
        process.stdin.close()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--questions", type=int, default=1500)
    options.add_argument("--kilobytes", type=int, default=60, help="size of a picture")
    options.add_argument("--per-picture", type=int, default=25, help="questions about a picture")
    options.add_argument("--rounds", type=int, default=5)
    told = options.parse_args()
    os.environ.pop("OPENAI_API_KEY", None)
    clients = {"ours": ours, "plain openai": plain}
    if importlib.util.find_spec("langchain_openai"):
        clients["langchain"] = langchain
    asked = requests(told.questions, told.kilobytes * 1024, told.per_picture)
    seconds: dict[str, list[float]] = {name: [] for name in clients}
    with served() as url:
        for _ in range(told.rounds):
            for name, client in clients.items():
                seconds[name].append(asyncio.run(client(url, asked)))
    print(f"{told.questions} questions, {IN_FLIGHT} in flight, pictures of {told.kilobytes} KB, {told.rounds} rounds")
    speeds = {name: told.questions / median(taken) for name, taken in seconds.items()}
    for name, speed in speeds.items():
        print(f"  {name:12}  {speed:7.0f} questions/s   {speed / speeds['plain openai']:5.2f} of the plain client")
    if "langchain" not in clients:
        print("  langchain     not measured: langchain-openai is not installed")


if __name__ == "__main__":
    main()
