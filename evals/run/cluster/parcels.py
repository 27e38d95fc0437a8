"""What playing an episode leaves, as data: a player on another machine sends it, and the driver writes it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from envs.pictures import PictureStore
from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.files import writing
from evals.run.prompts import PromptStore
from evals.run.results import EpisodeResult
from evals.run.runner import Runner, Setup, stores_of
from evals.run.trace import Record, item_line


@dataclass(frozen=True)
class Parcel:
    """An episode that was played: its result, its trace or its line of items, its prompts and its pictures by scene."""

    result: EpisodeResult
    trace: bytes | None
    item: str | None
    prompts: Sequence[str]
    pictures: Sequence[tuple[str, bytes]]


class Aside(RunDirectory):
    """In place of a run: a folder for the trace of an episode that is being played."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, {})
        self.item: str | None = None

    def trace(self, episode: str) -> Path:
        """The file of the episode's events."""
        return self.path / "trace.jsonl"

    def add_item_line(self, line: str) -> None:
        """Keep the line of a question."""
        self.item = line

    def add_item(self, episode: str, records: Sequence[Record]) -> None:
        """Keep the records of a question."""
        self.item = item_line(episode, records)


class SharedPictures(PictureStore):
    """The pictures of one episode. What another episode of this player has drawn is not drawn again."""

    def __init__(self, drawn: dict[str, bytes]) -> None:
        super().__init__()
        self._drawn = drawn

    def drawn(self, key: str, draw: Callable[[], bytes]) -> str:
        """The hash of the scene's picture."""
        return super().drawn(key, lambda: self._known_or(key, draw))

    def all(self) -> list[tuple[str, bytes]]:
        """All pictures of the episode by their scenes."""
        return [(key, self.load(sha256)) for key, sha256 in self._hashes.items()]

    def _known_or(self, key: str, draw: Callable[[], bytes]) -> bytes:
        png = self._drawn.get(key)
        if png is None:
            png = self._drawn[key] = draw()
            if len(self._drawn) > MOST_DRAWN:
                self._drawn.pop(next(iter(self._drawn)))
        return png


MOST_DRAWN = 512
"""Pictures that a player keeps for other episodes of the same scene."""


async def play_aside(
    setup: Setup, episode: Episode, folder: Path, drawn: dict[str, bytes], requests: asyncio.Semaphore
) -> Parcel:
    """Play an episode without a run directory; `RunMustStop` passes through."""
    prompts: list[str] = []
    run, pictures = Aside(folder), SharedPictures(drawn)
    result = await Runner(setup, run, None, (pictures, PromptStore(collected=prompts)), requests).play(episode)
    trace = run.trace(episode.id)
    return Parcel(result, trace.read_bytes() if trace.exists() else None, run.item, prompts, pictures.all())


class Writer:
    """Writes parcels to a run as if their episodes had been played here."""

    def __init__(self, run: RunDirectory) -> None:
        self._run = run
        self._pictures, self._prompts = stores_of(run)

    def write(self, parcel: Parcel) -> EpisodeResult:
        """Write everything, the result last: a result on disk is complete."""
        for key, png in parcel.pictures:
            self._pictures.drawn(key, lambda png=png: png)  # type: ignore[misc]
        self._prompts.add(parcel.prompts)
        if parcel.trace is not None:
            path = self._run.trace(parcel.result.id)
            with writing(path):
                path.write_bytes(parcel.trace)
        if parcel.item is not None:
            self._run.add_item_line(parcel.item)
        self._run.append(parcel.result)
        return parcel.result

    def close(self) -> None:
        """Close the file of prompts."""
        self._prompts.close()
