"""The base of every question set: turns items into episodes, tasks and judges.

A set defines its items and their pictures; `QuestionSet` does the rest:

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
from evals.judges.question import JUDGING, Facts, Marked, Marking, QuestionJudge, same
from evals.questions.known import Known
from evals.questions.marking import BOTH, by_reference
from evals.questions.reference import Reference
from evals.questions.settings import QuestionSettings
from evals.run.benchmark import Defaults, Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.settings import Settings, fingerprint
from models.base import Kind
from models.sim import check_published
from planners.names import unknown
from tools.events import Value


@dataclass(frozen=True, slots=True)
class Item:
    """A question with its answer. The set draws or reads the named `pictures`; tables group by `tags`.

    `items` are the numbered things to match options with. An answer of one or several letters is
    a tuple of letters, except for a choice, whose answer is the text of the option. `labels` and `replies`
    (direct, and with reasoning) are those of `envs.base.Question`. With a `reference`,
    replies are scored in both profiles, like published data sets. `level` is the tag by which accuracies of
    models are published; `facts` are for stand-ins and controls.
    """

    id: str
    text: str
    answer: Value
    options: tuple[str, ...] = ()
    pictures: tuple[str, ...] = ()
    kind: Kind = Kind.CHOICE
    split: str = "all"
    tags: Mapping[str, str] = field(default_factory=dict)
    items: tuple[str, ...] = ()
    reference: Reference | None = None
    level: str = ""
    facts: Facts = field(default_factory=Facts)
    labels: tuple[str, ...] = ()
    replies: tuple[str, str] = ("", "")


class QuestionSet(Defaults):
    """A benchmark of questions. Answers are counted by the tags in `dimensions`; `overall` makes one number."""

    name = ""
    settings: type[Settings] = QuestionSettings
    dimensions: Mapping[str, str] = {}
    overall: tuple[str, ...] = ()

    def items(self, settings: Any) -> Sequence[Item]:
        """All questions selected by the settings, in order."""
        raise NotImplementedError

    def picture(self, name: str, settings: Any) -> bytes:
        """A picture as PNG."""
        raise NotImplementedError

    def known(self, settings: Any, workers: int = 1) -> list[Known]:
        """The questions for shortcut programs. A set that knows the positions of its marks overrides this."""
        return [known_of(item) for item in self.items(settings)]

    def worth(self, given: Value, right: Value) -> float:
        """The mark of an answer to an item without a reference, from 0 to 1."""
        return same(given, right)

    def judging(self, settings: Any) -> Judging:
        """The judging of questions, with the set's own dimensions."""
        both = BOTH if any(item.reference for item in self._listed(settings).values()) else ()
        measures = (*JUDGING.measures, *both)
        return replace(JUDGING, dimensions=dict(self.dimensions), overall=self.overall, measures=measures)

    def check(self, settings: Any) -> None:
        """Check that a simulated model has a published accuracy for the set, if any model has one."""
        check_published(settings.model, (self.name,))

    def episodes(self, settings: Any) -> list[Episode]:
        """One episode for each question."""
        return [
            Episode(item.id, item.split, seed_of(settings.seed, item.id), tags={**item.tags, **_cluster(item)})
            for item in self._listed(settings).values()
        ]

    def open(self, episode: Episode, settings: Any, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        """The question with its pictures, and the judge that knows the answer."""
        name = episode.id.partition(".repeat")[0]
        items = self._listed(settings)
        if name not in items:
            raise unknown("question", name, items)
        item = items[name]
        pictures = tuple(
            # Keys are hashes, because a name may reveal the answer and agents can read keys.
            supplies.pictures.picture(f"{self.name} {_short(picture)}", self._drawing(picture, settings))
            for picture in item.pictures
        )
        question = Question(item.text, pictures, item.options, item.kind, item.items, item.labels, *item.replies)
        facts = replace(item.facts, problem=name)
        judge = QuestionJudge(question, item.answer, {}, self._marking(item, settings), facts)
        counted = {name: tag for name, tag in item.tags.items() if name in self.dimensions}
        known = {"world": self.name, "level": item.level, "problem": name, "chance": f"{judge.chance:.6g}"}
        return question, replace(judge, tags={**counted, **known})

    def fingerprints(self, settings: Any) -> dict[str, str]:
        """The fingerprint of every question with its answer."""
        return {"questions": fingerprint(*(repr(item).encode() for item in self._listed(settings).values()))}

    def _marking(self, item: Item, settings: Any) -> Marking:
        if item.reference is not None:
            return by_reference(item.reference, settings.parsing)
        return lambda text, value: Marked(self.worth(value, item.answer))

    def _drawing(self, picture: str, settings: Any) -> Any:
        return lambda: self.picture(picture, settings)

    @lru_cache(maxsize=8)  # noqa: B019 - a benchmark lives as long as the program
    def _listed(self, settings: Any) -> dict[str, Item]:
        """The questions by id, up to the limit of the settings for each split."""
        seen: Counter[str] = Counter()
        found: dict[str, Item] = {}
        for item in self.items(settings):
            seen[item.split] += 1
            if settings.limit is None or seen[item.split] <= settings.limit:
                if item.id in found:
                    raise ValueError(f"two questions have the same id: {item.id}")
                found[item.id] = item
        return found


def known_of(item: Item) -> Known:
    """A question as known to a program that does not see pictures."""
    return Known(
        item.id, item.kind, item.text, item.answer, item.options, item.items,
        scene=item.tags.get("scene", ""), tags=item.tags, chance=item.facts.chance,
    )  # fmt: skip


def _cluster(item: Item) -> dict[str, str]:
    """The tag that questions about the same pictures share."""
    if not item.pictures or "picture" in item.tags:
        return {}
    return {"picture": item.pictures[0] if len(item.pictures) == 1 else _short("\n".join(item.pictures))}


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
