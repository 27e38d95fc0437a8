"""The data of an episode's page: steps, questions, scenes and beliefs, compact enough for ten thousand questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from evals.judges.turns import Turn, outcome_of
from evals.pages.wording import spaced
from evals.run.trace import Record, Truth
from evals.view.played import Played, about_fact
from evals.view.questions import PHASES
from evals.view.scenes import CHUNK, sketchable
from evals.view.sentences import verdict_of
from planners.names import natural
from tools.events import (
    Acted,
    Answered,
    Asked,
    Believed,
    Called,
    CalledOff,
    Ended,
    Entered,
    Looked,
    Phase,
    Planned,
    Replanned,
    Value,
)

SPENT = {"fault", "truncated", "prompt_tokens", "completion_tokens", "cost", "seconds", "cached", "attempt"}
LONGEST = 4000
"""Characters of a question that are shown; its prompt has all of it."""
REASONS = 5
"""How many damaged lines of a trace are described one by one."""


def episode_data(played: Played) -> dict[str, Any]:
    """The data of an episode's page, for JSON."""
    atoms = {atom: number for number, atom in enumerate(_atoms(played))}
    wordings = played.questions.wordings
    asked = played.questions.columns(atoms)
    steps = [_step(turn, played, atoms) for turn in played.turns]
    began, scenes = played.began, played.scenes[0]
    return {
        "id": played.result.id,
        "finished": played.finished,
        "damage": played.damage[:REASONS],
        "damaged": len(played.damage),
        "gone": played.missing,
        "limit": began.step_limit if began else None,
        "verdict": verdict_of(played),
        "atoms": list(atoms),
        "wordings": [wordings.get(atom, "") for atom in atoms],
        "phases": list(PHASES),
        "asked": asked,
        "steps": steps,
        "scenes": [[scene.sha256, scene.visible] for scene in scenes],
        "sketches": CHUNK,
        "sketchable": sketchable(scenes, played.sketch),
        "timeline": _timeline(played, atoms),
        "replies": played.replies.beginnings(),
    }


def _atoms(played: Played) -> list[str]:
    """All facts that occur, grouped by predicate."""
    found = {event.about for event in played.questions.events}
    for moment in played.course.moments:
        found.update(moment.believed, moment.doubted, moment.became_true, moment.became_false)
    for turn in played.turns:
        for record in turn.records:
            if isinstance(record.event, Believed):  # believed and dropped within one moment
                found.update(record.event.added, record.event.dropped)
            elif isinstance(record.event, Planned):
                found.update(record.truth.wrong or ())
    return sorted(found, key=_by_first_word)


def _by_first_word(atom: str) -> tuple[str, list[tuple[int, str]]]:
    word, _, rest = atom.partition(" ")
    return word, natural(rest)


def _step(turn: Turn, played: Played, atoms: dict[str, int]) -> dict[str, Any]:
    over = bool(played.records) and isinstance(played.records[-1].event, Ended)
    mark, tone = f"ended: {spaced(played.result.reason)}" if over else "breaks off before an attempt", None
    if turn.attempt:
        mark, tone = outcome_of(turn.attempt)
    numbers = played.scenes[1]
    return {
        "action": turn.action,
        "mark": mark,
        "tone": tone or "",
        "before": numbers.get(id(turn.before), -1),
        "after": numbers.get(id(turn.after), -1),
        "items": list(_items(turn, played, atoms)),
    }


def _items(turn: Turn, played: Played, atoms: dict[str, int]) -> Iterator[list[Any]]:
    """The events of a turn, in order; questions of one round are grouped."""
    for phase, group in groupby(turn.records, key=_phase):
        records = list(group)
        if phase >= 0:
            yield ["asked", phase, played.questions.numbers[id(records[0])], len(records)]
        else:
            yield from filter(None, (_item(record, played, atoms) for record in records))


def _phase(record: Record) -> int:
    event = record.event
    if not isinstance(event, Asked) or not about_fact(record):
        return -1
    return PHASES.index(event.phase) if event.phase in PHASES else PHASES.index(Phase.FREE)


def _item(record: Record, played: Played, atoms: dict[str, int]) -> list[Any] | None:
    event, truth = record.event, record.truth
    match event:
        case Entered():
            return ["entered", event.node]
        case Believed():
            return ["believed", signed(event.added, event.dropped, atoms)]
        case Planned():
            fields = event.model_dump(mode="json", include={"status", "plan", "engine", "seconds", "cached", "message"})
            held = frozenset(event.belief)
            wrong = truth.wrong or ()
            return ["planned", {**fields, "wrong": [[atoms[atom], int(atom in held)] for atom in wrong]}]
        case Asked():
            fields = event.model_dump(mode="json", include=SPENT)
            links = {"reply": played.replies.add(event.reply), "prompt": played.prompts.add(event.prompt)}
            if event.proposes or event.decides:
                return ["proposed" if event.proposes else "decided", {**fields, **links, "wanted": event.actions}]
            asked = {"kind": event.kind, "question": event.question[:LONGEST], "options": event.options}
            return ["said", {**fields, **links, **asked, **_judged(event.value, truth)}]
        case Answered():
            return ["answered", _judged(event.value, truth)]
        case Looked():
            return ["looked", {"what": event.what, "picture": event.picture, "sha256": hashed(event.sha256)}]
        case Called():
            fields = {"name": event.name, "arguments": event.arguments, "fault": event.fault}
            return ["called", {**fields, "result": played.replies.add(event.result)}]
        case CalledOff():
            return ["called_off", {"action": event.action, "unmet": event.unmet, "legal": truth.legal}]
        case Acted():
            fields = {"action": event.action, "outcome": event.outcome, "refused": event.refused}
            return ["acted", {**fields, "legal": truth.legal, "happened": truth.happened, "goal": truth.goal}]
        case Replanned():
            return ["replanned", event.because]
        case _:
            return None


def _judged(value: Value, truth: Truth) -> dict[str, Any]:
    return {"value": value, "truth": truth.value, "right": truth.right}


def hashed(sha256: str | None) -> str | None:
    """A picture's hash; None if it is not a valid one."""
    return sha256 if sha256 and re.fullmatch(r"[0-9a-f]{64}", sha256) else None


def _timeline(played: Played, atoms: dict[str, int]) -> dict[str, Any]:
    """Belief and truth as changes by moment, and the wrong beliefs."""
    course, fatal = played.course, {id(wrong) for wrong in played.verdict.fatal}
    return {
        "believing": course.believing,
        "moments": [
            [
                moment.turn,
                int(moment.acting),
                signed(moment.believed, moment.doubted, atoms),
                signed(moment.became_true, moment.became_false, atoms),
                int(moment.known),
            ]
            for moment in course.moments
        ],
        "spells": [
            [
                atoms[wrong.atom],
                int(wrong.value),
                wrong.first,
                -1 if wrong.until is None else wrong.until,
                str(wrong.cause),
                played.questions.numbers.get(id(wrong.answer), -1) if wrong.answer else -1,
            ]
            for wrong in course.wrong_beliefs
        ],
        "fatal": [place for place, wrong in enumerate(course.wrong_beliefs) if id(wrong) in fatal],
    }


def signed(gained: tuple[str, ...], lost: tuple[str, ...], atoms: dict[str, int]) -> list[int]:
    """Changes as numbers: an atom's number and one more if it was gained, the negative of that if it was lost."""
    return [atoms[atom] + 1 for atom in gained] + [-atoms[atom] - 1 for atom in lost]
