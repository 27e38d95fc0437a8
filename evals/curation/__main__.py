"""Make questions about pictures with a writer, a judge and a reviser.

    python -m evals.curation IMAGES --generator openai:gpt-4o --judge openai:gpt-4.1 --reviser openai:gpt-4o
    python -m evals.curation --task exam --judge openai:gpt-4.1
    python -m evals.curation exam runs/A runs/B --people people/curation.jsonl
    python -m evals.curation publish runs/A --out dataset

`python -m evals.erqa_diagnostic build` is the same command.
"""

from __future__ import annotations

import sys

from evals.curation.command import main
from evals.run.pipes import quietly

if __name__ == "__main__":
    sys.exit(quietly(main))
