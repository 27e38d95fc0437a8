"""The page of a run: it says what the scores say, shows hostile text as text, and survives what is missing."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest

from envs.base import Question
from evals.judges.evidence import evidence
from evals.judges.failures import MEANING, Failure
from evals.judges.question import JUDGING as QUESTIONS
from evals.judges.question import QuestionJudge
from evals.judges.symbolic import JUDGING
from evals.judges.turns import outcome_of, turns_of
from evals.play import play_run
from evals.report import write_report
from evals.report.signs import episode_facts
from evals.run.benchmark import Defaults, Supplies
from evals.run.directory import FORMAT, RunDirectory
from evals.run.episodes import Episode
from evals.run.judging import AGENT_ERROR, Judging, Tally
from evals.run.results import EpisodeResult, unplayed
from evals.run.scores import Accuracy, RunScores, score_run
from evals.run.settings import Settings
from evals.run.statistics import wilson
from evals.run.trace import Record, Truth, read_trace
from models.oracle import load as oracle
from models.scripted import Scripted, always
from planners import get_planner
from planners.task import Step
from tests.playing import liar, play
from tests.small_worlds import problem
from tests.web_pages import Page
from tools.events import Acted, Asked, Believed, Called, Ended, Entered, Observed, Reason

HOSTILE = '<script>alert("1")</script> & <b>bold</b>'
SPLITS = ["simple", "medium", "hard", "other", "misled"]
SETTINGS = {"agent": "ground<i>", "model": "scripted:<b>", "seed": 7, "limit": None}
CONFIG = {
    "settings": SETTINGS,
    "usual": {**SETTINGS, "seed": 0},
    "versions": {"python": "3.11"},
    "fingerprints": {"prompts": {"yes_no": "abc123"}, "scorer": "1"},
    "git": "0123abc",
    "command": "python -m evals.viplan --seed 7",
    "simulated": True,
    "format": FORMAT,
    "splits": SPLITS,
    "judging": JUDGING.as_json(),
}


class Slip:
    """The first move goes nowhere."""

    def __init__(self) -> None:
        self.moves = 0

    def __call__(self, move: Step, world: object) -> Step | None:
        self.moves += 1
        return None if self.moves == 1 else move


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of real episodes: solved with a slip, blind, unreadable, a planner method, and misled about one fact."""
    run = RunDirectory.create(tmp_path_factory.mktemp("runs") / "run", CONFIG)
    planners = get_planner("fd"), get_planner("fd-opt")
    misled = liar(lambda atom, true, request: true != (str(atom) == "clear g"))
    plays = [
        play("ground", oracle("", {}), problem(split="simple"), planners, chance=Slip()),
        play("ground", Scripted(always("No")), problem(split="medium"), planners),
        play("ground", Scripted(always(HOSTILE)), problem(split="hard"), planners),
        play("action", oracle("", {}), problem(split="other"), planners),
        play("ground", misled, problem(split="misled"), planners, steps=3),
    ]
    for result, records in plays:
        write_trace(run, result.id, records)
        run.append(result)
    run.close()
    for planner in planners:
        planner.close()
    write_report(run)
    return run.path


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> RunDirectory:
    """A copy of the run that a test may spoil."""
    return RunDirectory.open(Path(shutil.copytree(finished, tmp_path / "run")))


def write_trace(run: RunDirectory, id: str, records: Sequence[Record]) -> None:
    lines = (record.model_dump_json(exclude_none=True) + "\n" for record in records)
    run.trace(id).write_text("".join(lines), encoding="utf-8")


def scores_of(run: RunDirectory) -> RunScores:
    return score_run(run.results(), run.splits, run.episodes, run.judging)


def with_result(run: RunDirectory, like: str = "simple_small", **other: Any) -> Page:
    """The page of a run with one more result."""
    run.append(result_of(run, like).model_copy(update={"id": "again", **other}))
    run.close()
    return Page(write_report(run))


def result_of(run: RunDirectory, id: str) -> EpisodeResult:
    return next(result for result in run.results() if result.id == id)


def test_the_page_shows_the_scores(finished: Path) -> None:
    run = RunDirectory.open(finished)
    page, scores = Page(finished / "report.html"), scores_of(run)
    assert scores.interval is not None
    assert f"{scores.success:.2f} [{scores.interval.low:.2f}, {scores.interval.high:.2f}]of the episodes" in page.text
    for split in scores.splits.values():
        within = wilson(int(split.success or 0), 1)
        assert f"{split.split}1{split.success:.2f} [{within.low:.2f}, {within.high:.2f}]" in page.text
        for name in ("predicate_accuracy", "official_accuracy"):
            accuracy = split.measures[name]
            assert accuracy is None or f"{accuracy:.3f}" in page.text
    assert "± " not in page.text


