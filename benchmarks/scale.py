"""What 1, 10, 100 and 1,000 machines would do: a simulation from the measured costs of one question.

    python -m benchmarks.scale
    python -m benchmarks.scale --gateways 4 --latency 1.0

Every machine plays episodes with so many questions under way. A question takes CPU time of its machine, then of a
gateway (one processor, in order of arrival), then the model's latency. Machines and gateways are queues; the model
server has no limit of its own unless --per-minute sets one. Nothing is asked: the figures are simulated.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.options import at_least_one, parser

MACHINES = (1, 10, 100, 1000)
MOST_QUESTIONS = 200_000
"""Simulated questions per row. The queues are in balance after a small part of them."""


@dataclass(frozen=True)
class Costs:
    """Seconds and bytes of one question. The defaults were measured; docs/scale.md says how."""

    machine: float = 0.0045
    gateway: float = 0.0036
    latency: float = 1.0
    bytes: float = 8_000.0
    processors: int = 8
    under_way: int = 64
    per_minute: float = 0.0


@dataclass(frozen=True)
class Row:
    """A number of machines, and what became of their questions."""

    machines: int
    per_second: float
    wait: float
    busy_gateway: float
    busy_machines: float


class Line:
    """A queue with servers that each take one question at a time."""

    def __init__(self, servers: int) -> None:
        self._free = [0.0] * servers

    def serve(self, now: float, seconds: float) -> float:
        """When a question that comes now is done."""
        start = max(now, heapq.heappop(self._free))
        heapq.heappush(self._free, start + seconds)
        return start + seconds


def simulate(machines: int, gateways: int, costs: Costs, seed: int = 0) -> Row:
    """Play until so many questions are answered."""
    dice = random.Random(seed)
    places = [Line(costs.processors) for _ in range(machines)]
    doors = [Line(1) for _ in range(gateways)]
    # One server that takes 60 s / N for each question is a rate limit.
    rate = Line(1) if costs.per_minute else None
    first = (machine for machine in range(machines) for _ in range(costs.under_way))
    events = [(dice.random() * costs.latency, machine, 0) for machine in first]
    heapq.heapify(events)
    answered, waited, now, half = 0, 0.0, 0.0, 0.0
    most = max(MOST_QUESTIONS, 3 * len(events))
    started = 0
    while answered < most:
        now, machine, stage = heapq.heappop(events)
        if stage == 0:
            heapq.heappush(events, (places[machine].serve(now, costs.machine), machine, 1))
        elif stage == 1:
            done = doors[dice.randrange(gateways)].serve(now, costs.gateway)
            waited += done - now - costs.gateway
            heapq.heappush(events, (done, machine, 2))
        elif stage == 2:
            let = rate.serve(now, 60.0 / costs.per_minute) if rate else now
            heapq.heappush(events, (let + dice.expovariate(1.0) * costs.latency, machine, 3))
        else:
            answered += 1
            if answered == most // 2:
                half, started = now, answered
            heapq.heappush(events, (now, machine, 0))
    per_second = (answered - started) / (now - half)
    busy = per_second * costs.gateway / gateways, per_second * costs.machine / (machines * costs.processors)
    return Row(machines, per_second, waited / answered, *busy)


def lines(gateways: int, costs: Costs) -> Iterator[str]:
    """The table."""
    yield f"{'machines':>8}{'questions/s':>13}{'of ideal':>10}{'wait':>9}{'gateway':>9}{'machines':>10}{'MB/s':>8}"
    alone = 0.0
    for machines in MACHINES:
        row = simulate(machines, gateways, costs)
        alone = alone or row.per_second
        yield (
            f"{machines:8}{row.per_second:13,.0f}{row.per_second / (alone * machines):10.2f}{row.wait:8.2f}s"
            f"{row.busy_gateway:9.0%}{row.busy_machines:10.0%}{row.per_second * costs.bytes / 1e6:8.1f}"
        )


def main() -> None:
    options, usual = parser("scale", __doc__), Costs()
    options.add_argument("--gateways", type=at_least_one, default=1, help="gateways that share the questions")
    options.add_argument("--latency", type=float, default=usual.latency, help="seconds the model takes (%(default)s)")
    options.add_argument("--gateway", type=float, default=usual.gateway, help="its CPU seconds each (%(default)s)")
    options.add_argument("--machine", type=float, default=usual.machine, help="a player's, likewise (%(default)s)")
    options.add_argument("--under-way", type=at_least_one, default=usual.under_way, help="questions per machine")
    options.add_argument("--processors", type=at_least_one, default=usual.processors, help="processors per machine")
    options.add_argument("--per-minute", type=float, default=0.0, help="rate limit of the model; 0 for none")
    options.add_argument("--bytes", type=float, default=usual.bytes, help="bytes of a question (%(default)s)")
    arguments = options.parse_args()
    costs = Costs(**{name: getattr(arguments, name) for name in Costs.__dataclass_fields__})
    print("SIMULATED from measured costs; nothing was asked")
    for line in lines(arguments.gateways, costs):
        print(line)


if __name__ == "__main__":
    main()
