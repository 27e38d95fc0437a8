"""People answer questions: what they are shown, what is kept, and what becomes of it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from envs.base import Question
from evals.questions.__main__ import main
from evals.questions.people.agreeing import raters_of, tables_of
from evals.questions.people.chosen import choose
from evals.questions.people.converting import convert
from evals.questions.people.desk import Desk, Mode
from evals.questions.people.entries import Answer, BadEntry, Book, Review, new_answer, new_review, value_of
from evals.run.directory import RunDirectory
from models.base import Kind
from tests.conftest import ROOT
from tests.evals.people import HANDS, SET, ask, desk_of, right, send, served
from tests.every_form import ITEMS
from tests.small_sets import played
from tools.events import Answered, Asked

READABLE = tuple(HANDS)
"""The questions whose answers can be read: those of every form."""
PART = ("nearest", "count", "door", "name")
"""Half of them."""
SHOWN = {"number", "text", "items", "options", "letters", "kind", "pictures", "mine"}
"""All that somebody who answers is told of a question."""


def answer_all(desk: Desk, who: str = "anna", wrong: tuple[str, ...] = (), only: tuple[str, ...] = ()) -> None:
    for number, episode in enumerate(desk.chosen.episodes):
        if only and episode.id not in only:
            continue
        value = None if episode.id in wrong else right(desk.chosen, episode.id)
        desk.take({"number": number, "who": who, "value": value, "seconds": 1.5})


# --- what is shown


def test_who_answers_is_told_nothing_of_the_truth(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    with served(desk) as server:
        for number, item in enumerate(ITEMS):
            status, body = ask(server, f"/questions/{number}.json?who=anna")
            told = json.loads(body)
            assert status == 200
            assert set(told) == SHOWN
            assert told["mine"] is None
            assert (told["text"], told["options"]) == (item.text, list(item.options))


def test_who_reviews_is_told_the_answer(tmp_path: Path) -> None:
    told = desk_of(tmp_path / "reviews.jsonl", Mode.REVIEW).question(0, "anna")
    assert told["answer"] == {"value": "C", "text": "Final Answer: C"}
    assert told["id"] == "nearest"
    assert told["tags"]["category"] == "room"


def test_pictures_are_those_of_the_set(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    with served(desk) as server:
        status, body = ask(server, "/pictures/3-1.png")
        assert status == 200
        assert body == desk.chosen.benchmark.picture("table", desk.chosen.settings)  # type: ignore[attr-defined]
        assert ask(server, "/pictures/3-2.png")[0] == 404
        assert ask(server, "/pictures/99-0.png")[0] == 404
        assert ask(server, "/questions/8.json?who=anna")[0] == 404
        assert ask(server, "/../../etc/passwd")[0] == 404


def test_questions_can_be_filtered_and_sampled() -> None:
    def ids(**options: Any) -> list[str]:
        return [episode.id for episode in choose(SET, {}, **options).episodes]

    everything = ids()
    assert ids(only=["category=TABLE"]) == ["match", "count", "name"]
    assert ids(only=["category=table", "id=na*"]) == ["name"]
    assert ids(only=["id=name", "id=door"]) == ["door", "name"]
    sample = ids(sample=4, seed=1)
    assert len(sample) == 4
    assert sample == [id for id in everything if id in sample]
    assert sample == ids(sample=4, seed=1)
    assert len({tuple(ids(sample=4, seed=seed)) for seed in range(6)}) > 1
    assert ids(sample=99) == everything


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"only": ["colour=red"]}, "no tag 'colour'"),
        ({"only": ["category=cellar"]}, "category: room, table"),
        ({"only": ["category"]}, "--only is TAG=VALUE"),
    ],
)
def test_a_filter_that_cannot_be_used_says_what_could(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        choose(SET, {}, **options)


# --- what is taken


@pytest.mark.parametrize("item", ITEMS, ids=[item.id for item in ITEMS])
def test_every_form_of_answer_is_kept_as_its_value(item: Any, tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    number = desk.chosen.numbers[item.id]
    desk.take({"number": number, "value": right(desk.chosen, item.id), "comment": " hm ", "seconds": 2.345})
    kept = Book(desk.book.path).current("anna")["anna", item.id]
    assert isinstance(kept, Answer)
    assert kept.value == item.answer
    assert (kept.comment, kept.seconds) == ("hm", 2.35)
    assert desk.question(number, "anna")["mine"]["value"] == right(desk.chosen, item.id)


WRONG: dict[str, list[object]] = {
    "nearest": ["E", "AB", "", ["A"], 1, True, {"A": 1}],
    "red": [[], "A", ["A", "A"], ["E"], [1]],
    "order": [["A", "B", "C"], ["A", "A", "B", "C"], "ABCD", ["A", "B", "C", "E"]],
    "match": [["A", "B"], ["A", "B", "C", "A"], ["A", "B", "D"]],
    "true": [["1", "0"], [1, 0, 1], ["1", "0", "2"]],
    "count": ["4", True, float("nan"), float("inf"), [4]],
    "door": ["yes", 1, 0],
    "name": ["", "  ", "x" * 4001, 4],
}


@pytest.mark.parametrize(("id", "value"), [(id, value) for id, values in WRONG.items() for value in values])
def test_what_is_no_answer_is_refused_and_not_kept(id: str, value: object, tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    with pytest.raises(BadEntry, match="is no answer of the form"):
        desk.take({"number": desk.chosen.numbers[id], "value": value})
    assert Book(desk.book.path).entries == []


def test_items_may_share_an_option_and_letters_need_no_options() -> None:
    matching = Question("?", (), ("left", "right"), Kind.MATCHING, ("a", "b", "c"))
    assert value_of(["A", "A", "B"], matching) == ("A", "A", "B")
    assert value_of("C", Question("A. x B. y C. z", kind=Kind.CHOICE)) == "C"
    assert value_of(["B", "A"], Question("?", kind=Kind.ORDER)) == ("B", "A")


SIMPLE = st.none() | st.booleans() | st.floats() | st.text(max_size=3)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(SIMPLE | st.lists(SIMPLE, max_size=4), st.sampled_from(Kind))
def test_no_value_breaks_anything(value: object, kind: Kind) -> None:
    for question in (Question("?", (), ("x", "y"), kind, ("a",)), Question("?", kind=kind)):
        try:
            new_answer({"who": "anna", "value": value}, "id", question)
        except BadEntry:
            continue


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"who": ""}, "a name has"),
        ({"who": "x" * 61}, "a name has"),
        ({"who": "an\x00na"}, "a name has"),
        ({"seconds": -1}, "takes seconds"),
        ({"seconds": True}, "takes seconds"),
        ({"comment": 3}, "a comment is a text"),
        ({"comment": "x" * 4001}, "a comment is a text"),
    ],
)
def test_everything_else_is_checked_too(given: dict[str, object], said: str) -> None:
    with pytest.raises(BadEntry, match=said):
        new_answer({"who": "anna", "value": True, **given}, "door", Question("?", kind=Kind.YES_NO))


def test_a_review_accepts_fixes_or_drops(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "reviews.jsonl", Mode.REVIEW)
    desk.take({"number": 0, "decision": "accept"})
    desk.take({"number": 1, "decision": "fix", "fixed": {"text": "Which marks are on red things?", "answer": ["A"]}})
    state = desk.take({"number": 2, "decision": "drop", "comment": "two are level", "score": 2})
    assert state == {"count": 8, "done": [0, 1, 2]}
    accepted, fixed, dropped = Book(desk.book.path).entries
    assert isinstance(accepted, Review)
    assert isinstance(fixed, Review)
    assert isinstance(dropped, Review)
    assert fixed.fixed == {"text": "Which marks are on red things?", "answer": ["A"]}
    assert (dropped.decision, dropped.comment, dropped.score) == ("drop", "two are level", 2)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"decision": "perhaps"}, "accept, fix, drop"),
        ({"decision": "fix"}, "a fix needs at least one corrected part"),
        ({"decision": "accept", "fixed": {"text": "?"}}, "accept fixes nothing"),
        ({"decision": "fix", "fixed": {"pictures": []}}, "what can be fixed is"),
        ({"decision": "fix", "fixed": {"options": ["x"]}}, "another form"),
        ({"decision": "fix", "fixed": {"options": "x"}}, "another form"),
        ({"decision": "fix", "fixed": {"text": ["x"]}}, "another form"),
        ({"decision": "fix", "fixed": {"text": " "}}, "has to be written out"),
        ({"decision": "fix", "fixed": {"answer": "Z"}}, "no answer of the form"),
        ({"decision": "drop", "score": 11}, "from 0 to 10"),
        ({"decision": "drop", "score": True}, "from 0 to 10"),
    ],
)
def test_a_review_that_makes_no_sense_is_refused(given: dict[str, object], said: str) -> None:
    question = Question("Which?", (), ("x", "y"), Kind.CHOICE)
    with pytest.raises(BadEntry, match=said):
        new_review({"who": "anna", **given}, "id", question)


# --- who may send


def test_only_our_own_page_is_listened_to(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    good = {"number": 6, "value": False}
    with served(desk) as server:
        assert ask(server, "/", Host="evil.example")[0] == 421
        assert ask(server, "/state.json?who=anna", **{"Sec-Fetch-Site": "cross-site"})[0] == 403
        assert send(server, good, Origin="http://evil.example")[0] == 403
        assert send(server, good, **{"X-Plumbline-Token": "guessed"})[0] == 403
        assert send(server, good, **{"Content-Type": "text/plain"})[0] == 415
        assert send(server, b"[" * 70_000)[0] == 413
        assert send(server, b"[1]")[0] == 400
        assert send(server, {**good, "number": 99})[0] == 400
        assert send(server, {**good, "value": "maybe"})[0] == 400
        assert Book(desk.book.path).entries == []
        assert send(server, good)[0] == 201
    assert len(Book(desk.book.path).entries) == 1


def test_a_name_on_the_command_line_is_whose_answers_they_are(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl", annotator="anna")
    desk.take({"number": 6, "value": False, "who": "bea"})
    assert [one.who for one in desk.book.entries] == ["anna"]
    free = desk_of(tmp_path / "other.jsonl", annotator="")
    free.take({"number": 6, "value": False, "who": " bea  smith "})
    assert [one.who for one in free.book.entries] == ["bea smith"]
    with pytest.raises(BadEntry, match="a name has"):
        free.take({"number": 6, "value": False})


# --- what is on disk


def test_an_answer_is_on_disk_before_the_page_hears_of_it(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    with served(desk) as server:
        status, body = send(server, {"number": 6, "value": False})
        assert json.loads(body) == {"count": 8, "done": [6]}
        assert json.loads(desk.book.path.read_text().splitlines()[-1])["question"] == "door"
        assert status == 201


def test_the_last_answer_counts_and_none_is_ever_changed(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    for value in (True, False):
        desk.take({"number": 6, "value": value})
    assert [one.value for one in desk.book.entries if isinstance(one, Answer)] == [True, False]
    kept = desk.book.current("anna")["anna", "door"]
    assert isinstance(kept, Answer)
    assert kept.value is False


def test_two_servers_and_many_browsers_at_once_lose_nothing(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    with served(desk_of(path, annotator="")) as one, served(desk_of(path, annotator="")) as other:
        jobs = [(server, f"person {who}", number) for who in range(8) for number in range(8) for server in (one, other)]

        def work(job: tuple[Any, str, int]) -> int:
            server, who, number = job
            value = right(server.desk.chosen, server.desk.chosen.episodes[number].id)
            return send(server, {"number": number, "who": who, "value": value})[0]

        with ThreadPoolExecutor(8) as pool:
            assert set(pool.map(work, jobs)) == {201}
        assert json.loads(ask(one, "/state.json?who=person%203")[1])["done"] == list(range(8))
    book = Book(path)
    assert len(book.entries) == len(jobs)
    assert book.notices == []


def test_a_line_that_a_kill_cut_off_costs_that_line_only(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    answer_all(desk, only=("nearest", "red"))
    whole = desk.book.path.read_bytes()
    desk.book.path.write_bytes(whole[:-30])
    again = desk_of(desk.book.path)
    assert again.state("anna")["done"] == [0]
    again.take({"number": 2, "value": ["B", "A", "D", "C"]})
    assert again.state("anna")["done"] == [0, 2]
    assert "line 3 cannot be read" in again.book.notices[0]


def test_what_another_server_wrote_is_seen(tmp_path: Path) -> None:
    one = desk_of(tmp_path / "answers.jsonl")
    other = desk_of(tmp_path / "answers.jsonl")
    one.take({"number": 6, "value": False})
    assert other.state("anna")["done"] == [6]


# --- what becomes of it


def test_a_persons_answers_are_a_run_like_any_other(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    answer_all(desk, only=READABLE, wrong=("door",))
    (line,) = convert(desk.book.path, out=tmp_path / "anna", confirmed=SET)
    assert line == f"person:anna: 7 of 8 right, run: {tmp_path / 'anna'}"
    run = RunDirectory.open(tmp_path / "anna")
    assert run.config["settings"]["model"] == "person:anna"
    assert run.config["settings"]["agent"] == "person"
    assert run.config["simulated"] is False
    assert run.config["looks"] is True
    assert run.config["episodes"] == {"all": 8}
    results = {result.id: result for result in run.results()}
    assert {id: result.success for id, result in results.items()} == {id: id != "door" for id in READABLE}
    assert results["door"].failure == "unreadable"
    (asked,) = [record.event for record in run.records("nearest") if isinstance(record.event, Asked)]
    assert (asked.reply, asked.seconds) == ("Final Answer: C", 1.5)
    assert [record.event.value for record in run.records("nearest") if isinstance(record.event, Answered)] == ["mark 3"]
    assert len(list((tmp_path / "anna" / "pictures").glob("*.png"))) == 2


def test_people_and_models_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from evals.compare.__main__ import main as compare

    desk = desk_of(tmp_path / "answers.jsonl", annotator="", only=[f"id={id}" for id in PART])
    answer_all(desk, "anna")
    answer_all(desk, "bea", wrong=("door", "name"))
    list(convert(desk.book.path, "anna", tmp_path / "anna", SET))
    list(convert(desk.book.path, "bea", tmp_path / "bea", SET))
    assert compare([str(tmp_path / "anna"), str(tmp_path / "bea")]) == 0
    told = capsys.readouterr().out
    assert "person:anna" in told
    assert "4 episodes of person · person:anna are not finished" in told


def test_one_run_for_each_person(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_of(tmp_path / "answers.jsonl", annotator="")
    for who in ("anna", "bea"):
        answer_all(desk, who, only=READABLE)
    with pytest.raises(ValueError, match="--out is for one run"):
        list(convert(desk.book.path, out=tmp_path / "run", confirmed=SET))
    with pytest.raises(ValueError, match="no answers of 'carl'; there are: anna, bea"):
        list(convert(desk.book.path, "carl", confirmed=SET))
    monkeypatch.chdir(tmp_path)
    assert len(list(convert(desk.book.path, confirmed=SET))) == 2
    assert sorted(path.name.rpartition("_")[2] for path in (tmp_path / "runs").iterdir()) == ["anna", "bea"]


def test_questions_of_a_run_have_its_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from evals.questions.people import chosen
    from tests.every_form import BENCHMARK

    run = played(BENCHMARK, tmp_path / "run", model="scripted:Final Answer: A", limit=3, seed=5)
    with pytest.raises(ValueError, match="which is not here; name the file of the set"):
        choose(str(run.path), {})
    monkeypatch.setattr(chosen, "names", lambda: ["every_form"])
    monkeypatch.setattr(chosen, "find_benchmark", lambda name: BENCHMARK)
    found = choose(str(run.path), {})
    assert [episode.id for episode in found.episodes] == ["nearest", "red", "order"]
    assert (found.settings.limit, found.settings.seed) == (3, 5)
    with pytest.raises(ValueError, match="--setting goes with the name of a set"):
        choose(str(run.path), {"seed": "1"})


def test_figures_of_several_people_and_a_model(tmp_path: Path) -> None:
    from tests.every_form import BENCHMARK

    desk = desk_of(tmp_path / "answers.jsonl", annotator="")
    answer_all(desk, "anna")
    answer_all(desk, "bea", wrong=("door",))
    run = played(BENCHMARK, tmp_path / "run", model="scripted:Final Answer: 4")
    tables = {table.name: table for table in tables_of(raters_of([desk.book.path, run.path], SET))}
    answers = [[cell.text for cell in row] for row in tables["answers"].rows]
    assert answers[0][:3] == ["anna", "8", "8"]
    assert answers[1][:3] == ["bea", "8", "7"]
    assert answers[1][4] == "1"  # could not tell
    assert tables["answers"].rows[0][3].interval == pytest.approx((0.6756, 1.0), abs=1e-4)
    pairs = {row[0].text: row for row in tables["answers-pairs"].rows}
    assert pairs["anna, bea"][2].value == 0.875
    assert set(pairs) == {"anna, bea", "anna, scripted:Final Answer: 4", "bea, scripted:Final Answer: 4"}
    assert tables["answers-all"].rows[0][1].value == 8 + 2 * pairs["anna, scripted:Final Answer: 4"][1].value  # type: ignore[operator]


def test_figures_of_reviews_and_scores(tmp_path: Path) -> None:
    desk = desk_of(tmp_path / "reviews.jsonl", Mode.REVIEW, annotator="")
    for who, scores in (("judge", (10, 9, 3, 7, 8, 10, 2, 6)), ("people", (9, 9, 5, 7, 4, 10, 0, 8))):
        for number, score in enumerate(scores):
            decision = "accept" if score > 4 else "drop"
            desk.take({"number": number, "who": who, "decision": decision, "score": score})
    tables = {table.name: table for table in tables_of(raters_of([desk.book.path], SET))}
    scores_row = tables["scores-pairs"].rows[0]
    assert [cell.value for cell in scores_row[1:]] == pytest.approx(
        [8, 0.8083, scores_row[3].value, 0.375, 0.625, 1.375], abs=5e-5
    )
    assert [cell.text for cell in tables["reviews"].rows[0]] == ["judge", "8", "6", "0", "2"]
    assert tables["reviews-pairs"].rows[0][2].value == 0.75


# --- commands


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["people", "no-such-set"], "no benchmark 'no-such-set'"),
        (["people", "viplan"], "has no questions that people could answer"),
        (["people", SET, "--sample", "0"], "--sample must be at least 1"),
        (["people", SET, "--setting", "seed"], "--setting is KEY=VALUE"),
        (["people", SET, "--setting", "colour=red"], "--colour"),
        (["people", SET, "--annotator", "x" * 61], "a name has 1 to 60 characters"),
        (["people", SET, "--port", "99999"], "ports go from 0 to 65535"),
        (["people", SET, "--only", "id=nothing"], "no question fits"),
        (["convert", "nothing.jsonl"], "there is no file nothing.jsonl"),
        (["agreement", "nothing.jsonl"], "there is no file nothing.jsonl"),
    ],
)
def test_what_cannot_be_used_is_one_line(
    words: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    told = capsys.readouterr().err
    assert said in told
    assert told.startswith("error: ")
    assert told.count("\n") == 1


def test_a_file_about_other_questions_is_not_added_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "answers.jsonl"
    desk_of(path)
    before = path.read_bytes()
    assert main(["people", SET, "--setting", "seed=3", "--file", str(path)]) == 2
    assert "is about other questions: its settings is {}, not {'seed': 3}" in capsys.readouterr().err
    assert main(["people", SET, "--mode", "review", "--file", str(path)]) == 2
    assert path.read_bytes() == before


def test_questions_that_changed_are_not_converted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests import every_form

    desk = desk_of(tmp_path / "answers.jsonl")
    answer_all(desk, only=READABLE)
    text = desk.book.path.read_text()
    desk.book.path.write_text(text.replace(next(iter(desk.chosen.whence["fingerprints"].values())), "0123456789ab"))
    assert main(["convert", str(desk.book.path), "--set", SET]) == 2
    assert "are not those that were shown any more" in capsys.readouterr().err
    assert every_form.BENCHMARK is not None


def test_code_that_only_the_answers_name_is_not_loaded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = desk_of(tmp_path / "answers.jsonl")
    answer_all(desk, only=READABLE)
    for command in ("convert", "agreement"):
        assert main([command, str(desk.book.path)]) == 2
        assert "the answers name code to run: tests/every_form.py:BENCHMARK" in capsys.readouterr().err
        other = f"{ROOT / 'tests' / 'small_sets.py'}:Fruit"
        assert main([command, str(desk.book.path), "--set", other]) == 2
        assert "are to questions of 'every_form', not of 'fruit'" in capsys.readouterr().err


def test_figures_are_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    desk = desk_of(tmp_path / "answers.jsonl", annotator="")
    answer_all(desk, "anna")
    answer_all(desk, "bea", wrong=("door",))
    for format, sign in (("terminal", "Krippendorff's"), ("csv", "Cohen's kappa"), ("latex", "\\begin{tabular}")):
        assert main(["agreement", str(desk.book.path), "--set", SET, "--format", format]) == 0
        assert sign in " ".join(capsys.readouterr().out.split())
