"""A model with scripted replies: the same text every time, or one that depends on the request.

scripted:Yes             always replies Yes: the constant-answer control
scripted:answers.json    replies by fact or question: {"on r,b": "Yes", "*": "No"}
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from models.base import Options, Reply, Request
from planners.facts import words
from planners.files import read_json

USAGE = "scripted:TEXT | scripted:FILE.json   always replies TEXT, or the file's reply for the fact asked about"

Script = Callable[[Request], str | Reply]


class Scripted:
    """Replies by a function of the request. Requests are kept in `asked`, unless `keep` is False."""

    looks = False
    simulated = False
    cacheable = False

    def __init__(self, script: Script, identity: str = "scripted", *, keep: bool = True) -> None:
        self.identity = identity
        self.asked: list[Request] = []
        self._script, self._keep = script, keep

    async def ask(self, request: Request) -> Reply:
        """The script's reply."""
        if self._keep:
            self.asked.append(request)
        reply = self._script(request)
        return Reply(reply) if isinstance(reply, str) else reply


def always(text: str) -> Script:
    """The same reply to everything."""
    return lambda request: text


def in_order(replies: Iterable[str]) -> Script:
    """One reply after the other."""
    left = iter(replies)
    return lambda request: next(left)


def by_fact(answers: dict[str, str]) -> Script:
    """Replies by fact, in any notation, or by the text of the question; `*` is the reply to everything else."""
    written = {words(key): answer for key, answer in answers.items()}

    def script(request: Request) -> str:
        asked = words(str(request.about)) if request.about else ()
        if asked and asked in written:
            return written[asked]
        return answers.get(request.text.rpartition("\n")[2], answers.get("*", ""))

    return script


def load(rest: str, options: Options) -> Scripted:
    """Load the model of a spec that starts with `scripted:`."""
    if options:
        raise ValueError("scripted takes no options")
    if not rest.endswith(".json"):
        return Scripted(always(rest or "Yes"), f"scripted:{rest or 'Yes'}", keep=False)
    try:
        answers = read_json(Path(rest))
    except ValueError as error:
        raise ValueError(f"{rest}: cannot be read as a script: {error}") from None
    if not isinstance(answers, dict) or not all(isinstance(value, str) for value in answers.values()):
        raise ValueError(f'{rest}: a script is a JSON object of texts, such as {{"on r,b": "Yes", "*": "No"}}')
    digest = hashlib.sha256(json.dumps(answers, sort_keys=True).encode()).hexdigest()[:12]
    return Scripted(by_fact(answers), f"scripted:{Path(rest).name} {digest}", keep=False)
