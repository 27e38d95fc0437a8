"""What leads from run to run: sweeps in one place, comparisons, blame, and the same episode elsewhere."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from evals.view.compared import Compared
from evals.view.export import export
from evals.view.shown import find_runs
from evals.view.site import Site
from planners.outcome import Planner
from tests.evals.test_view_site import Links, data
from tests.viewing import make_run


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", planner).path


def copied(finished: Path, folder: Path, **settings: Any) -> Path:
    """A copy of a run with other settings."""
    path = Path(shutil.copytree(finished, folder))
    config = json.loads((path / "run.json").read_text())
    config["settings"] |= settings
    (path / "run.json").write_text(json.dumps(config))
    return path


@pytest.fixture
def two(finished: Path, tmp_path: Path) -> Path:
    """A folder of two runs of different agents."""
    copied(finished, tmp_path / "runs" / "one")
    copied(finished, tmp_path / "runs" / "two", agent="ground_mem")
    return tmp_path / "runs"


def served(*paths: Path) -> Site:
    return Site.of(find_runs(paths), "token")


def text(site: Site, address: str) -> str:
    content = site.get(address)
    assert content is not None, address
    return content.body.decode()


# --- sweeps


def test_cells_of_a_sweep_are_listed_below_its_name(finished: Path, tmp_path: Path) -> None:
    sweep = tmp_path / "runs" / "sweep-<b>"
    for cell in ("x", "y"):
        copied(finished, sweep / "cells" / cell)
    (sweep / "sweep.json").write_text("{}")
    copied(finished, tmp_path / "runs" / "alone")
    page = text(served(tmp_path / "runs"), "index.html")
    bodies = re.findall(r"<tbody.*?</tbody>", page)
    grouped = [body for body in bodies if "data-sweep" in body]
    assert len(bodies) == 2
    assert len(grouped) == 1
    assert re.findall(r'data-run="(\w+)"', grouped[0]) == ["x", "y"]
    assert "sweep-&lt;b&gt;" in grouped[0]
    assert "2 runs · 16 of 16 episodes" in grouped[0]
    assert str(tmp_path) not in page


def test_a_folder_called_cells_is_no_sweep_by_itself(finished: Path, tmp_path: Path) -> None:
    copied(finished, tmp_path / "cells" / "x")
    assert "data-sweep" not in text(served(tmp_path), "index.html")


def test_the_newest_run_comes_first(finished: Path, tmp_path: Path) -> None:
    for name, started in (("a", "2026-01-01T12:00:00"), ("b", "2026-03-01T12:00:00"), ("c", "2026-02-01T12:00:00")):
        path = copied(finished, tmp_path / name)
        config = json.loads((path / "run.json").read_text())
        (path / "run.json").write_text(json.dumps({**config, "started": started}))
    assert re.findall(r'data-run="(\w)"', text(served(tmp_path), "index.html")) == ["b", "c", "a"]


# --- comparisons


def test_two_runs_are_compared_on_a_page(two: Path) -> None:
    site = served(two)
    page = text(site, "compare/one,two.html")
    assert "Comparison of 2 runs" in page
    assert "Is it more than luck?" in page
    assert "ground_mem · scripted" in page
    assert f"python -m evals.compare {two / 'one'} {two / 'two'}" in page
    links = Links(page)
    assert links.inline == 0
    assert "../one/episodes/home.html" in links.found
    assert "../beside.html?left=one%2Fhome&right=two%2Fhome" in links.found
    for link in (link for link in links.found if "/episodes/" in link):
        assert site.get(link.removeprefix("../"))


def test_the_figures_of_a_comparison_are_those_of_the_command(two: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from evals.compare.__main__ import main

    assert main([str(two / "one"), str(two / "two"), "--format", "csv", "--table", "success"]) == 0
    figures = {line.split(",")[2] for line in capsys.readouterr().out.splitlines()[1:] if line}
    page = text(served(two), "compare/one,two.html")
    assert figures
    assert all(figure in page for figure in figures)


@pytest.mark.parametrize("address", ["one", "one,nobody", "", ",", "one,../two", "one,one"])
def test_what_cannot_be_compared_is_said_or_is_not_there(two: Path, address: str) -> None:
    content = served(two).get(f"compare/{address}.html")
    if address in ("one", "one,one"):
        assert content
        assert b"it takes two runs" in content.body
    else:
        assert content is None


def test_runs_asked_in_other_words_are_not_compared(two: Path) -> None:
    config = json.loads((two / "two" / "run.json").read_text())
    config["fingerprints"]["scorer"] = "2"
    (two / "two" / "run.json").write_text(json.dumps(config))
    site = served(two)
    page = text(site, "compare/one,two.html")
    assert "these runs are unlike" in page
    assert "Is it more than luck?" not in page
    (forced,) = (link for link in Links(page).found if "forced" in link)
    page = text(site, f"compare/{forced}")
    assert "UNLIKE:" in page
    assert "Is it more than luck?" in page
    assert f"python -m evals.compare {two / 'one'} {two / 'two'} --force" in page
    links = Links(page).found
    assert "../../one/episodes/home.html" in links
    for link in (link for link in links if "/episodes/" in link):
        assert site.get(link.removeprefix("../../"))
    assert "UNLIKE" not in text(site, "compare/one,two.html"), "asked for again, it is refused again"


def test_runs_that_are_alike_are_not_offered_to_be_forced(two: Path) -> None:
    site = served(two)
    assert not [link for link in Links(text(site, "compare/one,two.html")).found if "forced" in link]
    assert not [link for link in Links(text(site, "compare/one.html")).found if "forced" in link]
    assert "UNLIKE" not in text(site, "compare/forced/one,two.html")
    assert site.get("compare/other/one,two.html") is None


@pytest.mark.parametrize("name", ["run.json", "results.jsonl", "episodes/misled.jsonl", "episodes"])
def test_a_comparison_does_not_follow_links_out_of_a_run(two: Path, tmp_path: Path, name: str) -> None:
    path = two / "two" / name
    outside = tmp_path / "outside"
    shutil.move(path, outside)
    path.symlink_to(outside)
    page = text(served(two), "compare/one,two.html")
    assert "leads out of the run, and is not read" in page
    assert "Is it more than luck?" not in page


def test_a_comparison_does_not_wait_for_a_pipe(two: Path) -> None:
    trace = two / "two" / "episodes" / "misled.jsonl"
    trace.unlink()
    os.mkfifo(trace)
    assert "episodes/misled.jsonl is no file" in text(served(two), "compare/one,two.html")


def test_a_comparison_is_made_again_when_a_run_changes(two: Path) -> None:
    runs = find_runs([two])
    compared = Compared()
    first = compared.page(runs, "token")
    assert compared.page(runs, "token") is first
    lines = (two / "two" / "results.jsonl").read_text().splitlines(keepends=True)
    (two / "two" / "results.jsonl").write_text("".join(lines[:-1]))
    assert compared.page(runs, "token") != first


def test_only_a_server_compares(two: Path, tmp_path: Path) -> None:
    export(find_runs([two]), tmp_path / "pages")
    assert not (tmp_path / "pages" / "compare").exists()
    assert Site.of(find_runs([two])).get("compare/one,two.html") is None


def test_no_run_takes_an_address_of_ours(finished: Path, tmp_path: Path) -> None:
    for name in ("compare", "live.json", "beside.html", "labels"):
        copied(finished, tmp_path / name)
    keys = {run.key for run in find_runs([tmp_path])}
    assert keys == {"compare-2", "live.json-2", "beside.html-2", "labels-2"}


# --- blame


def test_how_to_find_what_is_to_blame_is_said(finished: Path) -> None:
    command = f"python -m evals.blame {finished}"
    assert f'<pre class="command">{command}</pre>' in text(served(finished), "run/index.html")
    exported = text(Site.of(find_runs([finished])), "run/index.html")
    assert '<pre class="command">python -m evals.blame RUN</pre>' in exported
    assert str(finished) not in exported


def test_what_is_to_blame_is_shown(finished: Path, tmp_path: Path) -> None:
    run = copied(finished, tmp_path / "run")
    share = {"alone": 1, "alone_low": 0.1, "alone_high": 0.9, "blame": 0.75, "blame_low": 0.5, "blame_high": 0.875}
    told = {
        "failed": 2,
        "undetermined": 0,
        "causes": [{"cause": "perception <i>", **share}],
        "episodes": [{"id": "misled", "saved_by": [["perception"], ["actions"]]}, {"id": "blind", "saved_by": []}],
    }
    (run / "blame").mkdir()
    (run / "blame" / "blame.json").write_text(json.dumps(told))
    page = text(served(run), "run/index.html")
    (section,) = re.findall(r'<section id="blame">.*?</section>', page)
    words = re.sub("<[^>]*>", " ", section)
    assert "perception &lt;i&gt;" in words
    assert re.search(r"75%\s+50% to 88%", words)
    assert "perception or actions" in words
    assert "nothing tried" in words
    assert "3 failures of this run came later" in words


@pytest.mark.parametrize("causes", [7, [7], [{"cause": "x"}], [{"cause": "x", "alone": "many"}], {"a": 1}])
def test_causes_that_make_no_sense_are_left_out(finished: Path, tmp_path: Path, causes: object) -> None:
    run = copied(finished, tmp_path / "run")
    (run / "blame").mkdir()
    told = {"causes": causes, "episodes": [{"id": "misled", "saved_by": []}]}
    (run / "blame" / "blame.json").write_text(json.dumps(told))
    assert "Not computed yet" in text(served(run), "run/index.html")


# --- the same episode in another run


def test_the_same_episode_of_other_runs_is_offered(finished: Path, tmp_path: Path) -> None:
    copied(finished, tmp_path / "one")
    other = copied(finished, tmp_path / "two", agent="plan")
    copied(finished, tmp_path / "elsewhere", domain="household")
    lines = [line for line in (other / "results.jsonl").read_text().splitlines() if '"id":"solved"' not in line]
    (other / "results.jsonl").write_text("\n".join(lines) + "\n")
    site = served(tmp_path)
    assert data(site, "one/data/misled/run.js")["others"] == [["two", "plan · scripted:b>", "failure"]]
    assert data(site, "one/data/solved/run.js")["others"] == [["two", "plan · scripted:b>", "unfinished"]]
    assert data(site, "elsewhere/data/misled/run.js")["others"] == []


def test_another_problem_of_the_same_name_is_not_the_same_episode(finished: Path, tmp_path: Path) -> None:
    copied(finished, tmp_path / "one")
    other = copied(finished, tmp_path / "two")
    changed = (other / "results.jsonl").read_text().replace('"problem":"', '"problem":"another_')
    (other / "results.jsonl").write_text(changed)
    assert data(served(tmp_path), "one/data/misled/run.js")["others"] == []
