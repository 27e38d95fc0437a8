"""Progress of a run: counts what is scored, in the words of its tasks, with bars or lines."""

from __future__ import annotations

import io
import sys

import pytest

from evals.run.episodes import Episode
from evals.run.progress import Progress
from evals.run.results import EpisodeResult, unplayed
from models.budget import Budget


def episode(number: int, *, solved: bool = True, lost: bool = False) -> EpisodeResult:
    result = unplayed(Episode(f"e{number}", "simple"), "broke down")
    return result if lost else result.model_copy(update={"failure": None if solved else "parsing", "success": solved})


@pytest.mark.parametrize(("questions", "word"), [(False, "solved"), (True, "right")])
def test_tasks_are_solved_and_questions_answered_right(questions: bool, word: str) -> None:
    progress = Progress(4, [episode(0), episode(1, solved=False)], "run", questions=questions)
    progress.finished(episode(2))
    assert progress.so_far() == f"{word} 2/3, $0.00"


def test_what_was_not_scored_is_beside_it() -> None:
    budget = Budget()
    budget.cost = 0.5
    progress = Progress(9, [episode(0), episode(1, lost=True)], "run", budget)
    assert progress.so_far() == "solved 1/1, $0.50, 1 not scored"


def test_without_a_terminal_there_are_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with Progress(3, [episode(0)], "ground with [red]m[/red]") as progress:
        progress.finished(episode(1))
        progress.say("wait")
        progress.finished(episode(2))
    assert capsys.readouterr().err.splitlines() == [
        "ground with [red]m[/red]: 2 of 3 episodes to play",
        "wait",
        "3 of 3 episodes, solved 3/3, $0.00",
    ]


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_names_are_no_markup_in_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    said = Terminal()
    monkeypatch.setattr(sys, "stderr", said)
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setenv("TERM", "dumb")
    with Progress(2, [], "[red]m[/red]") as progress:
        progress.finished(episode(0))
        progress.say("[b]wait[/b]")
    assert "[red]m[/red]" in said.getvalue()
    assert "[b]wait[/b]" in said.getvalue()
    assert "solved 1/1, $0.00" in said.getvalue()
