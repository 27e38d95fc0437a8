"""The page on which a person plays EmbodiedEval, in a real browser."""

from __future__ import annotations

import re
import threading
from typing import Any

from evals.embodiedeval.player.server import PlayerServer
from models.base import Kind, Message, Request
from models.person import Desk
from tests.small_worlds import Sketch

OPTIONS = ("move forward", "turn left", *(f"pick up the cup {number}" for number in range(1, 11)))


def test_keys_and_buttons_choose(browser: Any) -> None:
    desk = Desk()
    server = PlayerServer(desk, "anna")
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    request = Request((Message("user", (Sketch(), "Your task: go.")),), Kind.CHOICE, options=OPTIONS)
    page = browser.new_page()
    try:
        for keys, text in ((["a"], "Choice: [2]"), (["3"], "Choice: [3]"), (["1", "2"], "Choice: [12]")):
            asked = desk.put(request)
            page.goto(server.url)
            page.get_by_role("button", name=re.compile("pick up the cup 10")).wait_for()
            for key in keys:
                page.keyboard.press(key)
            assert asked.reply.result(20) == text
        asked = desk.put(request)
        page.get_by_role("button", name="W move forward").click()
        assert asked.reply.result(20) == "Choice: [1]"
    finally:
        page.close()
        server.shutdown()
        server.server_close()
