"""The server of the page, on loopback and for our own page only. It shows the waiting request and takes the choice."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

from evals.embodiedeval.player.page import player_page
from evals.pages.serving import (
    HTML,
    PICTURE,
    STATE,
    LoopbackHandler,
    LoopbackServer,
    Refused,
    Response,
    read_assets,
    shared_assets,
)
from models.person import Asked, Desk

ASSETS = Path(__file__).parent / "assets"
LONGEST = 1000
"""The most bytes of a choice."""
_PICTURE = re.compile(r"/pictures/(\d{1,9})-(\d{1,3})\.png")


class Handler(LoopbackHandler):
    """Answers GET with the page and its data, and POST with a choice."""

    server: PlayerServer

    def do_GET(self) -> None:  # noqa: N802
        """Send the page, an asset, the state or a picture."""
        try:
            self.check_host()
            found = self.server.get(self.path.partition("?")[0])
        except Refused as refused:
            self.send_text(refused.status, str(refused))
        except Exception as error:  # a picture that cannot be drawn
            self.send_text(HTTPStatus.INTERNAL_SERVER_ERROR, f"this cannot be shown: {type(error).__name__}: {error}")
        else:
            self.send(HTTPStatus.OK, found) if found else self.send_text(HTTPStatus.NOT_FOUND, "there is nothing here")

    do_HEAD = do_GET  # noqa: N815

    def do_POST(self) -> None:  # noqa: N802
        """Take a choice."""
        try:
            self.check_host()
            given = self.read_post("/choices", "choice", LONGEST)
        except Refused as refused:
            self.send_refusal(refused)
            return
        if not self.server.take(given or {}):
            self.send_text(HTTPStatus.CONFLICT, "this cannot be chosen any more")
            return
        self.send(HTTPStatus.CREATED, Response(STATE, b"{}"))


class PlayerServer(LoopbackServer):
    """Shows the requests of a desk."""

    def __init__(self, desk: Desk, who: str, port: int = 0) -> None:
        super().__init__(Handler, port)
        self.desk, self.who, self.over = desk, who, False
        self._assets = {**shared_assets(), **read_assets(ASSETS)}

    def get(self, path: str) -> Response | None:
        """The response for a path; None if there is none."""
        if path in ("/", "/index.html"):
            return Response(HTML, player_page(self.who, self.token).encode())
        if path == "/state.json":
            return Response(STATE, json.dumps(self.state()).encode())
        picture = _PICTURE.fullmatch(path)
        if picture:
            return self._picture(int(picture[1]), int(picture[2]))
        return self._assets.get(path.removeprefix("/assets/")) if path.startswith("/assets/") else None

    def state(self) -> Mapping[str, Any]:
        """The data of the page: the waiting request, if there is one."""
        asked = self.desk.next()
        if asked is None:
            return {"number": 0, "over": self.over}
        return {
            "number": asked.number,
            "text": text_of(asked),
            "options": list(asked.request.options),
            "pictures": len(asked.request.pictures),
            "over": False,
        }

    def take(self, given: Mapping[str, Any]) -> bool:
        """Answer the waiting request with the option at a place; False if that is not possible."""
        asked, place = self.desk.next(), given.get("place")
        if asked is None or given.get("number") != asked.number or not isinstance(place, int):
            return False
        if not 0 <= place < len(asked.request.options):
            return False
        return self.desk.answer(asked.number, f"Choice: [{place + 1}]")

    def _picture(self, number: int, place: int) -> Response | None:
        asked = self.desk.next()
        if asked is None or asked.number != number or place >= len(asked.request.pictures):
            return None
        return Response(PICTURE, asked.request.pictures[place].png())


def text_of(asked: Asked) -> str:
    """The text of the prompt without the list of options, which the page shows as buttons."""
    options = asked.request.options
    listed = "\n".join(f"{number}. {option}" for number, option in enumerate(options, 1))
    return asked.request.text.replace(listed, "").strip()
