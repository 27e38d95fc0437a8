"""How errors compound: the share of problems solved against how many questions had to be answered right (figure 16).

Their number is counted by playing each problem once with perfect answers. The expected success with independent errors
is the accuracy to the power of that number.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from envs.pictures import PictureStore
from evals.compare.arms import COT, Arm, Part, Stratum, Unusable
from evals.compare.own import stratum_of
from evals.run.equipment import Equipment
from evals.run.prepare import BadInput, as_bad_input, list_episodes, make_setup
from evals.run.results import score_episode
from evals.run.runner import model_for, play_episode
from evals.run.settings import Running
from evals.run.statistics import Interval, wilson
from evals.run.trace import Recorder
from evals.viplan.benchmark import BENCHMARK
from evals.viplan.comparison.recorded import SOURCE
from evals.viplan.settings import ViPlanSettings
from models.recorded.checkout import problems_beside
from models.recorded.reading import RecordError

BINS = 8
CHANCE = frozenset({"seed", "fail_probability", "rerun", "control", "repeats", "temperature", "env_url", "benchmark"})
"""Settings that do not affect the questions to a perfect model, or must not be used."""
Needed: TypeAlias = Mapping[tuple[Stratum, str], int]
"""The number of questions to a perfect model, by problem."""


@dataclass(frozen=True, slots=True)
class Point:
    """A group of problems with similar numbers of questions, and their success."""

    least: int
    most: int
    needed: float
    problems: int
    solved: float
    interval: Interval
    independent: float | None


@dataclass(frozen=True)
class Curve:
    """An arm's points, from few questions to many, and its accuracy per answer."""

    arm: Arm
    accuracy: float | None
    points: tuple[Point, ...]


def curves(arms: Sequence[Arm], problems: Path | None, say: Callable[[str], None]) -> list[Curve]:
    """The curves of all arms that ask questions."""
    counts: dict[str, Needed] = {}
    found = []
    for arm in arms:
        if not arm.asks:
            continue
        if ".py" in str(arm.parts[0].settings.get("agent")):
            say(f"no curve for {arm.label}: code that only a run names is not loaded")
            continue
        key = str(_conditions(arm.parts, problems))
        if key not in counts:
            say(f"playing {arm.method} with perfect answers, to count the questions")
            try:
                with as_bad_input():
                    counts[key] = needed_questions(arm.parts, problems)
            except BadInput as error:
                raise Unusable(f"--curve: {arm.label} cannot be played with perfect answers: {error}") from None
        found.append(_curve(arm, counts[key]))
    return [curve for curve in found if curve.points]


def needed_questions(parts: Sequence[Part], problems: Path | None) -> Needed:
    """How many questions each problem takes if every answer is right."""
    found: dict[tuple[Stratum, str], int] = {}
    for settings in _conditions(parts, problems):
        equipment = Equipment()
        try:
            found |= asyncio.run(_counted(ViPlanSettings(**settings), equipment))
        finally:
            equipment.close()
    return found


def _conditions(parts: Sequence[Part], problems: Path | None) -> list[dict[str, Any]]:
    """The distinct settings to play; slips and seeds do not affect the necessary questions."""
    wanted: list[dict[str, Any]] = []
    for part in parts:
        settings = {name: value for name, value in part.settings.items() if name not in CHANCE}
        if settings.pop("source", None) == SOURCE:
            settings |= {"domain": "blocksworld", "problems": str(problems or _beside(Path(part.path)))}
        # With perfect answers, chain of thought leads to the same questions.
        settings |= {"model": "oracle", "seed": 0, "agent": str(settings["agent"]).removesuffix(COT)}
        if settings not in wanted:
            wanted.append(settings)
    return wanted


def _beside(path: Path) -> Path:
    try:
        return problems_beside(path)
    except RecordError as error:
        raise Unusable(str(error)) from None


async def _counted(settings: ViPlanSettings, equipment: Equipment) -> dict[tuple[Stratum, str], int]:
    setup = make_setup(BENCHMARK, settings, Running(), equipment)
    found = {}
    for episode in list_episodes(BENCHMARK, settings, setup.agent):
        task, judge = setup.open(episode, PictureStore())
        recorder = Recorder(None, judge)
        await play_episode(setup, episode, task, judge, model_for(setup, episode, judge), recorder)
        result = score_episode(episode, judge, recorder.records)
        if not result.scored:
            raise Unusable(f"--curve: {result.problem} could not be played with perfect answers: {result.detail}")
        # A problem that perfect answers do not solve has no such number.
        if result.success:
            found[stratum_of(result, {}), result.problem] = result.count("questions")
    return found


def _curve(arm: Arm, needed: Needed) -> Curve:
    outcomes: defaultdict[tuple[Stratum, str], list[bool]] = defaultdict(list)
    for played in arm.played:
        if played.success is not None and (played.stratum, played.problem) in needed:
            outcomes[played.stratum, played.problem].append(played.success)
    counts = [played.answers() for played in arm.played if (played.stratum, played.problem) in needed]
    asked, right = (sum(count) for count in zip(*counts, strict=True)) if counts else (0, 0)
    accuracy = right / asked if asked else None
    ordered = sorted(outcomes, key=lambda problem: needed[problem])
    points = [_point([(needed[key], outcomes[key]) for key in group], accuracy) for group in _bins(ordered, needed)]
    return Curve(arm, accuracy, tuple(points))


def _bins(ordered: Sequence[tuple[Stratum, str]], needed: Needed) -> list[list[tuple[Stratum, str]]]:
    """Groups of similar size; problems with equal numbers stay together."""
    size = max(1, -(-len(ordered) // BINS))
    groups: list[list[tuple[Stratum, str]]] = []
    for problem in ordered:
        full = groups and len(groups[-1]) >= size and needed[groups[-1][-1]] != needed[problem]
        if not groups or full:
            groups.append([])
        groups[-1].append(problem)
    if len(groups) > 1 and 2 * len(groups[-1]) < size:
        last = groups.pop()
        groups[-1] += last
    return groups


def _point(group: Sequence[tuple[int, Sequence[bool]]], accuracy: float | None) -> Point:
    counts = [count for count, _ in group]
    solved, trials = sum(map(sum, (done for _, done in group))), sum(len(done) for _, done in group)
    expected = None if accuracy is None else sum(accuracy**count for count in counts) / len(counts)
    return Point(
        counts[0], counts[-1], sum(counts) / len(counts), len(group), solved / trials, wilson(solved, trials), expected
    )
