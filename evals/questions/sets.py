"""What every question set shares: from a list of items to episodes, tasks and judges.

A set says which items there are and how their pictures are made; everything else comes with `QuestionSet`:

    class Shapes(QuestionSet):
        name = "shapes"

        def items(self, settings): ...
        def picture(self, name, settings): ...

    BENCHMARK = Shapes()
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from envs.base import Question
from envs.seeds import seed_of
from evals.judges.question import JUDGING, QuestionJudge, same
from evals.run.benchmark import Defaults, Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.settings import Settings, fingerprint, option
from models.base import Kind
from models.parsing import Profile
from planners.names import unknown
from tools.events import Value


class QuestionSettings(Settings):
    """What a user may choose for any question set."""

    agent: str = option("answer", "an agent, FILE.py:FUNCTION, or `list`", metavar="NAME")
    model: str = option("oracle", "a model, or `list`", metavar="SPEC")
    parsing: Profile = option(Profile.ROBUST, "how replies are read: robust, or official as the authors' program does")


@dataclass(frozen=True, slots=True)
class Item:
    """One question with its answer. `pictures` are names that the set draws or reads, `tags` what tables group by."""

    id: str
    text: str
    answer: Value
    options: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    kind: Kind = Kind.CHOICE
    split: str = "all"
    tags: Mapping[str, str] = field(default_factory=dict)


class QuestionSet(Defaults):
    """A benchmark of questions. `dimensions` name the tags that answers are counted by, `overall` makes one number."""

    name = ""
    settings: type[Settings] = QuestionSettings
    dimensions: Mapping[str, str] = {}
    overall: tuple[str, ...] = ()

    def items(self, settings: Any) -> Sequence[Item]:
        """All questions that the settings choose, in order."""
        raise NotImplementedError

    def picture(self, name: str, settings: Any) -> bytes:
        """A picture as PNG."""
        raise NotImplementedError

    def worth(self, given: Value, right: Value) -> float:
        """How much an answer is worth, from 0 to 1."""
        return same(given, right)

    def judging(self, settings: Any) -> Judging:
        """What questions are judged by, with the set's own dimensions."""
        return replace(JUDGING, dimensions=dict(self.dimensions), overall=self.overall)

    def episodes(self, settings: Any) -> list[Episode]:
        """One episode for each question."""
        return [
            Episode(item.id, item.split, seed_of(settings.seed, item.id), tags={**item.tags, **_cluster(item)})
            for item in self._listed(settings).values()
        ]

    def open(self, episode: Episode, settings: Any, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        """The question with its pictures, and the judge who knows the answer."""
        name = episode.id.partition(".repeat")[0]
        items = self._listed(settings)
        if name not in items:
            raise unknown("question", name, items)
        item = items[name]
        pictures = tuple(
            # By hash: a name may tell the answer, and an agent can read the key of a picture.
            supplies.pictures.picture(f"{self.name} {_short(picture)}", self._drawing(picture, settings))
            for picture in item.pictures
        )
        question = Question(item.text, pictures, item.options, item.kind)
        counted = {name: tag for name, tag in item.tags.items() if name in self.dimensions}
        return question, QuestionJudge(question, item.answer, counted, self.worth)

    def fingerprints(self, settings: Any) -> dict[str, str]:
        """Of every question with its answer."""
        return {"questions": fingerprint(*(repr(item).encode() for item in self._listed(settings).values()))}

    def _drawing(self, picture: str, settings: Any) -> Any:
        return lambda: self.picture(picture, settings)

    @lru_cache(maxsize=8)  # noqa: B019 - a benchmark lives as long as the program
    def _listed(self, settings: Any) -> dict[str, Item]:
        """The questions by id, as many of each split as the settings allow."""
        seen: Counter[str] = Counter()
        found: dict[str, Item] = {}
        for item in self.items(settings):
            seen[item.split] += 1
            if settings.limit is None or seen[item.split] <= settings.limit:
                if item.id in found:
                    raise ValueError(f"two questions have the same id: {item.id}")
                found[item.id] = item
        return found


def _cluster(item: Item) -> dict[str, str]:
    """The tag by which questions about the same pictures are known."""
    if not item.pictures or "picture" in item.tags:
        return {}
    return {"picture": item.pictures[0] if len(item.pictures) == 1 else _short("\n".join(item.pictures))}


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
