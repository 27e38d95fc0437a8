"""Compute the published ViPlan tables again from recorded runs.

    python -m evals.viplan_recorded --help

The command lives in `evals/viplan/recorded`, with the rest of ViPlan.
"""

from __future__ import annotations

import sys

from evals.run.pipes import quietly
from evals.viplan.recorded.command import main

if __name__ == "__main__":
    sys.exit(quietly(main))
