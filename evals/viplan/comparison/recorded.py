"""Recorded runs of the original as parts of arms, to compare our runs with the published ones.

Two kinds of folder are read: a checkout of the original with its `results/final`, and a folder that holds the same
records in two files, `answers.jsonl.gz` and `episodes.jsonl.gz`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from evals.compare.arms import Part, Played, Unusable
from evals.compare.courses import Asking, Doing, Moment
from evals.judges.symbolic import JUDGING
from evals.viplan.settings import ViPlanSettings
from evals.viplan.splits import SPLITS
from models.recorded.checkout import DOMAINS, Checkout, RunFile, model_name, open_checkout
from models.recorded.packed import ANSWERS, EPISODES, lines_of
from models.recorded.reading import RecordError
from models.recorded.records import Answer, Attempt, GrounderEpisode, PlannerEpisode, RecordedRun

SOURCE = "recorded"
WORLDS = {"BW": "blocksworld", "HH": "household"}
UNKNOWN = "unknown action"
PHASES = {"init": "enumeration", "replan": "enumeration", "pre": "precondition", "eff": "effect"}


def is_recorded(path: Path) -> bool:
    """Whether a folder holds records of the original."""
    if (path / EPISODES).is_file():
        return True
    roots = (path / "results" / "final", path / "final", path)
    return any((root / domain).is_dir() for root in roots for domain in DOMAINS)


def read_parts(path: Path) -> list[Part]:
    """The recorded runs in a folder, one part for each model, method and setting."""
    try:
        return _from_files(path) if (path / EPISODES).is_file() else _from_checkout(open_checkout(path), path)
    except (RecordError, OSError, EOFError, ValueError, KeyError, TypeError) as error:
        reason = str(error) if isinstance(error, RecordError) else f"{path}: cannot be read: {error}"
        raise Unusable(reason) from error


def _part(method: str, cot: bool, fail: float, model: str, played: Iterable[Played], path: Path) -> Part:
    listed = tuple(played)
    settings = {
        "benchmark": "viplan",
        "agent": f"{method}{'_cot' if cot else ''}",
        "model": model_name(model),
        "rules": "official",
        "fail_probability": fail,
        "source": SOURCE,
    }
    # The scorer is ours: both decide success by the true state. Prompts are not recorded.
    return Part(
        f"{path.name}, {model}",
        settings,
        {},
        listed,
        len(listed),
        path=str(path),
        splits=SPLITS,
        judging=JUDGING,
        usual=ViPlanSettings().model_dump(mode="json"),
    )


# A checkout


def _from_checkout(checkout: Checkout, path: Path) -> list[Part]:
    groups: defaultdict[tuple[str, bool, float, str], list[RunFile]] = defaultdict(list)
    for file in checkout.files:
        setting = file.setting
        groups[setting.method, setting.cot, setting.fail, setting.model].append(file)
    return [_part(*key, _played_in(files), path) for key, files in groups.items()]


def _played_in(files: Iterable[RunFile]) -> Iterator[Played]:
    for file in files:
        run = _Reread(file)
        for episode in run.read.episodes:
            answers = list(episode.answers()) if isinstance(episode, GrounderEpisode) else []
            counts = len(answers), sum(answer.right for answer in answers)
            yield Played(
                domain=WORLDS[file.setting.domain],
                split=file.setting.split,
                problem=episode.problem,
                seed=0,
                success=episode.solved,
                asks=isinstance(episode, GrounderEpisode),
                answers=partial(_given, counts),
                course=partial(run.course, episode.problem),
            )


def _given(counts: tuple[int, int]) -> tuple[int, int]:
    return counts


class _Reread:
    """A file that is reread on demand for the course of an episode, to save memory."""

    def __init__(self, file: RunFile) -> None:
        self._file = file

    @property
    def read(self) -> RecordedRun:
        return self._file.read()

    @cached_property
    def _courses(self) -> dict[str, list[Moment]]:
        return {
            episode.problem: grounder_course(episode)
            if isinstance(episode, GrounderEpisode)
            else planner_course(episode)
            for episode in self.read.episodes
        }

    def course(self, problem: str) -> list[Moment]:
        return self._courses[problem]


def grounder_course(episode: GrounderEpisode) -> list[Moment]:
    """The course of a grounder episode."""
    moments: list[Moment] = []
    if episode.initial is not None:
        moments.append(_asking(0, episode.initial.answers.values()))
    waiting = list(episode.replans)
    for number, attempt in enumerate(episode.attempts):
        moments += _attempt_moments(number, attempt)
        while waiting and waiting[0].step <= number + 1:
            moments.append(_asking(number + 1, waiting.pop(0).enumeration.answers.values()))
    return moments + [_asking(len(episode.attempts), replan.enumeration.answers.values()) for replan in waiting]


def _attempt_moments(number: int, attempt: Attempt) -> Iterator[Moment]:
    if attempt.preconditions:
        yield _asking(number, attempt.preconditions)
    yield _doing(number, attempt.action, attempt.info)
    if attempt.effects:
        yield _asking(number + 1, attempt.effects)


def _asking(step: int, answers: Iterable[Answer]) -> Asking:
    listed = list(answers)
    phase = str(listed[0].phase) if listed else "enumeration"
    given = {answer.atom: answer.value for answer in listed}
    return Asking(step, phase, given, {answer.atom: answer.truth for answer in listed})


def _doing(step: int, action: str, info: str | None) -> Doing:
    if info is None:
        return Doing(step, action, "called off", False)
    return Doing(step, action, info, info != "not legal")


def planner_course(episode: PlannerEpisode) -> list[Moment]:
    """The course of a planner episode: its attempts."""
    return [
        Doing(number, step.action or UNKNOWN, step.fed_back or "unreadable", step.success)
        for number, step in enumerate(episode.steps)
    ]


# The two files


def _from_files(path: Path) -> list[Part]:
    answers = _Answers(path / ANSWERS)
    groups: defaultdict[tuple[str, bool, float, str], list[Played]] = defaultdict(list)
    for episode in lines_of(path / EPISODES):
        method, cot = episode["method"].lower(), episode["cot"] == "yes"
        groups[method, cot, float(episode["fail"]), episode["model"]].append(_played_line(episode, answers))
    return [_part(*key, played, path) for key, played in groups.items()]


def _played_line(episode: Mapping[str, Any], answers: _Answers) -> Played:
    asks = episode["method"] == "Ground"
    key = tuple(episode[name] for name in _Answers.KEY)
    return Played(
        domain=WORLDS[episode["domain"]],
        split=episode["split"],
        problem=episode["problem"],
        seed=0,
        success=bool(episode["success"]),
        asks=asks,
        answers=partial(answers.counts, key) if asks else partial(_given, (0, 0)),
        course=partial(answers.course, key, episode["actions"]) if asks else partial(_line_course, episode["actions"]),
    )


def _line_course(actions: Iterable[Mapping[str, Any]]) -> list[Moment]:
    return [
        Doing(number, action["a"] or UNKNOWN, action.get("info") or "not executed", bool(action["ok"]))
        for number, action in enumerate(actions)
    ]


class _Answers:
    """The file of answers, read on first use, which takes seconds."""

    KEY = ("domain", "split", "cot", "fail", "model", "problem")

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def _by_episode(self) -> dict[tuple[str, ...], dict[tuple[str, int], list[tuple[str, bool | None, bool | None]]]]:
        rows = lines_of(self._path)
        place = {name: number for number, name in enumerate(next(rows)["fields"])}
        key_places = [place[name] for name in self.KEY]
        predicate, args, given, true = (place[name] for name in ("predicate", "args", "answer", "truth"))
        phase, step = place["phase"], place["step"]
        found: dict[tuple[str, ...], dict[tuple[str, int], list[tuple[str, bool | None, bool | None]]]] = {}
        for row in rows:
            episode = found.setdefault(tuple(row[number] for number in key_places), {})
            atom = f"{row[predicate]} {row[args]}" if row[args] else row[predicate]
            answer = {"y": True, "n": False}.get(row[given])
            truth = None if row[true] is None else bool(row[true])
            episode.setdefault((row[phase], row[step]), []).append((atom, answer, truth))
        return found

    def counts(self, key: tuple[str, ...]) -> tuple[int, int]:
        """The number of questions of an episode, and of right answers."""
        asked = [answer for batch in self._by_episode.get(key, {}).values() for answer in batch]
        return len(asked), sum(given is not None and given == true for _, given, true in asked)

    def course(self, key: tuple[str, ...], actions: Iterable[Mapping[str, Any]]) -> list[Moment]:
        """The course of one episode."""
        asked = self._by_episode.get(key, {})
        moments = list(_batch(asked, "init", 0, 0))
        number = 0
        for number, action in enumerate(actions, 1):
            moments += _batch(asked, "pre", number - 1, number - 1)
            moments.append(_doing(number - 1, action["a"], action.get("info")))
            moments += _batch(asked, "eff", number - 1, number)
            moments += _batch(asked, "replan", number, number)
        return moments if number else [*moments, *_batch(asked, "replan", 0, 0)]


def _batch(
    asked: Mapping[tuple[str, int], list[tuple[str, bool | None, bool | None]]], phase: str, written: int, step: int
) -> Iterator[Moment]:
    answers = asked.get((phase, written))
    if answers:
        given = {atom: answer for atom, answer, _ in answers}
        yield Asking(step, PHASES[phase], given, {atom: true for atom, _, true in answers})
