"""A person plays EmbodiedEval through the page: over HTTP as the page's script does, and in a real browser."""

from __future__ import annotations

import asyncio
import json
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from http import HTTPStatus
from pathlib import Path
from typing import Any

import pytest

from evals.embodiedeval.__main__ import main
from evals.embodiedeval.player.server import PlayerServer
from evals.run.directory import RunDirectory
from models.base import Kind, Message, Request, UnfitModel
from models.person import DESK, Desk, Person, load
from tests.small_worlds import Sketch

OPTIONS = ("move forward", "turn left", *(f"pick up the cup {number}" for number in range(1, 11)))


def wanted(text: str = "Your task: go.", options: tuple[str, ...] = OPTIONS) -> Request:
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(options, 1))
    pictures = [Sketch(f"view {number}", f"view {number}".encode()) for number in range(3)]
    return Request((Message("user", (*pictures, f"{text}\n\n{listed}")),), Kind.CHOICE, options=options)


@pytest.fixture
def server() -> Iterator[PlayerServer]:
    desk = Desk()
    desk.open = True
    server = PlayerServer(desk, "anna")
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def get(server: PlayerServer, path: str) -> bytes:
    with urllib.request.urlopen(f"{server.url}{path}") as answer:
        found: bytes = answer.read()
    return found


def post(server: PlayerServer, content: dict[str, Any], **headers: str) -> int:
    given = {"Content-Type": "application/json", "Origin": server.url.rstrip("/"), "X-Plumbline-Token": server.token}
    body = json.dumps(content).encode()
    request = urllib.request.Request(f"{server.url}choices", body, {**given, **headers}, method="POST")
    try:
        with urllib.request.urlopen(request) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def test_what_waits_is_shown_and_a_choice_is_the_reply(server: PlayerServer) -> None:
    person = Person("anna", lambda: server.desk)

    async def ask() -> str:
        task = asyncio.create_task(person.ask(wanted()))
        await asyncio.sleep(0)
        state = json.loads(await asyncio.to_thread(get, server, "state.json"))
        assert state["options"] == list(OPTIONS)
        assert state["text"] == "Your task: go."
        assert await asyncio.to_thread(get, server, f"pictures/{state['number']}-2.png") == b"view 2"
        for wrong in ({"number": 99, "place": 0}, {"number": state["number"], "place": 12}, {"place": "x"}, {}):
            assert await asyncio.to_thread(post, server, wrong) == HTTPStatus.CONFLICT
        assert await asyncio.to_thread(post, server, {"number": state["number"], "place": 1}) == HTTPStatus.CREATED
        return (await task).text

    assert asyncio.run(ask()) == "Choice: [2]"
    assert json.loads(get(server, "state.json")) == {"number": 0, "over": False}


def test_other_pages_cannot_choose(server: PlayerServer) -> None:
    asked = server.desk.put(wanted())
    content = {"number": asked.number, "place": 0}
    assert post(server, content, Origin="http://elsewhere.example") == HTTPStatus.FORBIDDEN
    assert post(server, content, **{"X-Plumbline-Token": "guess"}) == HTTPStatus.FORBIDDEN
    assert post(server, content, Host="elsewhere.example") == HTTPStatus.MISDIRECTED_REQUEST
    assert not asked.reply.done()
    for path in ("pictures/1-9.png", "pictures/7-0.png", "assets/../server.py", "nothing"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            get(server, path)


def test_a_person_without_a_page_or_a_name_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(UnfitModel, match="start it with"):
        asyncio.run(load("anna", {}).ask(wanted()))
    for rest in ("", "../x", "a b"):
        with pytest.raises(ValueError, match="needs a name"):
            load(rest, {})
    assert (
        main(["--model", "person:anna", "--agent", "choose_direct", "--limit", "1", "--out", str(tmp_path / "r")]) == 2
    )
    assert "a person answers on a page" in capsys.readouterr().err


def test_a_request_that_is_given_up_waits_no_more() -> None:
    desk = Desk()
    desk.open = True

    async def ask() -> None:
        task = asyncio.create_task(Person("anna", lambda: desk).ask(wanted()))
        await asyncio.sleep(0)
        assert desk.next() is not None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    asyncio.run(ask())
    assert desk.next() is None
    assert not desk.answer(1, "Choice: [1]")


def test_a_person_plays_a_run_like_any_other(tmp_path: Path, monkeypatch: Any) -> None:
    """The page's part is played over HTTP: always the last option, an answer, which ends a question."""
    served: list[PlayerServer] = []
    made = PlayerServer.__init__

    def keep(self: PlayerServer, *given: Any) -> None:
        made(self, *given)
        served.append(self)

    monkeypatch.setattr(PlayerServer, "__init__", keep)

    def person() -> None:
        while not served or not DESK.open:
            time.sleep(0.02)
        while DESK.open:
            time.sleep(0.02)
            asked = DESK.next()
            if asked is not None:
                post(served[0], {"number": asked.number, "place": len(asked.request.options) - 1})

    thread = threading.Thread(target=person, daemon=True)
    thread.start()
    words = ["--category", "attribute_qa", "--limit", "1", "--port", "0", "--out", str(tmp_path / "run")]
    assert main(["play", "--who", "anna", *words]) == 0
    thread.join(10)
    run = RunDirectory.open(tmp_path / "run")
    assert run.config["model"] == "person anna"
    assert [result.steps for result in run.results()] == [1]
