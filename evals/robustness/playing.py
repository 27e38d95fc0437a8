"""Play the variants of a run, one after the other, with one model and one budget."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents.registry import find_agent
from evals.judges.disturbed import without_paraphrase
from evals.report import write_report
from evals.robustness.variants import LOOKS, RENDERER, UNDISTURBED, WORDING, Variant, variants
from evals.run.benchmark import Benchmark
from evals.run.equipment import Equipment
from evals.run.options import chosen
from evals.run.playing import play
from evals.run.prepare import BadInput, Prepared, as_bad_input, prepare, terms_of
from evals.run.settings import Running
from planners.names import unknown


@dataclass(frozen=True)
class Played:
    """The runs of an experiment, the undisturbed one first, and why other variants could not be played."""

    undisturbed: Path
    runs: Mapping[str, Path]
    of: Mapping[str, str]
    impossible: Mapping[str, str]


def play_all(
    benchmark: Benchmark[Any],
    arguments: Mapping[str, Any],
    folder: Path,
    only: Sequence[str],
    notify: Callable[[str], None],
) -> Played:
    """Play the undisturbed run and its variants below a folder; runs that were begun are resumed."""
    if arguments.get("control"):
        raise BadInput("--control: the disturbances are controls themselves, so no other can be added")
    possible = variants(benchmark.settings, arguments.get(RENDERER))
    for name in only:
        if name not in [variant.name for variant in possible]:
            raise BadInput(str(unknown("disturbance", name, tuple(variant.name for variant in possible))))
    wanted = [variant for variant in possible if not only or variant.name in only]
    with as_bad_input(), closing(Equipment(terms_of(Running(**chosen(Running, arguments))))) as equipment:
        return asyncio.run(_played(benchmark, arguments, folder, wanted, equipment, notify))


async def _played(
    benchmark: Benchmark[Any],
    arguments: Mapping[str, Any],
    folder: Path,
    wanted: Sequence[Variant],
    equipment: Equipment,
    notify: Callable[[str], None],
) -> Played:
    runs: dict[str, Path] = {}
    impossible: dict[str, str] = {}
    try:
        base = _prepared(benchmark, arguments, folder / UNDISTURBED, equipment)
        looks, agent = base.setup.model.looks, find_agent(base.settings.agent)
        await _play(base, UNDISTURBED, notify)
        for variant in wanted:
            missing = without_paraphrase(agent.prompts) if variant.of == WORDING else []
            if variant.of == LOOKS and not looks:
                impossible[variant.name] = f"{base.settings.model} does not look at pictures"
                continue
            if variant.of == WORDING and (missing or not agent.prompts):
                what = f"no paraphrase of {', '.join(missing)}" if missing else "its prompts are not files"
                impossible[variant.name] = f"{what} (agents/prompts/paraphrases)"
                continue
            place = folder / variant.name.replace(" ", "-")
            try:
                prepared = _prepared(benchmark, {**arguments, **variant.options}, place, equipment)
            except (BadInput, ImportError, ValueError) as error:
                impossible[variant.name] = str(error)
                continue
            await _play(prepared, variant.name, notify)
            runs[variant.name] = place
    finally:
        await equipment.release_all()
    return Played(folder / UNDISTURBED, runs, {variant.name: variant.of for variant in wanted}, impossible)


def _prepared(benchmark: Benchmark[Any], arguments: Mapping[str, Any], place: Path, equipment: Equipment) -> Prepared:
    where = {"resume": place, "out": None} if (place / "run.json").exists() else {"out": place, "resume": None}
    return prepare(benchmark, {**arguments, **where}, equipment)


async def _play(prepared: Prepared, name: str, notify: Callable[[str], None]) -> None:
    with prepared.closing:
        notify(f"{name}: {len(prepared.episodes) - len(prepared.done)} of {len(prepared.episodes)} episodes to play")
        prepared.terms.notify = notify
        await play(prepared, lambda result: None, keep_model=True)
        write_report(prepared.run)
