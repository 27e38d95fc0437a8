"""The command that makes questions from RLDS files, and writes them in the published form with a log of every stage."""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from pathlib import Path

from envs.arm.recording import Recording
from envs.pictures import PictureStore
from evals.actioneqa import distractors, pipeline
from evals.actioneqa.export import write_hub
from evals.actioneqa.pipeline import Action, Log
from evals.actioneqa.rlds import recordings
from evals.pages.tables import Content, Table, print_table
from evals.questions.readers.rows import BadData
from models.base import Message, Model, Request
from models.registry import load_model


def curate(where: str, out: Path, *, source: str | None, seed: int, episodes: int | None, model: str | None) -> int:
    """Make the questions; 1 if some episodes could not be read, 0 else."""
    log = Log()
    damages: list[BadData] = []
    found = pipeline.episodes(_first(recordings(where, source, damages.append), episodes), log)
    actions = [action for recording in found for action in actions_of(recording, log)]
    writer = Writer(load_model(model)) if model else None
    entries = list(pipeline.questions(actions, seed, log, writer))
    for damage in damages:
        print(f"not read: {damage}", file=sys.stderr)
    if not entries:
        print_table(table_of(log, len(damages)))
        raise ValueError(f"{where}: no pair of frames passed all stages")
    write_hub(out, entries, lambda line: print(line, file=sys.stderr))
    (out / "stages.json").write_text(json.dumps(log.as_json(), indent=1) + "\n", encoding="utf-8")
    print_table(table_of(log, len(damages)))
    print(f"{len(entries)} questions written to {out}; run them with: python -m evals.actioneqa --data {out}")
    return 1 if damages else 0


def _first(found: Iterator[Recording], count: int | None) -> Iterator[Recording]:
    return found if count is None else islice(found, count)


def actions_of(recording: Recording, log: Log) -> Iterator[Action]:
    """Stages 2 and 3 of an episode."""
    pair = pipeline.whole(recording, log)
    goal = pipeline.goal(pair, log) if pair is not None else None
    if goal is not None:
        yield goal
    for one in pipeline.pairs(recording, log):
        yield from pipeline.actions(one, log)


def table_of(log: Log, damaged: int) -> Table:
    """A table of what each stage took, kept and dropped."""
    rows: list[list[Content]] = []
    for stage in pipeline.STAGES:
        reasons = "; ".join(f"{count} {reason}" for reason, count in log.dropped[stage].most_common())
        rows.append([stage, log.taken[stage], log.kept[stage], reasons or "–"])
    notes = [f"PARTIAL: {damaged} episodes could not be read, each named above."] if damaged else []
    return Table.of("Stages", ["stage", "taken", "kept", "dropped"], rows, notes=notes, name="stages")


class Writer:
    """A model that writes distractors of the high level. A person has to review them."""

    def __init__(self, model: Model) -> None:
        self._model, self._store = model, PictureStore()

    def __call__(self, action: Action) -> list[str]:
        """Three actions that did not happen; `NoDistractors` if the reply has none."""
        pair, frames = action.pair, action.pair.recording.frames
        pictures = [
            self._store.picture(f"{pair.recording.id} {place}", partial(frames[place].picture, frames[place].views[0]))
            for place in (pair.before, pair.after)
        ]
        prompt = distractors.HIGH_PROMPT.format(action=action.text)
        reply = asyncio.run(self._model.ask(Request((Message("user", (*pictures, prompt)),))))
        return distractors.read_high_distractors(reply.text, action.text)
