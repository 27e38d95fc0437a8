"""The viewer's server gives away nothing outside its runs, and takes nothing from strangers."""

from __future__ import annotations

import http.client
import json
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from evals.labels import read_labels
from evals.view.redrawing import CannotDraw
from evals.view.server import Server
from evals.view.shown import find_runs
from evals.view.site import Site
from evals.viplan.benchmark import ViPlan
from evals.viplan.domains.base import ViPlanSettings
from planners.outcome import Planner
from tests.viewing import make_run

SECRET = "the treasure is under the oak"
GIVEN = {"run": "run", "episode": "misled", "set": "viplan", "label": "parsing", "who": "Ada", "comment": "<b>so</b>"}


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory, planner: Planner) -> Path:
    return make_run(tmp_path_factory.mktemp("runs") / "run", planner).path


@pytest.fixture
def run(finished: Path, tmp_path: Path) -> Path:
    """A copy of the run beside a secret, with links that lead to it."""
    (tmp_path / "secret.txt").write_text(SECRET)
    (tmp_path / "secret.json").write_text(json.dumps({"settings": {}, "secret": SECRET}))
    run = Path(shutil.copytree(finished, tmp_path / "shown" / "run"))
    (run / "pictures" / f"{'a' * 64}.png").symlink_to(tmp_path / "secret.txt")
    (run / "episodes" / "linked.jsonl").symlink_to(tmp_path / "secret.txt")
    (run / "answers.sqlite").write_text(SECRET)
    return run


