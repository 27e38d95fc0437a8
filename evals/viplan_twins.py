"""Learn the errors of simulated models from recorded answers, and check how such twins do beside the real models.

    python -m evals.viplan_twins --help

The command lives in `evals/viplan/twins`, with the rest of ViPlan.
"""

from __future__ import annotations

import sys

from evals.run.pipes import quietly
from evals.viplan.twins.command import main

if __name__ == "__main__":
    sys.exit(quietly(main))
