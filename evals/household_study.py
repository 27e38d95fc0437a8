"""Play the household without an agent, and compare the rates with the recorded runs of the original.

    python -m evals.household_study --help

The command lives in `evals/viplan/homes`, with the rest of ViPlan.
"""

from __future__ import annotations

import sys

from evals.run.pipes import quietly
from evals.viplan.homes.command import main

if __name__ == "__main__":
    sys.exit(quietly(main))
