"""The pages of a run: they say what the scores say, show hostile text as text, and survive what is missing."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from evals.failures import MEANING, Failure
from evals.report import splits_of, write_episode_page, write_report
from evals.report.episode import FIRST, LAST, episode_page
from evals.report.evidence import evidence
from evals.report.markup import write_aside
from evals.report.turns import turns_of
from evals.results import EpisodeResult, score_episode
from evals.run_directory import RunDirectory
from evals.scores import Accuracy, score_run
from evals.trace import Record, Truth, read_trace
from models.oracle import load as oracle
from models.scripted import Scripted, always
from planners import get_planner
from planners.task import Step
from tests.playing import liar, play
from tests.small_worlds import problem
from tests.web_pages import Page
from tools.events import Acted, Asked, Believed, Called, Decided, Ended, Entered, Observed, Phase, Reason

HOSTILE = '<script>alert("1")</script> & <b>bold</b>'
CONFIG = {
    "settings": {"agent": "ground<i>", "model": "scripted:<b>", "seed": 7, "limit": None},
    "versions": {"python": "3.11"},
    "fingerprints": {"prompts": {"yes_no": "abc123"}, "scorer": "1"},
    "git": "0123abc",
    "command": "python -m evals.viplan --seed 7",
    "simulated": True,
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


def write_trace(run: RunDirectory, id: str, records: list[Record]) -> None:
    lines = (record.model_dump_json(exclude_none=True) + "\n" for record in records)
    run.trace(id).write_text("".join(lines), encoding="utf-8")


def pages(run: Path) -> Iterator[Page]:
    yield Page(run / "report.html")
    yield from (Page(path) for path in sorted((run / "episodes").glob("*.html")))


def result_of(run: RunDirectory, id: str) -> EpisodeResult:
    return next(result for result in run.results() if result.id == id)


def test_the_page_shows_the_scores(finished: Path) -> None:
    run = RunDirectory.open(finished)
    page = Page(finished / "report.html")
    scores = score_run(run.results(), splits_of(run))
    assert f"{scores.success:.2f} ± –of the episodes" in page.text
    for split in scores.splits.values():
        assert f"{split.split}{split.success:.2f} ± –{split.n}" in page.text
        for accuracy in (split.predicate_accuracy, split.official_accuracy):
            assert not accuracy.total or f"{accuracy.value:.3f}" in page.text
    tallies = [tally for result in run.results() for tally in result.tallies]
    seen = Accuracy.of(tally for tally in tallies if tally.predicate == "clear" and tally.phase is Phase.ENUMERATION)
    assert f"{seen.value:.3f} ± {seen.sem:.3f}" in page.text


def test_what_success_took_stands_beside_it(run: RunDirectory) -> None:
    often = {"id": "again", "attempts": {"executed": 1, "not legal": 6}}
    run.append(result_of(run, "simple_small").model_copy(update=often))
    page = Page(write_report(run)).text
    split = score_run(run.results(), splits_of(run)).splits["simple"]
    took = "".join(f"{total / split.n:.1f}" for total in (split.questions, split.replans, split.illegal))
    assert split.illegal >= 6
    assert f" ± {split.sem:.2f}{split.n}{took}" in page


def test_errors_are_those_of_the_scores(run: RunDirectory) -> None:
    run.append(result_of(run, "simple_small").model_copy(update={"id": "again", "success": False}))
    assert "0.50 ± 0.35" in Page(write_report(run)).text


def test_failures_are_named_and_explained(finished: Path) -> None:
    page = Page(finished / "report.html")
    for result in RunDirectory.open(finished).results():
        if result.failure:
            assert MEANING[result.failure] in page.text
            assert str(result.failure).replace("_", " ") in page.text


def test_every_class_has_a_meaning() -> None:
    assert set(MEANING) == set(Failure)


def test_pages_are_whole_and_their_links_lead_somewhere(finished: Path) -> None:
    found = list(pages(finished))
    assert len(found) == 6
    for page in found:
        assert len(page.ids) == len(set(page.ids))
        assert not {"link", "iframe", "object"} & set(page.elements)
        for link in page.links:
            target = urlsplit(link)
            assert not target.scheme
            assert not target.netloc
            path = page.path.parent / unquote(target.path) if target.path else page.path
            assert path.is_file(), link
            assert not target.fragment or target.fragment in Page(path).ids, link


def test_episodes_are_linked_in_order(finished: Path) -> None:
    first = Page(finished / "episodes" / "simple_small.html")
    assert "medium_small.html" in first.links
    last = Page(finished / "episodes" / "other_small.html")
    assert "misled_small.html" in last.links


def test_simulated_is_said_on_every_page(run: RunDirectory) -> None:
    for page in pages(run.path):
        assert "<title>SIMULATED: " in page.path.read_text()
        assert "SIMULATED: the model is a stand-in" in page.text
    run.config["simulated"] = False
    write_report(run)
    assert not any("SIMULATED" in page.path.read_text() for page in pages(run.path))


def test_a_control_is_called_one_on_every_page(run: RunDirectory) -> None:
    run.config |= {"simulated": False, "model": "oracle:perfect eyes"}
    write_report(run)
    for page in pages(run.path):
        assert "<title>CONTROL: " in page.path.read_text()
        assert "CONTROL: the answers come from the truth" in page.text


def test_an_episode_says_whose_it_is(finished: Path) -> None:
    page = Page(finished / "episodes" / "simple_small.html")
    assert "ground<i> · scripted:<b>" in page.text
    assert "<title>SIMULATED: simple_small · ground&lt;i&gt; · scripted:&lt;b&gt;</title>" in page.path.read_text()


def test_tokens_are_spoken_of_where_there_are_any(run: RunDirectory) -> None:
    assert "Tokens and cost" not in Page(run.path / "report.html").text
    run.append(result_of(run, "simple_small").model_copy(update={"id": "dear", "prompt_tokens": 7}))
    assert "Tokens and cost count every episode" in Page(write_report(run)).text


def test_nothing_wrong_is_a_number(finished: Path) -> None:
    result = result_of(RunDirectory.open(finished), "other_small")
    assert (result.replans, result.questions) == (0, 0)
    assert f">{result.steps}</td>" + 3 * '<td data-value="0" class="number">0</td>' in (
        finished / "report.html"
    ).read_text().replace("\n", "")


def test_hostile_text_is_text(finished: Path) -> None:
    page = Page(finished / "episodes" / "hard_small.html")
    assert HOSTILE in page.text
    assert "script" not in page.elements
    whole = Page(finished / "report.html")
    assert "ground<i> · scripted:<b>" in whole.text
    assert whole.elements.count("script") == 1


def test_how_to_get_the_numbers_again(finished: Path) -> None:
    text = Page(finished / "report.html").text
    for said in ("python -m evals.viplan --seed 7", "prompts yes_no", "abc123", "0123abc"):
        assert said in text
    assert "limit" not in text.partition("Settings")[2]


def test_an_episode_tells_what_really_happened(finished: Path) -> None:
    text = Page(finished / "episodes" / "simple_small.html").text
    assert "slipped: no-op" in text
    assert "something other than what was attempted in 1 turn." in text
    assert "what really happened: no-op" in text
    assert "because: unexpected effect" in text
    assert "right, and not as the plan expected" in text
    assert "goal reached" in text


def test_an_episode_tells_what_was_misjudged(finished: Path) -> None:
    blind = Page(finished / "episodes" / "medium_small.html").text
    assert "true but not believed: clear\N{NO-BREAK SPACE}b" in blind
    misled = Page(finished / "episodes" / "misled_small.html").text
    assert "said no" in misled
    assert "truth yes" in misled
    unreadable = Page(finished / "episodes" / "hard_small.html").text
    assert "said unreadable" in unreadable


def with_look(run: RunDirectory, id: str, **seen: object) -> None:
    """Change what was seen first."""
    lines = run.trace(id).read_text().splitlines()
    first = next(place for place, line in enumerate(lines) if '"type":"observed"' in line)
    look = json.loads(lines[first])
    look["event"] |= seen
    run.trace(id).write_text("\n".join([*lines[:first], json.dumps(look), *lines[first + 1 :], ""]))


def test_a_picture_is_shown_where_there_is_one(run: RunDirectory) -> None:
    with_look(run, "simple_small", sha256="ab" * 32, visible=["r", "<g>"])
    without = Page(write_episode_page(run, "simple_small"))
    assert "img" not in without.elements
    assert "in view: r, <g>" in without.text
    (run.path / "pictures" / f"{'ab' * 32}.png").write_bytes(b"png")
    page = Page(write_episode_page(run, "simple_small"))
    assert f"../pictures/{'ab' * 32}.png" in page.links


@pytest.mark.parametrize(
    ("config", "said"),
    [
        ({"looks": True, "simulated": False}, "pictures: what the model was shown"),
        ({"looks": False, "simulated": False}, "pictures: drawn for you; this model does not look"),
        ({"simulated": True}, "pictures: drawn for you; this model does not look"),
        ({"simulated": False}, "pictures: what was there to see"),
    ],
    ids=["looks", "does not", "stand-in of old", "unknown"],
)
def test_scenes_say_what_they_are(run: RunDirectory, config: dict[str, bool], said: str) -> None:
    page = Page(run.path / "episodes" / "simple_small.html")
    assert "sketches: the true state" in page.text
    assert "pictures:" not in page.text
    with_look(run, "simple_small", sha256="ab" * 32)
    (run.path / "pictures" / f"{'ab' * 32}.png").write_bytes(b"png")
    run.config |= config
    assert said in Page(write_episode_page(run, "simple_small")).text


def test_tool_calls_are_told(run: RunDirectory) -> None:
    result = result_of(run, "simple_small")
    records = read_trace(run.trace(result.id))
    attempt = next(place for place, record in enumerate(records) if isinstance(record.event, Acted))
    spent = {"reply": "I go on.", "seconds": 0.1}
    decided = Decided.model_validate({"step": 0, "calls": ("step(g)",), **spent})
    called = Called(step=0, name="step", arguments='{"a": 1}', result="<u>done</u>")
    told = [Record(event=event, truth=Truth()) for event in (decided, called)]
    write_trace(run, result.id, [*records[:attempt], told[0], records[attempt], told[1], *records[attempt + 1 :]])
    text = Page(write_episode_page(run, result.id)).text
    assert "Decided step(g)" in text
    assert 'Called step {"a": 1}: <u>done</u>' in text
    assert told[1] in turns_of(read_trace(run.trace(result.id)))[0].records


def damage(path: Path) -> None:
    lines = path.read_text().splitlines()
    path.write_text("\n".join([lines[0], '{"event": {"type": "<u>what</u>"', *lines[1:], ""]))


@pytest.mark.parametrize(("spoil", "said"), [(damage, "line 2"), (Path.unlink, "No such file")])
def test_a_trace_that_cannot_be_read_is_said_to_be_so(
    run: RunDirectory, spoil: Callable[[Path], None], said: str
) -> None:
    spoil(run.trace("medium_small"))
    write_report(run)
    text = Page(run.path / "episodes" / "medium_small.html").text
    assert "This trace cannot be read." in text
    assert said in text
    assert str(run.path) not in text


def test_a_killed_run_has_a_report(run: RunDirectory) -> None:
    cut = run.trace("medium_small").read_text()[:-40]
    run.trace("unfinished").write_text(cut)
    run.config["episodes"] = {**Counter(result.split for result in run.results()), "extreme": 1}
    write_report(run)
    page = Page(run.path / "report.html").text
    assert "PARTIAL: 1 episode not finished" in page
    assert "extreme" in page


def test_no_results_yet(tmp_path: Path) -> None:
    run = RunDirectory.create(tmp_path / "run", {"settings": {}})
    page = Page(write_report(run))
    run.close()
    assert "No episode is finished yet." in page.text
    assert not list(tmp_path.rglob("*.part"))


def test_an_episode_that_is_not_there(run: RunDirectory) -> None:
    with pytest.raises(KeyError, match="no finished episode 'none'"):
        write_episode_page(run, "none")


def test_episodes_that_broke_down_are_beside_the_score(run: RunDirectory) -> None:
    lost = score_episode("lost", "lost", "simple", 0, [])
    run.append(lost)
    page = Page(write_report(run))
    assert "1 episode not scored" in page.text
    assert "Nothing happened in this episode." in Page(run.path / "episodes" / "lost.html").text


def test_a_long_episode_stays_a_page(tmp_path: Path) -> None:
    state = ("incolumn r,c1", "clear r", "leftof c1,c2", "rightof c2,c1")
    records = []
    for step in range(1000):
        records.append(Record(event=Observed(step=step, picture="p"), truth=Truth(state=state, goal=False)))
        for number in range(8):
            asked = Asked(step=step, phase=Phase.EFFECT, atom=f"on a{number},b", question="?", reply="No", answer=False)
            records.append(Record(event=asked, truth=Truth(value=number == 0)))
        records.append(Record(event=Acted(step=step, action="go(a)", outcome="executed"), truth=Truth(legal=True)))
    records.append(Record(event=Ended(step=1000, reason=Reason.STEP_LIMIT), truth=Truth(state=state, goal=False)))
    result = score_episode("long", "long", "simple", 0, records)
    page = Page(write_aside(tmp_path / "long.html", episode_page(tmp_path, result, records)))
    assert f"{1000 - FIRST - LAST} turns left out here" in page.text
    assert page.path.stat().st_size < 2_000_000


@pytest.mark.parametrize("failure", Failure)
def test_every_class_finds_its_evidence(finished: Path, failure: Failure) -> None:
    for path in (finished / "episodes").glob("*.jsonl"):
        found = list(evidence(failure, turns_of(read_trace(path))))
        assert all(line.startswith("<li>") for line in found)


def test_a_failed_episode_has_evidence_of_its_own_class(finished: Path) -> None:
    run = RunDirectory.open(finished)
    failed = [(result.id, result.failure) for result in run.results() if result.failure is not None]
    shown = {id: list(evidence(failure, turns_of(read_trace(run.trace(id))))) for id, failure in failed}
    assert shown
    assert all(shown.values()), shown


def test_effects_belong_to_the_turn_of_their_action(finished: Path) -> None:
    records = read_trace(finished / "episodes" / "simple_small.jsonl")
    turns = turns_of(records)
    assert sum(len(turn.records) for turn in turns) == sum(
        not isinstance(record.event, Observed | Ended) for record in records
    )
    for turn in turns:
        assert all(isinstance(record.event, Asked | Entered | Believed) for record in turn.checked)
        assert turn.before is not None
