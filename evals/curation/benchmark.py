"""Making questions as a benchmark: an episode for each set of pictures, with the pipeline as its agent."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from envs.seeds import seed_of
from evals.curation.commission import Commission
from evals.curation.settings import CurationSettings
from evals.curation.sources import EMBEDDED, PictureSet, exam, picture_sets
from evals.curation.truth import CurationJudge, judge_of
from evals.erqa_diagnostic.taxonomy import COUNTS
from evals.judges.question import JUDGING
from evals.run.benchmark import Defaults, Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging, Measure
from evals.run.settings import Settings, fingerprint
from models.base import Kind
from planners.names import unknown

MEASURES = (
    Measure("questions", "total", of=("questions",), column=1),
    Measure("accepted", "total", of=("accepted",), column=2),
    Measure("revisions", "total", of=("revisions",), column=4),
    Measure("judgings", "total", of=("judgings",), column=5),
    Measure("unjudged", "total", "unjudged", "verdicts that could not be read", of=("unjudged",), column=6),
    Measure(
        "sound", "share", "sound", "of the accepted questions about our own pictures, those without any fault",
        of=("sound",), over=("known",), column=3,
    ),
)  # fmt: skip
BUILD, EXAM = "build", "exam"


class Curation(Defaults):
    """The benchmark."""

    name = "curation"
    settings: type[Settings] = CurationSettings

    def judging(self, settings: Any) -> Judging:
        """Measures of the questions that were made. Success means that all questions of a set were accepted."""
        return Judging(classes=JUDGING.classes, measures=MEASURES, panels=("question",), overall=(), cluster="problem")

    def check(self, settings: Any) -> None:
        """Check that the settings fit together and that the pictures can be read."""
        _ = settings.span
        _wanted(settings.sub_type)
        found = self._sets(settings)
        for role in (settings.generator, settings.judge, settings.reviser):
            if role.startswith("quality:") and settings.images != EMBEDDED:
                raise ValueError(
                    f"{role} is simulated and knows our own pictures only: give models for {settings.images}"
                )
        if not found:
            raise ValueError(f"no set of pictures allows a question of the sub-type {settings.sub_type!r}")

    def episodes(self, settings: Any) -> Sequence[Episode]:
        """One episode for each set of pictures."""
        found = [
            Episode(one.id, settings.task, seed_of(settings.seed, one.id), step_limit=1, tags=_tags(one))
            for one in self._sets(settings)
        ]
        return found[: settings.limit]

    def open(self, episode: Episode, settings: Any, supplies: Supplies) -> tuple[Commission, CurationJudge]:
        """The task of an episode, and the judge that knows the truth about its pictures."""
        sets = {one.id: one for one in self._sets(settings)}
        name = episode.id.partition(".repeat")[0]
        if name not in sets:
            raise unknown("set of pictures", name, sets)
        one = sets[name]
        least, most = settings.span
        task = Commission(
            "Make questions about the pictures." if settings.task == BUILD else "Judge a question about the pictures.",
            tuple(supplies.pictures.picture(f"{one.id} {place}", _drawing(one, picture))
                  for place, picture in enumerate(one.pictures)),
            kind=Kind.TEXT, accept=settings.accept, rounds=1 if settings.task == EXAM else settings.rounds,
            least=least, most=most, sub_types=_wanted(settings.sub_type), checks=settings.checks, given=one.given,
        )  # fmt: skip
        return task, judge_of(task, one.known, {"world": self.name, "problem": one.id})

    def fingerprints(self, settings: Any) -> dict[str, str]:
        """Fingerprints of the pictures (name and content where they are the user's) and of the questions of an exam."""
        parts = [repr((one.id, one.pictures, one.known, one.given)).encode() for one in self._sets(settings)]
        if settings.images != EMBEDDED:
            parts += [one.draw(picture) for one in self._sets(settings) for picture in one.pictures]
        return {"pictures": fingerprint(*parts)}

    @lru_cache(maxsize=4)  # noqa: B019 - a benchmark lives as long as the program
    def _sets(self, settings: Any) -> tuple[PictureSet, ...]:
        if settings.task == EXAM:
            if settings.images != EMBEDDED:
                raise ValueError("--task exam is about our own pictures, whose truth is known: leave --images out")
            return exam(settings.seed, settings.each)
        found = picture_sets(settings.images)
        wanted = _wanted(settings.sub_type)
        if settings.images != EMBEDDED or settings.sub_type is None:
            return found
        return tuple(one for one in found if any(known.sub_type in wanted for known in one.known))


def _tags(one: PictureSet) -> dict[str, str]:
    return {"problem": one.id, **({"planted": one.planted} if one.planted else {})}


def _drawing(one: PictureSet, name: str) -> Any:
    return lambda: one.draw(name)


def _wanted(sub_type: str | None) -> tuple[str, ...]:
    """The sub-types to write about: all, or those whose name begins with the given text."""
    if sub_type is None:
        return tuple(COUNTS)
    plain = sub_type.replace("_", " ").lower()
    found = tuple(name for name in COUNTS if name.lower().startswith(plain))
    if not found:
        raise unknown("sub-type", sub_type, COUNTS)
    return found


BENCHMARK = Curation()
