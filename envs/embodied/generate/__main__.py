"""Generate the tasks of the embodied world, or check the frozen ones.

    python -m envs.embodied.generate --out tasks.json
    python -m envs.embodied.generate --check

The same seed gives the same bytes. `--check` plays the shortest solution of every frozen task and checks again what the
filters guarantee.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path


def main(argv: Sequence[str] | None = None) -> int:
    """Generate or check."""
    parser = argparse.ArgumentParser(prog="python -m envs.embodied.generate", description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=Path, help="file to write the tasks to")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives other tasks (default: %(default)s)")
    parser.add_argument("--scenes", type=int, default=0, metavar="N", help="use only N scenes; 0 for all")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="processes (default: %(default)s)")
    parser.add_argument(
        "--work", type=Path, metavar="DIR", help="keep the results of each scene, to continue a stopped run"
    )
    parser.add_argument("--check", action="store_true", help="check the frozen tasks")
    options = parser.parse_args(argv)
    if options.check:
        from envs.embodied.generate.check import check

        return check(options.jobs)
    if options.out is None:
        parser.error("give a file to write the tasks to with --out, or check the frozen ones with --check")
    from envs.embodied.generate.build import generate
    from envs.embodied.tasks import write

    found = generate(options.seed, options.scenes, options.jobs, options.work)
    write(options.out, found)
    sys.stdout.write(f"{len(found)} tasks in {len({task.scene for task in found})} scenes: {options.out}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
