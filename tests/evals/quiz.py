"""A tiny set of questions with pictures, for tests of what has to work without a world."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from envs.base import Question
from evals.judges.question import JUDGING, QuestionJudge
from evals.run.benchmark import Benchmark, Defaults, Supplies
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.run.settings import Running, Settings, option

COLOURS = ("red", "green", "blue", "yellow")


class QuizSettings(Settings):
    """What a user may choose for the quiz."""

    agent: str = option("answer", "an agent")
    model: str = option("scripted:A", "a model")
    questions: int = option(6, "how many questions", metavar="N", ge=1)


class Quiz(Defaults):
    """What colour is the picture? The right answers go round the four options."""

    name = "quiz"
    settings = QuizSettings

    def judging(self, settings: QuizSettings) -> Judging:
        return JUDGING

    def fingerprints(self, settings: QuizSettings) -> dict[str, str]:
        return {"questions": str(settings.questions)}

    def episodes(self, settings: QuizSettings) -> Sequence[Episode]:
        count = min(settings.questions, settings.limit or settings.questions)
        return [Episode(f"q{n:04}", "colours", n, 1, {"answer": COLOURS[n % 4]}) for n in range(count)]

    def open(self, episode: Episode, settings: QuizSettings, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        number = episode.seed
        picture = supplies.pictures.picture(f"{COLOURS[number % 4]} {number}", lambda: dot(number))
        question = Question(f"Picture {number}: which colour is it?", (picture,), COLOURS)
        return question, QuestionJudge(question, COLOURS[number % 4], {"colour": COLOURS[number % 4]})


def dot(number: int) -> bytes:
    """A picture of one pixel, unlike those of other numbers."""
    pixel = zlib.compress(b"\0" + number.to_bytes(3))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)), (b"IDAT", pixel), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def a_run(folder: Path, benchmark: Benchmark[Any] | None = None, **options: Any) -> RunDirectory:
    """A run that is over, without a report."""
    benchmark = benchmark or Quiz()
    prepared = prepare(benchmark, options_of({**options, "out": folder}, benchmark.settings, Running))
    with prepared.closing:
        run_until_done(play(prepared, lambda result: None))
    return RunDirectory.open(folder)
