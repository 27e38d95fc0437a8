"""Serve models to other processes: one cache of answers, one set of limits, one budget, and the keys in one place.

    export OPENAI_API_KEY=…
    python -m models.gateway --cache runs/answers.sqlite --max-cost 20

It prints its address and a token. Shards on this machine, or on others through a tunnel, ask through it without keys:

    export PLUMBLINE_GATEWAY_TOKEN=…
    python -m evals.viplan --model openai:gpt-4.1 --shard 1/4 --gateway http://127.0.0.1:8765
"""

from __future__ import annotations

import argparse
import asyncio
import ipaddress
import os
import secrets
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from models.conduct import Terms
    from models.gateway.core import Gateway

PORT = 8765
CACHE = Path("runs/gateway.sqlite")
TOKEN = "PLUMBLINE_GATEWAY_TOKEN"
EPILOG = """\
examples:
  python -m models.gateway --cache runs/answers.sqlite --max-cost 20
  python -m models.gateway --model openai:Qwen/Qwen2.5-VL-7B-Instruct@http://localhost:8000/v1
  python -m evals.viplan --model openai:gpt-4.1 --gateway http://127.0.0.1:8765

The token is that of PLUMBLINE_GATEWAY_TOKEN, or a new one that is printed. Models at their provider's own address need
no --model.

exit code: 0 stopped, 2 invalid input
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until stopped; the exit code."""
    arguments = _parser().parse_args(argv)
    from models.base import CannotKeep
    from models.cache import DamagedCache
    from models.gateway.core import Gateway
    from models.gateway.opening import Held, HeldCache

    try:
        token = _token(arguments)
        gateway = Gateway(lambda: HeldCache.shared(arguments.cache), _terms(arguments), arguments.model)
        _ = gateway.cache  # fail now
    except OSError as error:
        print(f"error: {arguments.cache} cannot be used: {error.strerror or error}", file=sys.stderr)
        return 2
    except (ValueError, DamagedCache, CannotKeep, Held) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return asyncio.run(_serve(gateway, token, arguments.host, arguments.port))


async def _serve(gateway: Gateway, token: str, host: str, port: int) -> int:
    from models.gateway.server import Server

    server, stopped = Server(gateway, token), asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stopped.set)
    try:
        address = await server.start(host, port)
    except OSError as error:
        await gateway.close()
        print(f"error: cannot listen on {host}:{port}: {error.strerror or error}", file=sys.stderr)
        return 2
    spent = gateway.terms.budget.cost
    shown = f"[{address[0]}]" if ":" in address[0] else address[0]
    print(f"gateway: http://{shown}:{address[1]}", flush=True)
    if spent:
        print(f"${spent:.4f} were spent before it was killed, and count", file=sys.stderr)
    if not os.environ.get(TOKEN) and token:
        print(f"export {TOKEN}={token}", flush=True)
    await stopped.wait()
    status = gateway.status()
    await server.close()
    asked = status["answered"] - status["from_cache"]
    print(
        f"stopped: {asked:,} questions asked, {status['from_cache']:,} answered from the cache, ${status['cost']:.4f}",
        file=sys.stderr,
    )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m models.gateway",
        description="Serve models to other processes: one cache of answers, one set of limits, one budget; keys stay "
        "here.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--cache", type=Path, default=CACHE, metavar="FILE", help="cache of answers (default: %(default)s)")
    add("--model", action="append", default=[], metavar="SPEC", help="also ask this model, with its address or code")
    add("--host", default="127.0.0.1", help="address to listen on (default: this machine only)")
    add("--port", type=int, default=PORT, help="port; 0 takes any free one (default: %(default)s)")
    add("--no-token", action="store_true", help="answer every process of this machine")
    add("--requests", type=int, default=64, metavar="N", help="concurrent requests (default: %(default)s)")
    add("--max-cost", type=float, metavar="DOLLARS", help="answer nothing that could exceed this")
    add("--max-tokens", type=int, metavar="N", help="answer nothing that could use more tokens than this")
    add("--prices", type=Path, metavar="FILE", help="your own prices, which override models/prices.json")
    add("--per-minute", type=int, metavar="N", help="limit of requests per minute")
    add("--tokens-per-minute", type=int, metavar="N", help="limit of tokens per minute")
    add("--deadline", type=float, default=300.0, metavar="S", help="seconds per request, retries included")
    add("--patience", type=float, default=3600.0, metavar="S", help="seconds to wait for an endpoint that is down")
    return parser


def _terms(arguments: argparse.Namespace) -> Terms:
    from models.budget import Budget
    from models.conduct import Terms
    from models.limiter import Limits
    from models.prices import read_prices

    for name in ("requests", "max_cost", "max_tokens", "per_minute", "tokens_per_minute", "deadline"):
        value = getattr(arguments, name)
        if value is not None and not value > 0:
            raise ValueError(f"--{name.replace('_', '-')}: more than 0, not {value:g}")
    limits = Limits(arguments.requests, arguments.per_minute, arguments.tokens_per_minute, max(0.0, arguments.patience))
    budget = Budget(arguments.max_cost, arguments.max_tokens)
    terms = Terms(limits, deadline=arguments.deadline, budget=budget, prices=read_prices(arguments.prices))
    terms.notify = lambda text: print(text, file=sys.stderr, flush=True)
    return terms


def _token(arguments: argparse.Namespace) -> str:
    """The token that callers need; empty if they need none."""
    if not arguments.no_token:
        return os.environ.get(TOKEN, "").strip() or secrets.token_urlsafe(24)
    if not _is_loopback(arguments.host):
        raise ValueError("--no-token goes with the loopback address only: others could spend your money")
    return ""


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


if __name__ == "__main__":
    sys.exit(main())
