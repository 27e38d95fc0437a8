"""The command of a benchmark by its name or its file, with pauses that a bench can wait for.

python -m benchmarks.faults.command tests/evals/tiny_benchmarks.py:QUESTIONS --agent answer --out runs/DIR
"""

from __future__ import annotations

import sys

import models.conduct
from evals.command import main_of
from evals.run.benchmarks import find_benchmark
from evals.run.pipes import quietly


def main() -> int:
    models.conduct.FIRST_PAUSE = 0.01
    return main_of(find_benchmark(sys.argv[1]), "", sys.argv[2:])


if __name__ == "__main__":
    sys.exit(quietly(main))
