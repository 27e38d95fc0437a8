"""Shared by the tests of agents for questions: forms, scripted replies, and the subjects that were asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from models.base import Kind, Request
from models.scripted import Scripted
from tests.question_sets import events, questions
from tools.events import Asked

FORMS = [item.kind for item in questions(1)]
LETTERED = [Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS]


class Looking(Scripted):
    """A scripted model that needs the pictures themselves."""

    looks = True


def by_about(replies: dict[str, str], otherwise: str) -> Callable[[Request], str]:
    """Replies by the first words of what is asked about."""

    def script(request: Request) -> str:
        about = str(request.about or "")
        return next((reply for start, reply in replies.items() if about.startswith(start)), otherwise)

    return script


def asked_about(records: list[Any]) -> list[str]:
    return [event.about for event in events(records, Asked)]