def test_answers_are_shown_by_every_dimension(finished: Path) -> None:
    page = Page(finished / "report.html")
    tallies = [tally for result in RunDirectory.open(finished).results() for tally in result.tallies]
    seen = Accuracy.of(
        tally for tally in tallies if tally.by["predicate"] == "clear" and tally.by["phase"] == "enumeration"
    )
    within = wilson(seen.right, seen.total)
    assert f"{seen.value:.3f} [{within.low:.2f}, {within.high:.2f}]" in page.text
    for heading in ("all answers", "phase: enumeration", "phase: effect", "truth: yes", "truth: no"):
        assert heading in page.text
    assert "Right answers by predicate" in page.text


def test_what_success_took_stands_beside_it(run: RunDirectory) -> None:
    counts = {"questions": 3, "replans": 3, "steps": 7, "attempts/executed": 1, "attempts/not legal": 6}
    page = with_result(run, measures=counts)
    split = scores_of(run).splits["simple"]
    assert split.total("attempts/not legal") >= 6
    took = [split.measures[name] for name in ("questions", "proposals", "replans", "illegal", "steps")]
    assert "".join(f"{value:.1f}" for value in took) in page.text


def test_intervals_are_those_of_the_scores(run: RunDirectory) -> None:
    page = with_result(run, success=False, tags={"problem": "other"})
    assert "simple20.50 [0.09, 0.91]" in page.text


def test_failures_are_named_and_explained(finished: Path) -> None:
    page = Page(finished / "report.html")
    for result in RunDirectory.open(finished).results():
        if result.failure:
            assert MEANING[Failure(result.failure)] in page.text
            assert str(result.failure).replace("_", " ") in page.text


def test_every_class_has_a_meaning() -> None:
    assert set(MEANING) == set(Failure)


def test_groups_of_counts_have_tables(run: RunDirectory) -> None:
    page = with_result(run, measures={"misjudged/effect_misjudged": 4, "attempts/executed": 2}).text
    assert "Misjudgements on the way" in page.partition("Effort")[0], "they are failure classes"
    assert "effect misjudged400004" in page
    assert "What came of attempts" in page.partition("Effort")[2]


def test_the_page_is_whole_and_there_is_no_other(finished: Path) -> None:
    assert [path.name for path in finished.rglob("*.html")] == ["report.html"]
    page = Page(finished / "report.html")
    assert len(page.ids) == len(set(page.ids))
    assert not {"link", "iframe", "object", "img"} & set(page.elements)


def test_episodes_lead_to_the_viewer(finished: Path) -> None:
    page = Page(finished / "report.html")
    assert "http://127.0.0.1:8642/run/episodes/simple_small.html" in page.links
    assert len(page.links) == 5
    assert "python -m evals.view RUN." in page.text
    assert "RUN is the folder of this page" in page.text
    assert str(finished) not in page.path.read_text(), "pages are handed on"


