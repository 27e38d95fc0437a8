"""ActionEQA: what an arm did, or the state that an action leads to, in goals, motion labels or numbers.

The embedded questions are our own, drawn by our own arms, and every answer is known exactly. The overall score is the
mean over the six tasks of the mean over the sources that have a task, as published.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any

from envs.base import Arrow, Question, WorldUnavailable
from evals.actioneqa import data, judge, wording
from evals.actioneqa.entries import LETTERS, SHORT, Configuration, Entry, views_of
from evals.actioneqa.hub import configurations
from evals.actioneqa.settings import ActionSettings
from evals.questions.readers.rows import BadData
from evals.questions.reference import Reference
from evals.questions.scorers import check
from evals.questions.sets import Item, QuestionSet
from evals.run.benchmark import Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.settings import Settings

if TYPE_CHECKING:
    from envs.arm.recipes import Recipe

MOST_NAMED = 20


@dataclass(frozen=True)
class Loaded:
    """The questions that the settings choose, by id, and the recipes of those that are our own."""

    entries: Mapping[str, Entry]
    recipes: Mapping[str, Recipe]


class ActionEqa(QuestionSet):
    """The benchmark."""

    name = "actioneqa"
    settings: type[Settings] = ActionSettings
    dimensions: Mapping[str, str] = {
        "task": "task", "source": "source", "level": "level", "direction": "direction", "letter": "right letter",
    }  # fmt: skip
    overall = ("task", "source")

    def items(self, settings: Any) -> Sequence[Item]:
        """The questions of the chosen configurations."""
        return [item_of(entry, settings.views) for entry in self.loaded(settings).entries.values()]

    def entries(self, settings: Any) -> list[Entry]:
        """The questions as they were read, at most `limit` of each configuration."""
        listed = self._listed(settings)
        return [entry for name, entry in self.loaded(settings).entries.items() if name in listed]

    def picture(self, name: str, settings: Any) -> bytes:
        """A picture as PNG. A damaged one makes only its own question unavailable and is not scored."""
        question, _, number = name.rpartition("/")
        entry = self.loaded(settings).entries[question.rpartition("/")[0]]
        views = views_of(entry.configuration.source, settings.views)
        try:
            return entry.shots[int(number)](views or ())
        except BadData as damage:
            raise WorldUnavailable(str(damage)) from None

    def judging(self, settings: Any) -> Judging:
        """Also counts factors and kinds of motion; intervals are clustered by scene."""
        found = super().judging(settings)
        controls = {**found.controls, **judge.CONTROLS}
        return replace(found, cluster="scene", controls=controls, groups=judge.GROUPS)

    def check(self, settings: Any) -> None:
        """Check that the data can be read and has the views; name the rows that cannot be used."""
        super().check(settings)
        if settings.control == judge.SWAPPED and settings.direction != "inverse":
            raise ValueError("--control swapped exchanges before and after: it takes --direction inverse")
        if settings.control == "captions":
            raise ValueError("--control captions: there are no descriptions of these pictures")
        faults = [entry.fault for entry in self.entries(settings) if entry.fault]
        for fault in faults[:MOST_NAMED]:
            print(f"not asked: {fault}", file=sys.stderr)
        if len(faults) > MOST_NAMED:
            print(f"not asked: {len(faults) - MOST_NAMED} more, each named in results.jsonl", file=sys.stderr)

    def open(self, episode: Episode, settings: Any, supplies: Supplies) -> tuple[Question, judge.ActionJudge]:
        """The question with its pictures, and the judge that knows the answer."""
        name = episode.id.partition(".repeat")[0]
        loaded = self.loaded(settings)
        if name in loaded.entries and loaded.entries[name].fault:
            raise BadData(loaded.entries[name].fault)
        question, own = super().open(episode, settings, supplies)
        entry, recipe = loaded.entries[name], loaded.recipes.get(name)
        views = views_of(entry.configuration.source, settings.views) or ()
        question, sights = replace(question, views=len(views)), None
        if recipe is not None:
            question = replace(question, arrows=partial(_arrows, recipe, views, len(question.pictures)))
        if recipe is not None and settings.distractors == "factors":
            sights = _sights(recipe, views, [picture.key for picture in question.pictures])
        return question, judge.ActionJudge(question, own.answer, own.tags, own.marking, own.facts, entry, sights)

    def fingerprints(self, settings: Any) -> dict[str, str]:
        """The fingerprint of all questions with their answers and of the rule for their options."""
        return {**super().fingerprints(settings), "distractors": settings.distractors}

    def loaded(self, settings: Any) -> Loaded:
        """The questions of the chosen data, configurations and views."""
        wanted = configurations(settings.source, settings.level, settings.direction)
        having = tuple(one for one in wanted if views_of(one.source, settings.views) is not None)
        if not having or (settings.source is not None and len(having) < len(wanted)):
            sources = [source for source in ("bridge", "droid", "rt1") if views_of(source, settings.views)]
            raise ValueError(f"--views {settings.views} is for {' and '.join(sources)}, not for {settings.source}")
        return _load(settings.data, having, settings.distractors, settings.seed)


def _sights(recipe: Recipe, views: Sequence[str], keys: Sequence[str]) -> Any:
    from evals.actioneqa.sights import Sights

    shown = ("before", recipe.truth) if recipe.direction == "ai" else ("before", *range(len(recipe.outcomes)))
    return Sights(recipe, views, dict(zip(keys, shown, strict=True)))


def _arrows(recipe: Recipe, views: Sequence[str], pictures: int) -> Mapping[int, tuple[Arrow, ...]]:
    from evals.actioneqa.sights import arrows_of

    found = arrows_of(recipe, views)
    return dict.fromkeys(range(pictures), found) if found else {}


@lru_cache(maxsize=4)
def _load(where: str, wanted: tuple[Configuration, ...], rule: str, seed: int) -> Loaded:
    found, recipes = data.load(where, wanted)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    entries = found.entries
    if rule == "official":
        entries = data.with_official_distractors(entries, recipes, seed)
        if not entries:
            raise ValueError("--distractors official makes options of action inference: choose --direction inverse")
    if not entries:
        raise ValueError(f"{where} has no questions of {', '.join(one.name for one in wanted)}")
    return Loaded({entry.id: entry for entry in entries}, recipes)


def item_of(entry: Entry, views: str) -> Item:
    """The question as sets of questions have it."""
    one = entry.configuration
    letter = LETTERS[entry.right]
    cameras = views_of(one.source, views) or ()
    tags = {"task": one.task, "source": one.source, "level": one.level, "direction": SHORT[one.direction],
            "letter": letter, "scene": entry.scene or entry.id}  # fmt: skip
    if entry.fault:
        # A placeholder, so that the run counts the question that it could not ask.
        return Item(entry.id, entry.fault, "", split=one.name, tags=tags, level=one.name)
    return Item(
        entry.id,
        wording.text_of(entry, cameras),
        entry.options[entry.right],
        entry.options,
        tuple(f"{entry.id}/{'+'.join(cameras)}/{number}" for number in range(len(entry.shots))),
        split=one.name,
        tags=tags,
        reference=Reference(check.LETTER, options=entry.options, text=letter, letters=LETTERS),
        level=one.name,
        labels=wording.labels_of(entry),
        replies=wording.replies(),
    )


BENCHMARK = ActionEqa()