@pytest.fixture
def server(run: Path) -> Iterator[Server]:
    server = Server(find_runs([run]))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def ask(
    server: Server, method: str, address: str, body: bytes = b"", **headers: str
) -> tuple[int, bytes, dict[str, str]]:
    """One request, word for word: no client tidies up the address."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    connection.putrequest(method, address, skip_host=True, skip_accept_encoding=True)
    named = {"Host": f"127.0.0.1:{server.port}", **{name.replace("_", "-"): value for name, value in headers.items()}}
    for name, value in named.items():
        if value:
            connection.putheader(name, value)
    if method == "POST" and "Content-Length" not in named:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body or None)
    response = connection.getresponse()
    told = response.status, response.read(), dict(response.getheaders())
    connection.close()
    return told


def post(server: Server, given: Any = None, **headers: str) -> tuple[int, str]:
    """A label as our own page would send it, but for what a test changes."""
    ours = {
        "Origin": server.url.rstrip("/"),
        "X_Plumbline_Token": server.token,
        "Content_Type": "application/json",
    }
    body = given if isinstance(given, bytes) else json.dumps(GIVEN if given is None else given).encode()
    status, said, _ = ask(server, "POST", "/labels", body, **{**ours, **headers})
    return status, said.decode()


OUTSIDE = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/run/../../secret.txt",
    "/run/..%2f..%2fsecret.txt",
    "/run/pictures/../../../secret.txt",
    "/run/pictures/..%2f..%2f..%2fsecret.txt",
    "/run/pictures/%2e%2e/%2e%2e/%2e%2e/secret.txt",
    "/run/pictures/..%252f..%252fsecret.txt",
    "/run/pictures/..%5c..%5csecret.txt",
    f"/run/pictures/{'a' * 64}.png",
    "/run/episodes/linked.html",
    "/run/episodes/..%2f..%2f..%2fsecret.html",
    "/run/data/linked/episode.js",
    "/run/data/..%2f..%2f..%2fsecret/episode.js",
    "/run/data/misled/../../../../secret.txt",
    "/run/data/misled/replies-99999999999999999999.js",
    "/run/data/linked/live.json",
    "/run/data/..%2f..%2f..%2fsecret/live.json",
    "/run/lock",
    "/compare/..%2fsecret.txt.html",
    "/compare/run,..%2fsecret.txt.html",
    "/compare/run/../../../secret.txt",
    "/secret/live.json",
    "/run/answers.sqlite",
    "/run/run.json",
    "/run/episodes/misled.jsonl",
    "/assets/../../../../pyproject.toml",
    "/assets/..%2f__init__.py",
    "/assets/..%2fserver.py",
    "/run/pictures/%00.png",
    "//etc/passwd",
    "/etc/passwd",
    "/file:///etc/passwd",
    "http://127.0.0.1/etc/passwd",
    "/" + "a" * 5000,
    "/run/" + "%2e%2e%2f" * 500 + "etc/passwd",
]


@pytest.mark.parametrize("address", OUTSIDE, ids=lambda address: address[:60])
def test_nothing_outside_is_served(server: Server, address: str) -> None:
    status, body, _ = ask(server, "GET", address)
    assert status == 404
    assert SECRET.encode() not in body
    assert b"root:" not in body


def test_what_is_inside_is_served(server: Server) -> None:
    for address in server.site.addresses():
        status, body, headers = ask(server, "GET", f"/{address}")
        assert status == 200
        assert SECRET.encode() not in body
        assert headers["X-Content-Type-Options"] == "nosniff"
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    status, body, headers = ask(server, "HEAD", "/index.html")
    assert (status, body) == (200, b"")
    assert int(headers["Content-Length"]) > 0


@pytest.mark.parametrize("address", ["live.json", "run/live.json", "run/data/misled/live.json", "compare/run.html"])
def test_what_only_a_server_has_is_as_guarded_as_the_rest(server: Server, address: str) -> None:
    status, body, headers = ask(server, "GET", f"/{address}")
    assert status == 200
    assert SECRET.encode() not in body
    assert headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert headers["Cache-Control"] == "no-store"
    assert ask(server, "GET", f"/{address}", Host="evil.example")[0] == 421
    assert ask(server, "GET", f"/{address}", Sec_Fetch_Site="cross-site")[0] == 403


@pytest.mark.parametrize("name", ["run.json", "results.jsonl"])
def test_files_of_a_run_that_are_links_are_not_read(run: Path, name: str, tmp_path: Path) -> None:
    (run / name).unlink()
    (run / name).symlink_to(tmp_path / "secret.json")
    runs = find_runs([run])
    contents = runs[0].contents()
    assert SECRET not in str(contents)
    assert any("leads out of the run" in notice for notice in contents.notices)


def test_a_result_with_a_way_out_for_a_name_is_left_out(run: Path) -> None:
    lines = (run / "results.jsonl").read_text().splitlines()
    strange = {**json.loads(lines[0]), "id": "../../../secret"}
    (run / "results.jsonl").write_text("\n".join([*lines, json.dumps(strange)]) + "\n")
    contents = find_runs([run])[0].contents()
    assert "../../../secret" not in {result.id for result in contents.results}
    assert any("cannot be the name of a file" in notice for notice in contents.notices)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil:{port}", ""]
)
def test_another_name_than_ours_is_refused(server: Server, host: str) -> None:
    status, body, _ = ask(server, "GET", "/index.html", Host=host.format(port=server.port))
    assert status == 421
    assert b"ground" not in body


def test_localhost_is_our_name_too(server: Server) -> None:
    assert ask(server, "GET", "/", Host=f"localhost:{server.port}")[0] == 200


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_pages_of_other_sites_get_nothing(server: Server, site: str) -> None:
    status, body, _ = ask(server, "GET", "/run/data/misled/episode.js", Sec_Fetch_Site=site)
    assert status == 403
    assert b"take" not in body


def test_a_label_of_our_own_page_is_kept(server: Server, run: Path) -> None:
    assert post(server) == (201, "kept\n")
    (label,) = read_labels(run)[0]
    assert (label.episode, label.label, label.comment) == ("misled", "parsing", "<b>so</b>")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"X_Plumbline_Token": ""}, 403),
        ({"X_Plumbline_Token": "guess"}, 403),
        ({"X_Plumbline_Token": "ü"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": "application/x-www-form-urlencoded"}, 415),
        ({"Content_Length": "1000000000"}, 413),
        ({"Content_Length": "-1"}, 413),
        ({"Content_Length": "many"}, 413),
    ],
)
def test_a_label_of_a_stranger_is_refused(server: Server, run: Path, headers: dict[str, str], status: int) -> None:
    assert post(server, **headers)[0] == status
    assert not (run / "labels.jsonl").exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (b"\xff\x00", "a JSON object"),
        ([1, 2], "a JSON object"),
        (b"[" * 50_000, "a JSON object"),
        ({**GIVEN, "run": "../run"}, "no such run"),
        ({**GIVEN, "episode": "../misled"}, "no episode"),
        ({**GIVEN, "label": "nonsense"}, "no label 'nonsense'"),
        ({**GIVEN, "who": ""}, "the name of who gives it"),
    ],
)
def test_a_label_without_sense_is_refused_with_a_reason(server: Server, run: Path, given: Any, said: str) -> None:
    status, told = post(server, given)
    assert status == 400
    assert said in told
    assert not (run / "labels.jsonl").exists()


def test_labels_do_not_go_through_links(server: Server, run: Path, tmp_path: Path) -> None:
    (run / "labels.jsonl").symlink_to(tmp_path / "secret.txt")
    assert post(server)[0] == 403
    assert (tmp_path / "secret.txt").read_text() == SECRET


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_nothing_else_is_understood(server: Server, method: str) -> None:
    assert ask(server, method, "/index.html")[0] == 501


def test_posting_elsewhere_does_nothing(server: Server) -> None:
    assert ask(server, "POST", "/run/index.html", b"{}")[0] == 404


def test_it_listens_on_loopback_only(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_run_never_makes_us_run_its_agent(run: Path, tmp_path: Path) -> None:
    trap = tmp_path / "trap.py"
    trap.write_text(f"open({str(tmp_path / 'sprung')!r}, 'w')\ndef build(): ...\n")
    config = json.loads((run / "run.json").read_text())
    config["settings"]["agent"] = f"{trap}:build"
    config["settings"]["model"] = f"langchain:{trap.stem}:build"
    # The problems are those of the run, so that nothing but its agent and model could keep it from being drawn.
    config["fingerprints"] |= ViPlan().fingerprints(ViPlanSettings(domain="blocksworld"))
    (run / "run.json").write_text(json.dumps(config))
    server = Server(find_runs([run]))
    for address in server.site.addresses():
        assert server.site.get(address)
    with pytest.raises(CannotDraw, match="no episode 'misled'"):
        server.site.get("run/data/misled/drawn-0.png")
    server.server_close()
    assert not (tmp_path / "sprung").exists()


def test_a_run_never_makes_us_call_a_server(run: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as elsewhere:
        config = json.loads((run / "run.json").read_text())
        config["settings"] |= {"domain": "household", "env_url": f"http://127.0.0.1:{elsewhere.getsockname()[1]}"}
        (run / "run.json").write_text(json.dumps(config))
        site = Site.of(find_runs([run]), "token")
        told = site.get("run/data/misled/drawing.js")
        assert told
        assert b"behind a server" in told.body
        elsewhere.setblocking(False)
        with pytest.raises(BlockingIOError):
            elsewhere.accept()
