"""What the viewer shows: every address leads somewhere, and the data say what the trace says."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import pytest

from evals.labels import add_label, label_sets, new_label
from evals.run.directory import RunError
from evals.run.trace import read_trace
from evals.view.export import export
from evals.view.frame import data_script
from evals.view.shown import find_runs
from evals.view.site import Site
from planners.outcome import Planner
from tests.viewing import CONFIG, HOSTILE, LONG, make_run
from tools.events import Acted, Asked, CalledOff, Planned


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", planner).path


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy that a test may spoil."""
    return Path(shutil.copytree(finished, tmp_path / "run"))


def site_of(*paths: Path) -> Site:
    return Site.of(find_runs(paths))


def data(site: Site, address: str) -> Any:
    """The value that a data script hands over."""
    content = site.get(address)
    assert content is not None, address
    name, _, quoted = content.body.decode().removeprefix("plumbline.take(").partition(", ")
    assert json.loads(name) == address.rpartition("/")[2].removesuffix(".js")
    text = re.sub(r"\\(u202[89]|.)", lambda m: chr(int(m[1][1:], 16)) if m[1][1:] else m[1], quoted.strip()[1:-3])
    return json.loads(text)


class Links(HTMLParser):
    """What a page leads to."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline = 0
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.found += [value for key in ("href", "src") if (value := named.get(key))]
        self.inline += (tag == "script" and "src" not in named) or tag == "style"
        self.inline += any(name.startswith("on") or name == "style" for name in named)


def test_every_address_has_something(finished: Path) -> None:
    site = site_of(finished)
    addresses = list(site.addresses())
    assert len(addresses) == len(set(addresses)) > 40
    assert all(site.get(address) for address in addresses)


def test_links_and_scripts_of_pages_lead_somewhere_and_nothing_is_inline(finished: Path) -> None:
    site = site_of(finished)
    pages = [address for address in site.addresses() if address.endswith(".html")]
    assert len(pages) == 11
    for address in pages:
        content = site.get(address)
        assert content
        links = Links(content.body.decode())
        assert links.inline == 0
        for link in (link for link in links.found if not link.startswith("#")):
            target = PurePosixPath(address).parent / unquote(link.partition("#")[0])
            parts: list[str] = []
            for part in target.parts:
                parts = parts[:-1] if part == ".." else [*parts, part]
            assert site.get("/".join(parts)), f"{address} leads to {link}"


def test_an_episode_is_told_as_the_trace_has_it(finished: Path) -> None:
    site = site_of(finished)
    for name in ("solved", "misled", "proposes", "blind"):
        told, records = data(site, f"run/data/{name}/episode.js"), read_trace(finished / "episodes" / f"{name}.jsonl")
        asked = [record for record in records if isinstance(record.event, Asked) and record.event.of_fact]
        columns = told["asked"]
        assert columns["count"] == len(asked)
        for record in asked:
            event = record.event
            assert isinstance(event, Asked)
            answers = [
                (columns["answer"][at], columns["truth"][at], told["replies"][columns["reply"][at]])
                for at in range(columns["count"])
                if told["atoms"][columns["atom"][at]] == event.about
            ]
            assert (int(bool(event.value)), int(bool(record.truth.value)), event.reply) in answers
        attempts = [r.event.action for r in records if isinstance(r.event, Acted | CalledOff)]
        assert [step["action"] for step in told["steps"] if step["action"]] == attempts


def test_a_step_without_an_attempt_says_how_the_episode_ended(run: Path) -> None:
    assert data(site_of(run), "run/data/blind/episode.js")["steps"][-1]["mark"] == "ended: no plan"
    path = run / "episodes" / "blind.jsonl"
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert data(site_of(run), "run/data/blind/episode.js")["steps"][-1]["mark"] == "breaks off before an attempt"


def test_beliefs_add_up_to_what_was_planned_from(finished: Path) -> None:
    told = data(site_of(finished), "run/data/misled/episode.js")
    records = read_trace(finished / "episodes" / "misled.jsonl")
    plans = [set(record.event.belief) for record in records if isinstance(record.event, Planned)]
    held: set[str] = set()
    for step in told["steps"]:
        for kind, *what in step["items"]:
            if kind == "believed":
                for change in what[0]:
                    (held.add if change > 0 else held.discard)(told["atoms"][abs(change) - 1])
            elif kind == "planned":
                assert held == plans.pop(0)
    assert plans == []


def test_the_divergence_names_the_answer_that_caused_it(finished: Path) -> None:
    told = data(site_of(finished), "run/data/misled/episode.js")
    atom, value, first, _, cause, answer = told["timeline"]["spells"][0]
    assert (told["atoms"][atom], value, first, cause) == ("clear g", 0, 0, "answer")
    assert told["asked"]["atom"][answer] == atom
    assert told["verdict"]["price"] == "cost"
    parts = [part for item in told["verdict"]["divergence"][0][-1]["items"] for part in item]
    assert {"answer": answer, "text": f"“{told['wordings'][atom]}” was answered no"} in parts


def test_long_replies_are_in_files_of_their_own(finished: Path) -> None:
    site = site_of(finished)
    told = data(site, "run/data/wordy/episode.js")
    ((beginning, length, chunk),) = [reply for reply in told["replies"] if isinstance(reply, list)]
    assert LONG.startswith(beginning)
    assert length == len(LONG)
    assert data(site, f"run/data/wordy/replies-{chunk}.js")[0][1] == LONG
    content = site.get("run/data/wordy/episode.js")
    assert content
    assert len(content.body) < 40_000


def test_hostile_words_are_only_ever_data(finished: Path) -> None:
    site = site_of(finished)
    for address in site.addresses():
        content = site.get(address)
        assert content
        if content.type.startswith("text/html"):
            assert b"<script>" not in content.body
            assert b"<b>bold</b>" not in content.body
    told = data(site, "run/data/hostile/episode.js")
    assert HOSTILE in told["replies"]


def test_names_mean_nothing_to_the_language() -> None:
    written = data_script("x", {"__proto__": {"a": "'\\\u2028\n</script>"}})
    assert written.startswith('plumbline.take("x", \'{')
    assert "\u2028" not in written
    assert written.count("\n") == 1


def test_numbers_that_json_has_no_word_for_are_left_out() -> None:
    assert data_script("x", {"a": [1.5, float("nan")], "b": float("inf")}).endswith('\'{"a":[1.5,null],"b":null}\');\n')


def test_scripts_never_make_markup_of_strings() -> None:
    scripts = [path.read_text() for path in (Path(__file__).parents[2] / "evals").rglob("assets/*.js")]
    assert len(scripts) >= 25
    forbidden = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|new Function|srcdoc|setTimeout\(['\"]"
    )
    assert [match for script in scripts for match in forbidden.findall(script)] == []


def test_sketches_and_scenes_belong_together(finished: Path) -> None:
    site = site_of(finished)
    told, drawn = data(site, "run/data/solved/episode.js"), data(site, "run/data/solved/sketches-0.js")
    assert [number for number, _ in drawn] == list(range(len(told["scenes"])))
    assert {tree[0] for _, tree in drawn} == {"svg"}
    assert [step["before"] for step in told["steps"]] == sorted(step["before"] for step in told["steps"])


def rubbish(path: Path) -> None:
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(
        b"".join([*lines[:5], b"\x00\xff\xfe rubbish \x80\n", b'{"event": {"type": "asked"}}\n', *lines[5:]])
    )


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def noise(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 50)


def cut(path: Path) -> None:
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-2]) + b'{"event": {"ty')


@pytest.mark.parametrize(
    ("spoil", "damaged", "gone"),
    [
        (rubbish, 2, ""),
        (cut, 0, "breaks off"),
        (emptied, 0, "breaks off"),
        (noise, 50, "breaks off"),
        (Path.unlink, 0, "is missing"),
    ],
)
def test_a_damaged_trace_gives_a_notice_and_no_crash(
    run: Path, spoil: Callable[[Path], None], damaged: int, gone: str
) -> None:
    steps = data(site_of(run), "run/data/misled/episode.js")["steps"]
    spoil(run / "episodes" / "misled.jsonl")
    site = site_of(run)
    assert site.get("run/episodes/misled.html")
    told = data(site, "run/data/misled/episode.js")
    assert told["damaged"] == damaged
    assert gone in told["gone"] if gone else not told["gone"]
    if told["steps"]:  # and nothing is claimed of what nobody can know any more
        assert told["verdict"]["divergence"] == [
            ["The readable rest of the trace does not show where belief and truth parted."]
        ]
    if damaged == 2:
        assert told["steps"] == steps != []
        assert told["damage"][0].startswith("line 6: ")


@pytest.mark.parametrize("name", ["run.json", "results.jsonl"])
def test_a_damaged_run_is_shown_with_a_notice(run: Path, name: str) -> None:
    (run / name).write_bytes(b"\x00\xff{not json\n")
    site = site_of(run)
    page = site.get("run/index.html")
    assert page
    assert b'class="notice"' in page.body
    assert b"damaged" in page.body or b"cannot be read" in page.body
    assert b">damaged<" in (site.get("index.html") or page).body
    assert all(site.get(address) for address in site.addresses())


def test_an_episode_that_is_still_is_running_is_shown_as_far_as_it_is(run: Path) -> None:
    trace = (run / "episodes" / "misled.jsonl").read_bytes()
    (run / "episodes" / "going_on.jsonl").write_bytes(trace[: len(trace) // 2])
    site = site_of(run)
    assert data(site, "run/episodes.js")["rows"][-1]["outcome"] == "unfinished"
    told = data(site, "run/data/going_on/episode.js")
    assert not told["finished"]
    assert told["damaged"] == 0
    assert told["steps"]


def test_what_changes_on_the_disk_is_read_again(run: Path) -> None:
    site = site_of(run)
    assert data(site, "run/data/misled/run.js")["labels"] == []
    given = {"episode": "misled", "set": "viplan", "label": "parsing", "who": "Ada"}
    add_label(run, new_label(given, ["misled"], label_sets(CONFIG)))
    assert data(site, "run/data/misled/run.js")["labels"][0]["who"] == "Ada"
    page = site.get("run/index.html")
    assert page
    assert "Labels given by people" in page.body.decode()


def test_an_episode_counts_once_however_many_say_the_same(run: Path) -> None:
    for episode, who in (("misled", "Ada"), ("misled", "Bea"), ("blind", "Ada")):
        given = {"episode": episode, "set": "embodiedeval", "label": "wrong_planning", "who": who}
        add_label(run, new_label(given, ["misled", "blind"], label_sets(CONFIG)))
    page = site_of(run).get("run/index.html")
    assert page
    (people,) = re.findall(r"Labels given by people.*?by 2 people", page.body.decode(), re.DOTALL)
    assert "3 labels" in people
    assert re.findall(r'class="value"[^>]*>(\d+)<', people) == ["2"]


def test_filters_have_what_they_filter_by(finished: Path) -> None:
    rows = {row["id"]: row for row in data(site_of(finished), "run/episodes.js")["rows"]}
    assert rows["misled"]["missed"] == ["clear"]
    assert rows["solved"]["missed"] == []
    assert {row["outcome"] for row in rows.values()} == {"success", "failure"}
    assert rows["hostile"]["class"] == "parsing"


def test_an_export_is_what_the_site_shows(finished: Path, tmp_path: Path) -> None:
    count = export(find_runs([finished]), tmp_path / "pages")
    files = {path.relative_to(tmp_path / "pages").as_posix(): path for path in (tmp_path / "pages").rglob("*.*")}
    site = site_of(finished)
    assert count == len(files)
    assert set(files) == set(site.addresses())
    assert all(content.body == files[a].read_bytes() for a in files if (content := site.get(a)))
    assert b"plumbline-token" not in files["run/episodes/misled.html"].read_bytes()


def test_an_export_mixes_nothing_up(finished: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Ada")
    with pytest.raises(RunError, match="is not empty"):
        export(find_runs([finished]), tmp_path)


def test_runs_of_one_name_have_names_of_their_own(finished: Path, tmp_path: Path) -> None:
    for folder in ("one", "two"):
        shutil.copytree(finished, tmp_path / folder / "assets")
    runs = find_runs([tmp_path / "one", tmp_path / "two", tmp_path / "one" / "assets"])
    assert [run.key for run in runs] == ["assets-2", "assets-3"]


def test_the_cells_of_a_sweep_are_runs_and_reruns_are_not(finished: Path, tmp_path: Path) -> None:
    cell = Path(shutil.copytree(finished, tmp_path / "sweep" / "cells" / "ground"))
    shutil.copytree(finished, cell / "reruns" / "again")
    assert [run.path for run in find_runs([tmp_path])] == [cell]


@pytest.mark.parametrize("content", [b"\x00\xff", b"[]", b'{"episodes": [{"id": "misled"}]}', b'{"episodes": 7}'])
def test_a_blame_that_cannot_be_read_is_left_out(run: Path, content: bytes) -> None:
    (run / "blame").mkdir()
    (run / "blame" / "blame.json").write_bytes(content)
    assert data(site_of(run), "run/data/misled/run.js")["saved"] is None


def test_what_reruns_have_shown_is_said(run: Path) -> None:
    (run / "blame").mkdir()
    told = [{"id": "misled", "saved_by": [["perception"], ["planning", "actions"]]}, {"id": "blind", "saved_by": []}]
    (run / "blame" / "blame.json").write_text(json.dumps({"episodes": told}))
    site = site_of(run)
    assert data(site, "run/data/misled/run.js")["saved"] == ["perception", "planning + actions"]
    rows = {row["id"]: row["saved"] for row in data(site, "run/episodes.js")["rows"]}
    assert (rows["misled"], rows["blind"], rows["solved"]) == (["perception", "planning + actions"], ["nothing"], [])


def test_only_a_server_says_where_a_run_lies(run: Path) -> None:
    again = {
        token: data(Site.of(find_runs([run]), token), "run/data/misled/run.js")["again"] for token in (None, "token")
    }
    words = "--episode misled --from-step 0 --with oracle-answers"
    assert again == {None: f"python -m evals.rerun RUN {words}", "token": f"python -m evals.rerun {run} {words}"}
    assert data(site_of(run), "run/data/solved/run.js")["again"] is None
