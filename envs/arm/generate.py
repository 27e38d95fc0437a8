"""Make sets of questions about arms, or verify the frozen one.

    python -m envs.arm.generate --seed 1 --out mine
    python -m envs.arm.generate --seed 1 --out whole --counts published --workers 2
    python -m envs.arm.generate --check

Configurations that a killed command has finished are not made again. The same seed gives the same bytes, however many
workers there are.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from envs.arm.recipes import CONFIGURATIONS, PUBLISHED, Configuration, Level, Recipe, Source, load, written
from planners.files import Unreadable

CORE = 60
"""The number of questions of each configuration in the core set."""
FROZEN = 16
"""The seed of the core set."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(
        prog="python -m envs.arm.generate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--seed", type=int, default=FROZEN, help="another seed gives other questions (default: %(default)s)"
    )
    parser.add_argument("--out", type=Path, help="the folder that recipes.jsonl.gz and gates.json are written to")
    parser.add_argument(
        "--counts", default="core", help="core (60 of each configuration), published (8,795), or a number"
    )
    parser.add_argument("--only", default="", help='configurations with this in their name: "bridge-low", "ai"')
    parser.add_argument("--arm", type=Path, help="a MuJoCo model (MJCF) of another arm, in place of the source's own")
    parser.add_argument("--workers", type=int, default=1, help="processes that try drafts (default: %(default)s)")
    parser.add_argument("--check", action="store_true", help="verify the frozen set instead: every gate, every truth")
    parser.add_argument("--again", type=int, default=2, help="with --check: sets of each configuration to make again")
    options = parser.parse_args(arguments)
    if options.check:
        from envs.arm.check import check

        return check(options.only, options.again)
    if options.out is None:
        parser.error("name the folder for the set with --out, or verify the frozen set with --check")
    chosen = [one for one in CONFIGURATIONS if options.only in "-".join(one)]
    if not chosen:
        parser.error(f"no configuration has {options.only!r} in its name: {', '.join(map('-'.join, CONFIGURATIONS))}")
    if options.counts not in ("core", "published") and not (options.counts.isdecimal() and int(options.counts)):
        parser.error(f"--counts {options.counts}: core, published, or a number above 0")
    try:
        arm = arm_path(options.arm)
        make(chosen, options.seed, options.out, options.counts, options.workers, arm)
    except Unreadable as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename or options.out} cannot be written: {error.strerror or error}")
    return 0


def arm_path(file: Path | None) -> str:
    """The absolute path of an arm's file, after checking that it can be read; empty without a file."""
    if file is None:
        return ""
    from envs.arm.mjcf import arm_of_file

    arm_of_file(str(file.resolve()))
    return str(file.resolve())


def make(chosen: Iterable[Configuration], seed: int, out: Path, counts: str, workers: int, arm: str = "") -> None:
    """Write a set of questions, configuration by configuration."""
    from envs.arm.drafts import Drafts
    from envs.arm.sets import questions

    parts = out / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    made: list[Recipe] = []
    dropped: dict[str, dict[str, int]] = {}
    drafts: dict[tuple[Source, Level], Drafts] = {}
    for one in chosen:
        name, wanted = "-".join(one), _count(one, counts)
        file, log = parts / f"{name}-{seed}-{wanted}.jsonl.gz", parts / f"{name}-{seed}-{wanted}.json"
        if not (file.exists() and log.exists()):
            if one[:2] not in drafts:
                drafts[one[:2]] = Drafts(one[0], one[1], seed, workers, arm)
            sets, tally = drafts[one[:2]].sets(wanted)
            recipes = questions(one, seed, sets)
            log.write_text(json.dumps(dict(tally.most_common())))
            file.write_bytes(written(recipes))
        made += load(file)
        dropped[name] = json.loads(log.read_text())
        sys.stderr.write(f"{name}: {wanted} questions from {sum(dropped[name].values())} drafts\n")
    (out / "recipes.jsonl.gz").write_bytes(written(made))
    (out / "gates.json").write_text(json.dumps(dropped, indent=1) + "\n")


def _count(one: Configuration, counts: str) -> int:
    if counts == "published":
        return PUBLISHED[one]
    return CORE if counts == "core" else int(counts)


if __name__ == "__main__":
    sys.exit(main())
