"""Record one of our arms carrying out a skill: states, pictures and an instruction for every step.

python -m envs.arm.record --source bridge --skill put --seed 3 --out episodes
python -m envs.arm.record --source rt1 --skill open --film open.jpg
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from planners.files import Unreadable

VERBS = ("pick", "put", "take out", "push", "stack", "open", "close", "turn", "flip", "fold")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m envs.arm.record", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--source", choices=("bridge", "droid", "rt1"), default="bridge", help="the arm and its table")
    parser.add_argument("--skill", choices=VERBS, default="put", metavar="VERB", help=f"one of {', '.join(VERBS)}")
    parser.add_argument("--seed", type=int, default=0, help="another seed gives another scene (default: %(default)s)")
    parser.add_argument("--frames", type=int, default=4, help="frames between two waypoints (default: %(default)s)")
    parser.add_argument("--arm", type=Path, help="a MuJoCo model (MJCF) of another arm, in place of the source's own")
    parser.add_argument("--view", default="exo_1", help="the camera of the film strip (default: %(default)s)")
    parser.add_argument("--film", type=Path, help="write seven frames side by side to this JPEG file")
    parser.add_argument("--out", type=Path, help="write steps.jsonl and all pictures to a folder in this folder")
    options = parser.parse_args(arguments)
    if options.film is None and options.out is None:
        parser.error("name a folder with --out or a file with --film")
    if options.frames < 0:
        parser.error(f"--frames {options.frames}: 0 or more")
    try:
        return _record(options)
    except (Unreadable, ValueError) as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename} cannot be written: {error.strerror or error}")


def _record(options: argparse.Namespace) -> int:
    from envs.arm.episodes import episode, film, save
    from envs.arm.generate import arm_path
    from envs.arm.rollout import Impossible
    from envs.arm.scenes import VIEWS
    from planners.names import unknown

    if options.view not in VIEWS[options.source]:
        raise unknown("view", options.view, VIEWS[options.source])
    try:
        made = episode(options.source, options.skill, options.seed, frames=options.frames, arm=arm_path(options.arm))
    except Impossible as error:
        raise Unreadable(str(error)) from None
    if options.film is not None:
        options.film.write_bytes(film(made, options.view))
    if options.out is not None:
        sys.stdout.write(f"{save(made, options.out)}\n")
    sys.stdout.write(f"{made.instruction}: {len(made.frames)} frames\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