def test_a_path_that_says_nothing_of_the_machine_is_named(run: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(run.path.parent)
    page = Page(write_report(RunDirectory.open(Path("run"))))
    assert "python -m evals.view run." in page.text
    assert "python -m evals.view run --export run/view" in page.text


def test_episodes_lead_to_an_export_where_there_is_one(run: RunDirectory) -> None:
    there = run.path / "view" / "run" / "episodes"
    there.mkdir(parents=True)
    (run.path / "view" / "index.html").write_text("")
    (there / "simple_small.html").write_text("")
    page = Page(write_report(run))
    link = next(link for link in page.links if "simple_small" in link)
    assert not urlsplit(link).scheme
    assert (run.path / unquote(link)).is_file()


def test_links_are_addresses_of_the_viewer(run: RunDirectory, tmp_path: Path) -> None:
    odd = RunDirectory.open(run.path.rename(tmp_path / "a run & more"))
    odd.append(result_of(odd, "simple_small").model_copy(update={"id": "a/b?c"}))
    odd.close()
    links = Page(write_report(odd)).links
    assert "http://127.0.0.1:8642/a_run___more/episodes/a%2Fb%3Fc.html" in links


def test_simulated_is_said(run: RunDirectory) -> None:
    page = Page(run.path / "report.html")
    assert "<title>SIMULATED: " in page.path.read_text()
    assert "SIMULATED: the model is a stand-in" in page.text
    run.config["simulated"] = False
    assert "SIMULATED" not in write_report(run).read_text()


def test_a_control_is_called_one(run: RunDirectory) -> None:
    run.config |= {"simulated": False, "model": "oracle:perfect eyes"}
    page = Page(write_report(run))
    assert "<title>CONTROL: " in page.path.read_text()
    assert "CONTROL: the answers come from the truth" in page.text


def test_tokens_are_spoken_of_where_there_are_any(run: RunDirectory) -> None:
    assert "Tokens and cost" not in Page(run.path / "report.html").text
    assert "Tokens and cost count every episode" in with_result(run, prompt_tokens=7).text


def test_nothing_wrong_is_a_number(finished: Path) -> None:
    result = result_of(RunDirectory.open(finished), "other_small")
    assert (result.count("replans"), result.count("questions")) == (0, 0)
    text = (finished / "report.html").read_text()
    cells = text.partition("other_small.html")[2].partition("</tr>")[0]
    amounts = [result.count(name) for name in ("questions", "proposals", "replans")]
    assert "".join(f'<td data-value="{value}" class="number">{value}</td>' for value in amounts) in cells
    assert cells.endswith('<td data-value="0" class="number">0</td>'), "no wrong answers"


def test_hostile_text_is_text(run: RunDirectory) -> None:
    page = with_result(run, detail=HOSTILE, split="<u>", failure="<i>odd</i>", success=False)
    assert HOSTILE in page.text
    assert "ground<i> · scripted:<b>" in page.text
    assert "<i>odd</i>" in page.text
    assert page.elements.count("script") == 1
    assert "u" not in page.elements


def test_how_to_get_the_numbers_again(finished: Path) -> None:
    text = Page(finished / "report.html").text
    for said in ("python -m evals.viplan --seed 7", "prompts yes_no", "abc123", "0123abc"):
        assert said in text
    assert "limit" not in text.partition("Settings")[2]
    assert "5 episodes · seed 7" in text


def test_the_results_are_those_that_are_given(run: RunDirectory) -> None:
    shutil.rmtree(run.path / "episodes")
    results, scores = run.results(), scores_of(run)
    (run.path / "results.jsonl").unlink()
    before = (run.path / "report.html").read_text()
    assert write_report(run, results, scores).read_text() == before


def test_a_killed_run_has_a_report(run: RunDirectory) -> None:
    run.config["episodes"] = {**Counter(result.split for result in run.results()), "extreme": 1}
    run.config["splits"] = [*SPLITS, "extreme"]
    page = Page(write_report(run)).text
    assert "PARTIAL: 1 episode not finished" in page
    assert "extreme" in page


def test_no_results_yet(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run", {"settings": {}})
    page = Page(write_report(run))
    run.close()
    assert "No episode is finished yet." in page.text
    assert not list(tmp_path.rglob("*.part"))


def test_episodes_that_broke_down_are_beside_the_score(run: RunDirectory) -> None:
    run.append(unplayed(Episode("lost", "simple"), "OSError: the door is stuck\nand more"))
    run.close()
    page = Page(write_report(run))
    assert "1 episode not scored: model, planner, world or program broke down." in page.text
    assert "The first, lost: OSError: the door is stuck" in page.text


def broken_trace(run: RunDirectory, id: str) -> None:
    """A trace that ends by an error of the agent."""
    ended = Ended(
        step=0, reason=Reason.AGENT_ERROR, detail="KeyError: 'x'", traceback="mine.py:3 in act\nKeyError: 'x'"
    )
    write_trace(run, id, [Record(event=ended, truth=Truth(goal=False))])


@pytest.mark.parametrize(("spoil", "traced"), [(broken_trace, True), (lambda run, id: None, False)])
def test_errors_of_the_agent_are_shown_as_such(
    run: RunDirectory, spoil: Callable[[RunDirectory, str], None], traced: bool
) -> None:
    spoil(run, "again")
    page = with_result(run, failure=AGENT_ERROR, success=False, reason="agent_error", detail="KeyError: 'x'").text
    assert "1 episode not scored: the agent's own code raised, never ended, or ended without saying why." in page
    assert "The first, again: KeyError: 'x'" in page
    assert ("mine.py:3 in act" in page) == traced
    assert JUDGING.meanings[AGENT_ERROR] in page


def test_what_an_episode_took_in_a_line(finished: Path) -> None:
    result = result_of(RunDirectory.open(finished), "misled_small")
    said = episode_facts(result, JUDGING)
    assert said.startswith("split misled · seed 0 · ")
    assert f"questions {result.count('questions')}" in said
    assert "wrong answers " in said


@pytest.mark.parametrize("failure", Failure)
def test_every_class_finds_its_evidence(finished: Path, failure: Failure) -> None:
    for path in (finished / "episodes").glob("*.jsonl"):
        assert all(list(evidence(failure, turns_of(read_trace(path)))))


def test_a_failed_episode_has_evidence_of_its_own_class(finished: Path) -> None:
    run = RunDirectory.open(finished)
    failed = [(result.id, Failure(result.failure)) for result in run.results() if result.failure is not None]
    shown = {id: list(evidence(failure, turns_of(run.records(id)))) for id, failure in failed}
    assert shown
    assert all(shown.values()), shown


def test_effects_belong_to_the_turn_of_their_action(finished: Path) -> None:
    records = read_trace(finished / "episodes" / "simple_small.jsonl")
    turns = turns_of(records)
    assert sum(len(turn.records) for turn in turns) == sum(
        not isinstance(record.event, Observed | Ended) for record in records
    )
    for turn in turns:
        assert all(isinstance(record.event, Asked | Entered | Believed) for record in turn.follow_up)
        assert turn.before is not None


def test_calls_of_tools_belong_to_the_turn_of_their_attempt(finished: Path) -> None:
    records = read_trace(finished / "episodes" / "simple_small.jsonl")
    attempt = next(place for place, record in enumerate(records) if isinstance(record.event, Acted))
    called = Record(event=Called(step=0, name="step", arguments='{"a": 1}', result="done"), truth=Truth())
    turns = turns_of([*records[: attempt + 1], called, *records[attempt + 1 :]])
    assert called in turns[0].records


def test_what_came_of_attempts(finished: Path) -> None:
    records = read_trace(finished / "episodes" / "simple_small.jsonl")
    marks = [outcome_of(turn.attempt) for turn in turns_of(records) if turn.attempt]
    assert marks[0] == ("slipped: no-op", "warn")
    assert marks[-1] == ("goal reached", "good")
    done = Record(event=Acted(step=0, action="Go", outcome="executed"), truth=Truth(legal=True, happened="executed"))
    assert outcome_of(done) == ("done", "quiet")


# A question set


class Asking(Settings):
    """A set of questions has no settings of its own."""


@dataclass(frozen=True)
class Colours(Defaults):
    """Eight questions about four pictures, of two sorts."""

    name: str = "colours"
    settings: type[Settings] = Asking

    def judging(self, settings: Settings) -> Judging:
        sorts: Mapping[str, str] = {"sort": "what is asked", "tone": "how bright it is"}
        return Judging(**{**vars(QUESTIONS), "dimensions": sorts})

    def fingerprints(self, settings: Settings) -> dict[str, str]:
        return {}

    def episodes(self, settings: Settings) -> list[Episode]:
        tags = [
            {"picture": f"p{n // 2}", "sort": f"<i>{n % 2}</i>", "tone": "dark" if n < 3 else "light"} for n in range(8)
        ]
        return [Episode(f"q{n}", "test", tags=tag) for n, tag in enumerate(tags)]

    def open(self, episode: Episode, settings: Settings, supplies: Supplies) -> tuple[Question, QuestionJudge]:
        question = Question("Which colour is it?", options=("red", "green", "blue"))
        return question, QuestionJudge(question, "red" if int(episode.id[1:]) < 6 else "blue", episode.tags)


@pytest.fixture(scope="module")
def questions(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run in which every answer is the first option."""
    out = tmp_path_factory.mktemp("runs") / "questions"
    return play_run(Colours(), agent="answer", model="scripted:A", out=out).path


def test_a_question_set_has_a_page(questions: Path) -> None:
    page, run = Page(questions / "report.html"), RunDirectory.open(questions)
    assert "0.75 [" in page.text
    assert "of the questions were answered right" in page.text
    assert "goal" not in page.text
    assert "questions answered right" in page.text
    assert QUESTIONS.classes["wrong"] in page.text
    assert "by chance" in page.text
    assert [path.name for path in (questions / "episodes").iterdir()] == []
    assert run.records("q0")
    assert "http://127.0.0.1:8642/questions/episodes/q0.html" in page.links


def test_a_question_set_is_shown_by_its_dimensions(questions: Path) -> None:
    page = Page(questions / "report.html")
    assert "By what is asked" in page.text
    assert "By how bright it is" in page.text
    assert "dark31.00 [" in page.text
    assert "light50.60 [" in page.text
    assert "<i>0</i>" in page.text
    assert "i" not in page.elements
    text = page.path.read_text()
    assert "data-filters=" in text
    assert 'data-tag1="dark"' in text


def test_a_dimension_without_a_tag_is_shown_from_the_tallies(questions: Path) -> None:
    run = RunDirectory.open(questions)
    results = [
        result.model_copy(update={"tags": {}, "tallies": (Tally(by={"sort": "odd"}, right=1, total=2),)})
        for result in run.results()
    ]
    page = write_report(run, results).read_text()
    assert "Right answers by sort" in page
    write_report(run)
