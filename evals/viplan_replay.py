"""Play recorded Blocksworld runs of the original again, with its answers and our agents, and compare.

    python -m evals.viplan_replay --help

The command lives in `evals/viplan/replay`, with the rest of ViPlan.
"""

from __future__ import annotations

import sys

from evals.run.pipes import quietly
from evals.viplan.replay.command import main

if __name__ == "__main__":
    sys.exit(quietly(main))
