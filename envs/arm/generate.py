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
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from itertools import count as numbers
from pathlib import Path
from typing import TYPE_CHECKING

from envs.arm.recipes import CONFIGURATIONS, PUBLISHED, load, written
from planners.files import Unreadable

if TYPE_CHECKING:
    from envs.arm.recipes import Recipe
    from envs.arm.sets import Configuration, Options

CORE = 60
"""Questions of each configuration in the core set."""
FROZEN = 16
"""The seed of the core set."""
_BATCH = 16
"""Drafts that are tried at a time."""


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
        make(chosen, options.seed, options.out, options.counts, options.workers)
    except Unreadable as error:
        parser.error(str(error))
    except OSError as error:
        parser.error(f"{error.filename or options.out} cannot be written: {error.strerror or error}")
    return 0


def make(chosen: Iterable[Configuration], seed: int, out: Path, counts: str, workers: int) -> None:
    """Write a set of questions, configuration by configuration."""
    parts = out / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    made: list[Recipe] = []
    dropped: dict[str, dict[str, int]] = {}
    for one in chosen:
        name, wanted = "-".join(one), _count(one, counts)
        file, log = parts / f"{name}-{seed}-{wanted}.jsonl.gz", parts / f"{name}-{seed}-{wanted}.json"
        if not (file.exists() and log.exists()):
            recipes, tally = configuration(one, seed, wanted, workers)
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


def configuration(one: Configuration, seed: int, wanted: int, workers: int = 1) -> tuple[list[Recipe], Counter[str]]:
    """The questions of one configuration, and what happened to the drafts."""
    from envs.arm.sets import Options, attempt, mixed, questions

    source, level, direction = one
    found: list[Options] = []
    tally: Counter[str] = Counter()
    with ExitStack() as stack:
        tried = partial(attempt, source, level, mixed(seed, direction))
        for result in _results(tried, workers, stack):
            tally["passed" if isinstance(result, Options) else result] += 1
            if isinstance(result, Options):
                found.append(result)
                if len(found) == wanted:
                    break
    return questions(one, seed, found), tally


def _results(tried: Callable[[int], Options | str], workers: int, stack: ExitStack) -> Iterator[Options | str]:
    """The results of drafts 0, 1, 2… in order."""
    if workers < 2:
        yield from map(tried, numbers())
        return
    import multiprocessing

    pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(workers))
    for start in numbers(0, _BATCH * workers):
        yield from pool.imap(tried, range(start, start + _BATCH * workers))


if __name__ == "__main__":
    sys.exit(main())
