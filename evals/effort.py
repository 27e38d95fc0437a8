"""What success took: questions, refused attempts and replans beside it, over all runs of a folder.

    python -m evals.effort RUN… [--csv OUT]

`examples/belief.toml` is a sweep that it was made for. Runs that differ in their seed or split only are taken together.
Questions are told per solved task: what a method asks in vain counts too.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from evals.pipes import quietly
from evals.rows import write_rows

if TYPE_CHECKING:
    from evals.results import EpisodeResult

DESCRIPTION = """\
Success with its standard error, and what it took: questions and proposals per solved task (in vain ones included),
attempts that the world refused and replans per episode. A row for each agent, model, condition and split; runs with
other seeds are taken together.
"""
CONDITIONS = (
    *("rerun", "fail_probability", "control", "rules", "planner", "renderer", "steps", "limit"),
    *("problems", "viplan_root", "env_url"),
)
"""Settings that make runs differ in kind."""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one method took in one split. Per solved task is None where nothing was solved.

    The error of the success is that of the problems: playing one again with another seed makes it no two.
    """

    domain: str
    model: str
    condition: str
    agent: str
    split: str
    seeds: int
    n: int
    success: float
    sem: float | None
    questions_per_solved: float | None
    proposals_per_solved: float | None
    illegal: float
    replans: float


def efforts(paths: Iterable[Path]) -> list[Effort]:
    """The efforts of all runs at the paths; `Unusable` if there are none, `RunError` if one cannot be read."""
    from evals.comparison.arms import in_order
    from evals.comparison.own import every_run, settings_of, stratum_of
    from evals.run_directory import RunDirectory

    groups: dict[tuple[str, str, str, str], dict[tuple[str, str], list[tuple[int, EpisodeResult]]]] = {}
    for folder in every_run(paths):
        run = RunDirectory.open(folder)
        settings = settings_of(run.config)
        for result in run.results():
            domain, split = stratum_of(result, settings)
            key = domain, str(settings["model"]), _condition(settings), str(settings["agent"])
            played = groups.setdefault(key, {}).setdefault((domain, split), [])
            if result.scored:
                played.append((int(settings.get("seed", 0)), result))
    return [
        _effort(key, stratum[1], strata[stratum])
        for key, strata in sorted(groups.items(), key=lambda item: item[0][:3])
        for stratum in in_order(strata)
        if strata[stratum]
    ]


def _condition(settings: Mapping[str, Any]) -> str:
    from evals.table import USUAL

    told = ((name, settings.get(name, USUAL.get(name))) for name in CONDITIONS)
    return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in told if value != USUAL.get(name))


def _effort(key: tuple[str, str, str, str], split: str, played: Sequence[tuple[int, EpisodeResult]]) -> Effort:
    from evals.comparison.matrices import share_of
    from evals.scores import refused

    results = [result for _, result in played]
    problems: dict[str, list[bool]] = {}
    for result in results:
        problems.setdefault(result.problem, []).append(result.success)
    share = share_of(problems)
    n, solved = len(results), sum(result.success for result in results)
    domain, model, condition, agent = key
    return Effort(
        domain=domain,
        model=model,
        condition=condition,
        agent=agent,
        split=split,
        seeds=len({seed for seed, _ in played}),
        n=n,
        success=share.value if share else 0.0,
        sem=share.sem if share else None,
        questions_per_solved=sum(result.questions for result in results) / solved if solved else None,
        proposals_per_solved=sum(result.proposals for result in results) / solved if solved else None,
        illegal=sum(map(refused, results)) / n,
        replans=sum(result.replans for result in results) / n,
    )


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit code."""
    arguments = _parser().parse_args(argv)
    from evals.comparison.arms import Unusable
    from evals.run_directory import RunError

    try:
        found = efforts(arguments.runs)
        if arguments.csv:
            write_rows(arguments.csv, [asdict(effort) for effort in found], list(Effort.__dataclass_fields__))
    except (OSError, ValueError, Unusable, RunError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    if arguments.json:
        print(json.dumps([asdict(effort) for effort in found]))
    elif arguments.markdown:
        print("\n".join(_markdown(found)))
    else:
        _print(found)
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m evals.effort",
        description=DESCRIPTION,
        epilog="exit code: 0 all well, 2 the input cannot be used",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directories, or folders of them")
    parser.add_argument("--csv", type=Path, metavar="OUT", help="write the figures to a file")
    parser.add_argument("--markdown", action="store_true", help="print tables for a page: a row for each agent")
    parser.add_argument("--json", action="store_true", help="print one JSON list and nothing else on stdout")
    return parser


HEADINGS = ("success ± SEM", "questions", "proposals", "illegal", "replans")


def _cells(effort: Effort) -> list[str]:
    asked, proposed = ("–" if value is None else f"{value:,.0f}" for value in _per_solved(effort))
    return [
        f"{effort.success:.2f}" + ("" if effort.sem is None else f" ± {effort.sem:.2f}"),
        asked,
        proposed,
        f"{effort.illegal:.2f}",
        f"{effort.replans:.1f}",
    ]


def _per_solved(effort: Effort) -> tuple[float | None, float | None]:
    return effort.questions_per_solved, effort.proposals_per_solved


def _print(found: Sequence[Effort]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    console = Console(width=None if sys.stdout.isatty() else 110)
    for heading, group in _by_heading(found):
        table = Table(title=heading, title_justify="left", box=box.SIMPLE_HEAD, padding=(0, 1))
        for name in ("agent", "split"):
            table.add_column(name, no_wrap=True)
        for name in ("n", *HEADINGS):
            table.add_column(name, justify="right", no_wrap=True)
        for agent in dict.fromkeys(effort.agent for effort in group):
            for effort in (one for one in group if one.agent == agent):
                table.add_row(effort.agent, effort.split, str(effort.n), *_cells(effort))
            table.add_section()
        console.print(table)
    console.print("questions and proposals: per solved task; illegal and replans: per episode", highlight=False)


def _markdown(found: Sequence[Effort]) -> Iterator[str]:
    for heading, group in _by_heading(found):
        splits = list(dict.fromkeys(effort.split for effort in group))
        yield f"**{heading}** ({' / '.join(splits)})\n"
        yield "| agent | success | questions per solved task | refused per episode |"
        yield "| --- | --- | --- | --- |"
        for agent in dict.fromkeys(effort.agent for effort in group):
            rows = {effort.split: effort for effort in group if effort.agent == agent}
            cells = [[_cells(rows[split])[place] if split in rows else "–" for split in splits] for place in (0, 1, 3)]
            success = [cell.partition(" ")[0] for cell in cells[0]]
            yield f"| `{agent}` | {' / '.join(success)} | {' / '.join(cells[1])} | {' / '.join(cells[2])} |"
        yield ""


def _by_heading(found: Sequence[Effort]) -> Iterator[tuple[str, list[Effort]]]:
    headings = dict.fromkeys((effort.domain, effort.model, effort.condition) for effort in found)
    for key in headings:
        group = [effort for effort in found if (effort.domain, effort.model, effort.condition) == key]
        seeds = max(effort.seeds for effort in group)
        parts = [part for part in key if part]
        yield ", ".join([*parts, f"{seeds} seeds" if seeds > 1 else "1 seed"]), group


if __name__ == "__main__":
    sys.exit(quietly(main))
