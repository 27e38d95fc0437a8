"""Converts people's answers to runs: they are played through the engine, traced and scored like models' replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path

from evals.questions.people.chosen import Chosen, found_again
from evals.questions.people.entries import Answer, Book
from evals.run.equipment import Equipment
from evals.run.options import options_of
from evals.run.playing import play, run_until_done
from evals.run.prepare import prepare
from evals.run.settings import Running
from models.base import Model, ModelUnavailable, Reply, Request, Witness


class Person:
    """A person's answers, by question."""

    looks = True
    simulated = False
    cacheable = False

    def __init__(self, who: str, answers: Mapping[str, Answer]) -> None:
        self.identity = f"person:{who}"
        self.answers = answers

    def for_episode(self, witness: Witness) -> Model:
        """The answer to one question."""
        return GivenAnswer(self.identity, self.answers.get(witness.tags["problem"]))

    async def ask(self, request: Request) -> Reply:
        """Raise: without an episode there is nothing to look up."""
        raise RuntimeError(f"{self.identity} is not bound to an episode: call for_episode first")


class GivenAnswer:
    """A model that gives a person's answer to one question."""

    looks = True
    simulated = False
    cacheable = False

    def __init__(self, identity: str, answer: Answer | None) -> None:
        self.identity = identity
        self._answer = answer

    async def ask(self, request: Request) -> Reply:
        """The answer in the requested form; empty if the person could not tell."""
        if self._answer is None:
            raise ModelUnavailable(f"{self.identity} has not answered this question")
        return Reply(self._answer.text, seconds=self._answer.seconds)


class OnePerson(Equipment):
    """Equipment with a single model, a person, which cannot be loaded by name."""

    def __init__(self, person: Person) -> None:
        super().__init__()
        self._models[person.identity] = person


def convert(path: Path, annotator: str = "", out: Path | None = None, confirmed: str = "") -> Iterator[str]:
    """Play the answers of each person in a file, or of one person; a line about every run."""
    book = book_at(path)
    people = answers_of(book, path)
    if annotator and annotator not in people:
        raise ValueError(f"{path} has no answers of {annotator!r}; there are: {', '.join(sorted(people))}")
    chosen = found_again(book.sessions[-1], confirmed)
    names = [annotator] if annotator else sorted(people)
    if out is not None and len(names) > 1:
        raise ValueError(f"--out is for one run, and {path} has answers of {', '.join(names)}; choose an --annotator")
    for name in names:
        yield _play(chosen, Person(name, people[name]), out)


def book_at(path: Path) -> Book:
    """Open a file of people's answers; `ValueError` if it is not one."""
    if not path.is_file():
        raise ValueError(f"there is no file {path}")
    book = Book(path)
    if not book.sessions:
        raise ValueError(f"{path} is no file of people's answers: it does not say which questions were asked")
    return book


def answers_of(book: Book, path: Path) -> dict[str, dict[str, Answer]]:
    """The answers of each person; `ValueError` if there are none."""
    found: dict[str, dict[str, Answer]] = {}
    for (who, question), entry in book.current().items():
        if isinstance(entry, Answer):
            found.setdefault(who, {})[question] = entry
    if not found:
        raise ValueError(f"{path} has no answers")
    return found


def _play(chosen: Chosen, person: Person, out: Path | None) -> str:
    benchmark, settings = chosen.benchmark, chosen.settings
    kept = settings.model_dump(mode="json", exclude={"agent", "model", "reask"}, exclude_none=True)
    given = {**kept, "agent": "person", "model": person.identity, "reask": 0, "out": out}
    with closing(OnePerson(person)) as equipment:
        prepared = prepare(benchmark, options_of(given, benchmark.settings, Running), equipment)
        answered = [episode for episode in prepared.episodes if episode.id in person.answers]
        with prepared.closing:
            run_until_done(play(replace(prepared, episodes=answered), lambda result: None))
            run = prepared.run
            results = run.results()
    right = sum(result.success for result in results)
    return f"{person.identity}: {right:,} of {len(results):,} right, run: {run.path}"
