"""What the viewer shows of a question: its parts, its pictures, what was chosen, what is right, what was looked at."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evals.judges.question import Marked
from evals.run.directory import RunDirectory
from evals.run.trace import Record
from evals.view.export import export
from evals.view.question_data import question_data
from evals.view.run_page import episodes_data
from evals.view.shown import Shown, find_runs
from evals.view.site import Site
from tests.conftest import ROOT
from tests.evals.test_view_site import data
from tests.every_form import BENCHMARK, ITEMS
from tests.small_sets import played
from tools.events import Began

AGENT = f"{ROOT / 'tests' / 'evals' / 'looking.py'}:build"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    folder = tmp_path_factory.mktemp("looked") / "run"
    return played(BENCHMARK, folder, agent=AGENT, model="scripted:Final Answer: 4", pictures=True)


@pytest.fixture
def shown(run: RunDirectory) -> Shown:
    return find_runs([run.path])[0]


def question(shown: Shown, id: str) -> dict[str, Any]:
    told: dict[str, Any] = data(Site.of([shown]), f"/{shown.key}/data/{id}/episode.js")["question"]
    return told


def test_a_trace_says_all_that_was_asked(run: RunDirectory) -> None:
    (began,) = [record.event for record in run.records("match") if isinstance(record.event, Began)]
    item = next(item for item in ITEMS if item.id == "match")
    assert (began.goal, began.options, began.items, began.kind) == (item.text, item.options, item.items, item.kind)
    assert len(began.pictures) == 2


def test_the_page_has_what_was_chosen_and_what_is_right(shown: Shown) -> None:
    count, nearest = question(shown, "count"), question(shown, "nearest")
    assert (count["value"], count["truth"], count["kind"]) == (4.0, 4.0, "number")
    assert nearest["truth"] == "mark 3"
    assert nearest["options"] == ["mark 1", "mark 2", "mark 3", "mark 4"]
    assert nearest["tags"] == {"split": "all", "category": "room", "scene": "room", "picture": "room"}


def test_the_page_has_pictures_and_looks_in_order(shown: Shown, run: RunDirectory) -> None:
    site = Site.of([shown])
    told = data(site, f"/{shown.key}/data/name/episode.js")
    hashes = [sha256 for _, sha256 in told["question"]["pictures"]]
    assert len(set(hashes)) == 2
    looks = [item[1] for step in told["steps"] for item in step["items"] if item[0] == "looked"]
    assert [look["what"] for look in looks] == ["the upper half of picture 1", "the upper half of picture 2"]
    for sha256 in (*hashes, *(look["sha256"] for look in looks)):
        picture = site.get(f"/{shown.key}/pictures/{sha256}.png")
        assert picture is not None
        assert picture.body.startswith(b"\x89PNG")


def test_both_profiles_are_shown_where_there_are_two(shown: Shown, monkeypatch: pytest.MonkeyPatch) -> None:
    from evals.view import redrawing
    from evals.view import site as sites

    assert question(shown, "count")["profiles"] == []

    class Judge:
        def mark(self, text: str, value: object) -> Marked:
            return Marked(0.0, read={"official": f"{text}!", "robust": "4"})

    one = Site.of([shown]).played(shown, "count")
    assert one is not None
    twice = one.result.model_copy(update={"measures": {"official": 0.0, "robust": 1.0, "differs": 1.0}})
    object.__setattr__(one, "result", twice)
    site = Site.of([shown])
    monkeypatch.setattr(sites, "read_played", lambda run, episode: one)
    monkeypatch.setattr(redrawing, "_opened", lambda run, episode, reads: (None, Judge()))
    assert data(site, f"/{shown.key}/data/count/episode.js")["question"]["profiles"] == [
        {"name": "official", "right": False, "read": "Final Answer: 4!"},
        {"name": "robust", "right": True, "read": "4"},
    ]


def test_readings_that_cannot_be_had_again_are_left_out(shown: Shown) -> None:
    # The set is in a file of its own: the viewer loads no code that only a run names.
    assert Site.of([shown]).stages.readings(shown, Site.of([shown]).played(shown, "count"), "4", 4.0) == {}  # type: ignore[arg-type]


def test_the_wrong_ones_before_and_after(shown: Shown) -> None:
    contents = shown.contents()
    order = [result.id for result in contents.results]
    failed = [result.id for result in contents.results if result.scored and not result.success]
    assert len(failed) > 2
    first = question(shown, failed[0])["wrong"]
    assert (first["previous"], first["next"]) == (None, failed[1])
    last = question(shown, failed[-1])["wrong"]
    assert (last["previous"], last["next"]) == (failed[-2], None)
    assert set(order) > set(failed)


def test_the_table_has_the_tags_to_filter_by(shown: Shown) -> None:
    rows = {row["id"]: row for row in episodes_data(shown.contents())["rows"]}
    assert rows["count"]["tags"]["category"] == "table"
    assert not {"problem", "world", "chance", "level"} & set(rows["count"]["tags"])
    assert rows["count"]["differ"] is False


def test_an_older_trace_is_shown_with_the_pictures_that_were_asked_about(shown: Shown) -> None:
    one = Site.of([shown]).played(shown, "nearest")
    assert one is not None
    older = [
        record.model_copy(update={"event": record.event.model_copy(update={"pictures": (), "items": (), "kind": None})})
        if isinstance(record.event, Began)
        else record
        for record in one.records
    ]
    assert all(isinstance(record, Record) for record in older)
    object.__setattr__(one, "records", older)
    told = question_data(shown, one, {})
    assert len(told["pictures"]) == 2  # the picture, and its half
    assert told["kind"] == "choice"


def test_an_export_has_every_picture(shown: Shown, tmp_path: Path) -> None:
    export([shown], tmp_path / "pages", tell=lambda line: None)
    kept = {path.stem for path in (tmp_path / "pages").rglob("pictures/*.png")}
    told = question(shown, "name")
    assert {sha256 for _, sha256 in told["pictures"]} | set(told["known"].values()) <= kept
    assert (tmp_path / "pages" / "assets" / "question.js").is_file()
