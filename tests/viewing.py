"""A run of real episodes to look at, for the tests of the viewer: one of each kind of trouble, and hostile words."""

from __future__ import annotations

from pathlib import Path

from agents.registry import find_agent
from evals.judges.symbolic import JUDGING
from evals.run.directory import FORMAT, RunDirectory
from evals.run.episodes import Episode
from evals.run.results import EpisodeResult
from evals.run.runner import Setup
from evals.run.trace import Record
from models.base import Model
from models.oracle import load as oracle
from models.scripted import Scripted, always
from planners.formula import Atom
from planners.outcome import Planner
from planners.task import Step
from tests import playing
from tests.handy import Handy, Solver
from tests.playing import liar, play
from tests.small_home import SmallHome
from tests.small_worlds import blocksworld, problem

HOSTILE = '<script>document.title = "owned"</script><img src=x onerror=alert(1)>\u2028\'"\\ </script>'
LONG = "Let me think about it. " * 2000 + "<answer>Yes</answer>"
CONFIG = {
    "benchmark": "viplan",
    "settings": {"agent": "ground", "model": "scripted:<b>bold</b>", "domain": "blocksworld", "seed": 7, "limit": None},
    "versions": {"python": "3.11"},
    "fingerprints": {"prompts": {"yes_no": "abc123"}, "scorer": "1"},
    "started": "2026-01-01T12:00:00+00:00",
    "command": "python -m evals.viplan --seed 7",
    "simulated": True,
    "looks": False,
    "format": FORMAT,
    "judging": JUDGING.as_json(),
    "splits": ["simple", "medium", "hard"],
}


class Slip:
    """The first move goes nowhere."""

    def __init__(self) -> None:
        self.moves = 0

    def __call__(self, move: Step, world: object) -> Step | None:
        self.moves += 1
        return None if self.moves == 1 else move


def misled(atom: Atom, true: bool, request: object) -> bool:
    """Never sees that the green block is clear."""
    return true != (str(atom) == "clear g")


def make_run(folder: Path, planner: Planner) -> RunDirectory:
    """Play the episodes and write them down."""
    run = RunDirectory.create(folder, CONFIG)
    planners = (planner, planner)
    plays = {
        "solved": play("ground", oracle("", {}), problem(split="simple"), planners, chance=Slip()),
        "blind": play("ground", Scripted(always("No")), problem(split="medium"), planners),
        "misled": play("ground", liar(misled), problem(split="hard"), planners, steps=3),
        "hostile": play("ground", Scripted(always(HOSTILE)), problem(split="hard"), planners),
        "wordy": play("ground_cot", Scripted(always(LONG)), problem(split="hard"), planners),
        "proposes": play("action", oracle("", {}), problem(split="medium"), planners),
        "calls": play("tools", Handy(oracle("", {}), Solver.for_world(blocksworld())), problem(), planners),
        "home": play_at_home(planner),
    }
    for name, (result, records) in plays.items():
        write_trace(run, name, records)
        run.append(result.model_copy(update={"id": name}))
    run.close()
    return run


def play_at_home(planner: Planner) -> tuple[EpisodeResult, list[Record]]:
    """An episode in a world that hides things, with eyes that do not see whether a container is open."""
    model = liar(lambda atom, true, request: true != (atom.predicate == "open"))
    return play_in(SmallHome(), "ground", model, planner)


def play_in(home: SmallHome, agent: str, model: Model, planner: Planner) -> tuple[EpisodeResult, list[Record]]:
    """An episode of twelve steps in a home."""
    setup = Setup(find_agent(agent), model, planner)
    return playing.play_in(home, setup, Episode("home", "simple", 0, 12, {"level": "simple"}), planner)


def write_trace(run: RunDirectory, id: str, records: list[Record]) -> None:
    """A trace as a run writes it."""
    lines = (record.model_dump_json(exclude_none=True) + "\n" for record in records)
    run.trace(id).write_text("".join(lines), encoding="utf-8")


class Going:
    """A live run: it holds its lock, and a test says how much it has of a finished run's episodes."""

    def __init__(self, folder: Path, finished: Path) -> None:
        self.finished = RunDirectory.open(finished)
        self.run = RunDirectory.create(
            folder, {**CONFIG, "started": "2026-01-02T12:00:00+00:00", "episodes": {"hard": 8}}
        )

    def grow(self, id: str, lines: int | None = None) -> None:
        """Write the first lines of an episode's trace, or all of it."""
        trace = self.finished.trace(id).read_bytes().splitlines(keepends=True)
        self.run.trace(id).write_bytes(b"".join(trace[:lines]))

    def finish(self, id: str) -> None:
        """An episode is over."""
        self.grow(id)
        self.run.append(next(result for result in self.finished.results() if result.id == id))

    def stop(self) -> None:
        """The run is over, or was killed."""
        self.run.close()
