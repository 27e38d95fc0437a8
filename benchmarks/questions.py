"""CPU time of a question besides the model: our engine and inspect-ai's, on the same questions.

    python -m benchmarks.questions [QUESTIONS]

Every question has four options and its own picture, and the model answers A at once. Both write everything to disk as
in a real run: ours traces, prompts, pictures and cached answers, inspect-ai its logs. Prints CPU seconds per question,
and the peak memory with a fifth of the questions and with all. Each measurement is a separate process; imports and a
few warm-up questions are excluded.
"""

from __future__ import annotations

import importlib.util
import json
import resource
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.options import at_least_one, parser
from envs.base import Question
from evals.judges.question import JUDGING, QuestionJudge
from evals.run.benchmark import Defaults, Supplies
from evals.run.episodes import Episode
from evals.run.equipment import Equipment
from evals.run.judging import Judging
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare, terms_of
from evals.run.settings import Running, Settings, option

OPTIONS = ("a cup", "a box", "a lamp", "a chair")
LETTERS = "ABCD"
WARM_UP = 20


class Answered(NamedTuple):
    """The number of right answers, CPU seconds, and peak memory in megabytes."""

    right: int
    seconds: float
    megabytes: float


class PileSettings(Settings):
    """The folder of pictures, and the number of questions."""

    folder: str = option("", "the folder of the pictures")
    questions: int = option(WARM_UP, "how many questions", ge=1)


class Pile(Defaults):
    """Questions with one picture each."""

    name = "pile"
    settings = PileSettings

    def judging(self, settings: PileSettings) -> Judging:
        return JUDGING

    def fingerprints(self, settings: PileSettings) -> dict[str, str]:
        return {}

    def episodes(self, settings: PileSettings) -> Sequence[Episode]:
        return [Episode(f"q{number:05}", "all", number) for number in range(settings.questions)]

    def open(self, episode: Episode, settings: PileSettings, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        file = Path(settings.folder) / f"{episode.seed}.png"
        picture = supplies.pictures.picture(file.name, file.read_bytes)
        question = Question(text(episode.seed), (picture,), OPTIONS)
        return question, QuestionJudge(question, OPTIONS[episode.seed % 4])


def text(number: int) -> str:
    return f"Picture {number} shows a part of a room. Which of these stands closest to the camera?"


def dot(number: int) -> bytes:
    """A picture of eight by eight pixels, unique for a number."""
    rows = b"".join(b"\0" + number.to_bytes(3) * 8 for _ in range(8))
    parts = ((b"IHDR", struct.pack(">IIBBBBB", 8, 8, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(rows)), (b"IEND", b""))
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def ours(pictures: Path, out: Path, questions: int) -> int:
    """The number of right answers of a run of ours, without the report."""
    chosen = {"folder": str(pictures), "questions": questions, "agent": "answer", "model": "scripted:A"}
    arguments = options_of({**chosen, "out": out, "pictures": True}, PileSettings, Running)
    equipment = Equipment(terms_of(Running()))
    model: Any = equipment.model("scripted:A")
    model.cacheable = True  # scripted models are not cached by default, real ones are
    prepared = prepare(Pile(), arguments, equipment)
    right = 0

    def count(result: Any) -> None:
        nonlocal right
        right += result.success

    with prepared.closing:
        run_until_done(play(prepared, count))
    return right


def inspect(pictures: Path, out: Path, questions: int) -> int:
    """The number of right answers with inspect-ai's multiple-choice solver and choice scorer."""
    from inspect_ai import Task
    from inspect_ai import eval as evaluate
    from inspect_ai.dataset import MemoryDataset, Sample
    from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, ModelOutput, ModelUsage, get_model
    from inspect_ai.scorer import choice
    from inspect_ai.solver import multiple_choice

    def replies() -> Iterator[ModelOutput]:
        while True:
            output = ModelOutput.from_content("mockllm/model", "ANSWER: A")
            output.usage = ModelUsage(input_tokens=100, output_tokens=3, total_tokens=103)  # token counting is slow
            yield output

    samples = [
        Sample(
            id=number,
            input=[
                ChatMessageUser(
                    content=[ContentImage(image=str(pictures / f"{number}.png")), ContentText(text=text(number))]
                )
            ],
            choices=list(OPTIONS),
            target=LETTERS[number % 4],
        )
        for number in range(questions)
    ]
    task = Task(dataset=MemoryDataset(samples), solver=multiple_choice(), scorer=choice())
    model = get_model("mockllm/model", custom_outputs=replies())
    (log,) = evaluate(task, model=model, display="none", log_dir=str(out), log_level="error")
    assert log.status == "success", log.error
    assert log.results
    return round(log.results.scores[0].metrics["accuracy"].value * questions)


SIDES: dict[str, Callable[[Path, Path, int], int]] = {"ours": ours, "inspect": inspect}


def measure(side: str, pictures: Path, questions: int) -> Answered:
    """Measure one side in this process."""
    with tempfile.TemporaryDirectory() as folder:
        SIDES[side](pictures, Path(folder) / "warm", WARM_UP)
        before = time.process_time()
        right = SIDES[side](pictures, Path(folder) / "run", questions)
        seconds = time.process_time() - before
    return Answered(right, seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)


def measured(side: str, pictures: Path, questions: int) -> Answered:
    """Measure one side in a separate process."""
    words = [sys.executable, "-m", "benchmarks.questions", str(questions), "--side", side, "--pictures", str(pictures)]
    printed = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout
    return Answered(*json.loads(printed.splitlines()[-1]))


def show(title: str, few: Answered, many: Answered, small: int, questions: int) -> None:
    print(
        f"  {title:12} {1e6 * many.seconds / questions:8.0f} µs of CPU per question   {few.megabytes:6.0f} MB with "
        f"{small:,}, {many.megabytes:6.0f} MB with {questions:,} questions   {many.right} right"
    )


def main() -> None:
    options = parser("questions", __doc__)
    options.add_argument(
        "questions", type=at_least_one, nargs="?", default=10_000, metavar="QUESTIONS", help="(default: 10000)"
    )
    options.add_argument("--side", choices=sorted(SIDES), help="measure one side in this process, and print JSON")
    options.add_argument("--pictures", type=Path, metavar="DIR", help="where the pictures are, with --side")
    parsed = options.parse_args()
    if parsed.side:
        print(json.dumps(measure(parsed.side, parsed.pictures, parsed.questions)))
        return
    small = -(-parsed.questions // 5)
    with tempfile.TemporaryDirectory() as folder:
        for number in range(max(parsed.questions, WARM_UP)):
            (Path(folder) / f"{number}.png").write_bytes(dot(number))
        print(f"{parsed.questions:,} questions with four options and a picture each")
        few, many = measured("ours", Path(folder), small), measured("ours", Path(folder), parsed.questions)
        show("ours", few, many, small, parsed.questions)
        if importlib.util.find_spec("inspect_ai") is None:
            print("  inspect-ai   not measured: pip install -e '.[inspect]'")
            return
        fewer, more = measured("inspect", Path(folder), small), measured("inspect", Path(folder), parsed.questions)
        show("inspect-ai", fewer, more, small, parsed.questions)
    print(f"  ours / inspect-ai   {many.seconds / more.seconds:.2f} of the CPU (to be at most 0.20)")
    print(f"  memory, all / fifth {many.megabytes / few.megabytes:.2f} for ours (to be at most 1.10)")


if __name__ == "__main__":
    main()
