"""Study the questions of ActionEQA themselves.

    python -m evals.actioneqa_study blind --sets 1000
    python -m evals.actioneqa_study tables published_tables.csv
    python -m evals.actioneqa_study agreement 115 120

The commands are in `evals/actioneqa/study`.
"""

from __future__ import annotations

import sys

from evals.actioneqa.study.command import main
from evals.run.pipes import quietly

if __name__ == "__main__":
    sys.exit(quietly(main))
