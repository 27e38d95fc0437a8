"""Runs that appear and grow while they are looked at: found again, told apart by their locks, and asked for cheaply."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from evals.run.directory import RunDirectory, RunError
from evals.view.export import export
from evals.view.listing import Listing
from evals.view.live import is_running
from evals.view.shown import find_runs
from evals.view.site import Site
from planners.outcome import Planner
from tests.conftest import ROOT
from tests.viewing import Going, make_run

BADGE = '<span class="badge playing">running</span>'


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", planner).path


@pytest.fixture
def going(finished: Path, tmp_path: Path) -> Iterator[Going]:
    going = Going(tmp_path / "runs" / "going", finished)
    yield going
    going.stop()


def site_of(folder: Path) -> Site:
    return Site(Listing([folder]), "token")


def state(site: Site, address: str) -> Any:
    content = site.get(address)
    assert content is not None, address
    assert content.type == "application/json"
    assert len(content.body) < 200
    return json.loads(content.body)


def text(site: Site, address: str) -> str:
    content = site.get(address)
    assert content is not None, address
    return content.body.decode()


def test_new_runs_appear_and_deleted_ones_go(finished: Path, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    shutil.copytree(finished, runs / "one")
    site = site_of(runs)
    assert list(site.runs) == ["one"]
    shutil.copytree(finished, runs / "two")
    assert 'data-run="two"' in text(site, "index.html")
    shutil.rmtree(runs / "one")
    page = text(site, "index.html")
    assert 'data-run="one"' not in page
    assert 'data-run="two"' in page


def test_a_run_that_nobody_has_listed_yet_is_found_by_its_address(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "runs" / "one")
    site = site_of(tmp_path / "runs")
    shutil.copytree(finished, tmp_path / "runs" / "two")
    assert site.get("two/episodes/misled.html")
    assert site.get("three/index.html") is None


def test_a_run_keeps_its_address_whatever_appears_beside_it(finished: Path, tmp_path: Path) -> None:
    shutil.copytree(finished, tmp_path / "runs" / "b" / "same")
    listing = Listing([tmp_path / "runs"])
    first = listing["same"].path
    shutil.copytree(finished, tmp_path / "runs" / "a" / "same")
    listing.refresh()
    assert listing["same"].path == first
    assert set(listing) == {"same", "same-2"}


def test_a_listing_of_nothing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(RunError, match="there is no run in it"):
        Listing([tmp_path])


def test_a_run_is_running_while_its_lock_is_held(going: Going, tmp_path: Path) -> None:
    site = site_of(tmp_path / "runs")
    assert state(site, "going/live.json")["running"]
    assert state(site, "live.json")["running"]
    assert "Running: 0 of 8 episodes finished" in text(site, "going/index.html")
    going.stop()
    assert not state(site, "going/live.json")["running"]
    assert not state(site, "live.json")["running"]
    page = text(site, "going/index.html")
    assert BADGE not in page
    assert "Running" not in page
    assert "resume the run" in page


def test_looking_whether_a_run_is_played_does_not_keep_others_from_playing_it(going: Going, tmp_path: Path) -> None:
    (run,) = find_runs([tmp_path / "runs"])
    going.stop()
    assert not is_running(run)
    RunDirectory.open(run.path, hold=True).close()


def test_a_lock_of_another_process_counts(finished: Path, tmp_path: Path) -> None:
    path = shutil.copytree(finished, tmp_path / "run")
    script = (
        f"from pathlib import Path; from evals.run.directory import take_lock; lock = take_lock(Path({str(path)!r}))"
    )
    command = [sys.executable, "-c", f"{script}; print('held', flush=True); input()"]
    (run,) = find_runs([Path(path)])
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "held\n"
        assert is_running(run)
        process.communicate("over\n", timeout=30)
    assert not is_running(run)


@pytest.mark.parametrize("kind", ["missing", "pipe", "link"])
def test_a_lock_that_is_none_holds_nobody_up(finished: Path, tmp_path: Path, kind: str) -> None:
    path = Path(shutil.copytree(finished, tmp_path / "run"))
    (path / "lock").unlink()
    if kind == "pipe":  # to open one would wait for ever
        os.mkfifo(path / "lock")
    elif kind == "link":
        (tmp_path / "elsewhere").write_text("")
        (path / "lock").symlink_to(tmp_path / "elsewhere")
    (run,) = find_runs([path])
    assert not is_running(run)


def test_the_stamp_changes_with_what_a_page_shows_and_not_otherwise(going: Going, tmp_path: Path) -> None:
    site = site_of(tmp_path / "runs")
    stamps = [state(site, "going/live.json")["stamp"]]
    assert state(site, "going/live.json")["stamp"] == stamps[0]
    changes: list[Callable[[], None]] = [partial(going.grow, "misled", 5), partial(going.finish, "misled"), going.stop]
    for change in changes:
        change()
        stamps.append(state(site, "going/live.json")["stamp"])
        assert state(site, "live.json")["stamp"] != stamps[-1]
    assert len(set(stamps)) == len(stamps)


def test_an_episode_is_followed_until_it_has_a_result(going: Going, tmp_path: Path) -> None:
    site = site_of(tmp_path / "runs")
    going.grow("misled", 10)
    address = "going/data/misled/live.json"
    first = state(site, address)
    assert first["running"]
    assert BADGE in text(site, "going/episodes/misled.html")
    going.grow("misled", 20)
    second = state(site, address)
    assert second["running"]
    assert second["stamp"] != first["stamp"]
    going.finish("misled")
    third = state(site, address)
    assert not third["running"]
    assert third["stamp"] != second["stamp"]
    assert BADGE not in text(site, "going/episodes/misled.html")
    assert site.get("going/data/nobody/live.json") is None


def test_an_export_of_a_run_that_is_running_has_nothing_live(going: Going, tmp_path: Path) -> None:
    going.finish("misled")
    going.grow("solved", 10)
    export(find_runs([tmp_path / "runs"]), tmp_path / "pages")
    pages = [path.read_text() for path in (tmp_path / "pages").rglob("*.html")]
    assert len(pages) == 5
    assert not any("plumbline-live" in page or BADGE in page or "Running" in page for page in pages)
    assert not list((tmp_path / "pages").rglob("live.json"))
    site = Site.of(find_runs([tmp_path / "runs"]))
    assert [site.get(f"{way}live.json") for way in ("", "going/", "going/data/misled/")] == [None, None, None]
