"""Events in words: what was asked, planned, proposed and attempted, with the truth beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from evals.report.markup import NOTHING, Child, Html, el, joined
from evals.report.wording import plural, spaced
from evals.trace import Record
from tools.events import (
    Acted,
    Asked,
    Believed,
    Called,
    CalledOff,
    Decided,
    Entered,
    Phase,
    Planned,
    Proposed,
    Replanned,
)

LONGEST = 2000
"""How much of a reply is shown; the trace has all of it."""
ROWS = 8
"""How many wrong answers of a round are shown at once; the others unfold."""
FACTS = 30
"""How many wrong facts of a belief are named."""

PHASES = {
    Phase.ENUMERATION: "Asked about every fact in view",
    Phase.PRECONDITION: "Asked whether the preconditions hold",
    Phase.EFFECT: "Asked whether the effects are there",
    Phase.FREE: "Asked",
}


def told(records: Sequence[Record]) -> Iterator[Html]:
    """The events in words; questions of one round together."""
    told = (record for record in records if not isinstance(record.event, Entered | Believed))
    for phase, group in groupby(told, key=_phase):
        if phase is not None:
            yield _questions(phase, list(group))
        else:
            yield from (_told(record) for record in group)


def _phase(record: Record) -> Phase | None:
    return record.event.phase if isinstance(record.event, Asked) else None


def _told(record: Record) -> Html:
    event, truth = record.event, record.truth
    match event:
        case Planned():
            return _planned(event, truth.wrong or ())
        case Proposed():
            return _proposed(event)
        case Decided():
            return _decided(event)
        case Called():
            return _called(event)
        case CalledOff():
            return _called_off(event, truth.legal)
        case Acted():
            return _acted(event, record)
        case Replanned():
            return _line("Replanned", f"because: {event.because}. The belief is given up.")
        case _:
            return NOTHING


def _line(name: str, *what: Child, class_: str = "") -> Html:
    return el("div", el("b", name), " ", *what, class_=f"told {class_}".rstrip())


def _planned(event: Planned, wrong: tuple[str, ...]) -> Html:
    if event.plan:
        plan: Child = _row_of(event.plan, " → ")
    elif event.status == "solved":
        plan = "nothing to do: the goal is believed to hold."
    else:
        plan = el(
            "span", spaced(event.status), f" ({event.message[:LONGEST]})" if event.message else None, class_="bad"
        )
    return joined(_line("Planned", plan), belief_errors(event.belief, wrong))


def _row_of(names: Iterable[str], between: str) -> str:
    """Actions or facts one after the other; a line does not break within one."""
    return between.join(name.replace(" ", "\N{NO-BREAK SPACE}") for name in names)


def belief_errors(belief: Iterable[str], wrong: tuple[str, ...]) -> Html:
    """Where belief and truth differ."""
    if not wrong:
        return _line("Belief", "is the truth.", class_="quiet")
    held = frozenset(belief)
    false = [atom for atom in wrong if atom in held]
    missed = [atom for atom in wrong if atom not in held]
    parts = [
        joined(f"{said} ", el("span", _row_of(atoms[:FACTS], " · "), class_="bad"), _more(len(atoms) - FACTS))
        for said, atoms in (("believed but false:", false), ("true but not believed:", missed))
        if atoms
    ]
    return _line("Belief", f"is wrong on {plural(len(wrong), 'fact')}; ", joined(*parts, between="; "))


def _more(number: int) -> str | None:
    return f" and {number:,} more" if number > 0 else None


def _proposed(event: Proposed) -> Html:
    what: Child
    if event.fault is not None:
        what = el("span", f"nothing that can be read: {event.fault[:LONGEST]}", class_="bad")
    else:
        what = _row_of(event.plan, " → ")
    return joined(_line("Proposed", what), reply_of(event.reply, event.truncated, unfolded=event.fault is not None))


def _decided(event: Decided) -> Html:
    wanted = _row_of(event.calls, " · ") if event.calls else "to call nothing more."
    said = reply_of(event.reply, event.truncated, unfolded=not event.calls) if event.reply else NOTHING
    return joined(_line("Decided", wanted), said)


def _called(event: Called) -> Html:
    result = el("span", event.result[:LONGEST], class_="bad" if event.fault else None)
    return _line("Called", f"{event.name} {event.arguments[:LONGEST]}: ", result, class_="quiet")


def _called_off(event: CalledOff, legal: bool | None) -> Html:
    because = f"{event.action}, because this seems not to hold: {_row_of(event.unmet, ' · ')}."
    verdict = (
        el("span", " Wrongly: it would have been legal.", class_="bad") if legal else " Rightly: it was not legal."
    )
    return _line("Called off", because, verdict)


def _acted(event: Acted, record: Record) -> Html:
    happened = record.truth.happened
    really = None
    if slipped(record):
        really = joined("; what really happened: ", el("span", happened, class_="warn"))
    mark = "bad" if not record.truth.legal else None
    said = el("span", event.outcome, class_=mark)
    wrongly = " It was not legal." if not record.truth.legal and event.outcome != "not legal" else None
    return _line("Attempted", event.action, ": ", said, really, ".", wrongly)


def slipped(record: Record) -> bool:
    """Whether the world did something other than it said."""
    event, happened = record.event, record.truth.happened
    return isinstance(event, Acted) and happened not in (None, "success") and bool(record.truth.legal)


def reply_of(reply: str, truncated: bool = False, *, unfolded: bool = False) -> Html:
    """A model's words."""
    cut = f"\n… {len(reply) - LONGEST:,} more characters in the trace" if len(reply) > LONGEST else ""
    said = "reply, cut off by the token limit" if truncated else "reply"
    return el("details", el("summary", said), el("pre", reply[:LONGEST] + cut), open=unfolded)


def _questions(phase: Phase, records: list[Record]) -> Html:
    wrong = [record for record in records if _answer(record) != record.truth.value]
    strange = [record for record in records if _answer(record) == record.truth.value and _unexpected(record)]
    right = [record for record in records if _answer(record) == record.truth.value and not _unexpected(record)]
    verdict = el("span", f"{len(wrong):,} wrong", class_="bad") if wrong else "all right"
    line = joined(el("b", PHASES[phase]), ": ", plural(len(records), "question"), ", ", verdict, ".")
    if not wrong and not strange:
        return el("details", el("summary", line), _facts(right), class_="told")
    more = el("details", el("summary", f"{len(right):,} right"), _facts(right)) if right else None
    return el("div", line, _rows([*wrong, *strange]), more, class_="told")


def _answer(record: Record) -> bool | None:
    return record.event.answer if isinstance(record.event, Asked) else None


def _unexpected(record: Record) -> bool:
    event = record.event
    return isinstance(event, Asked) and event.expected is not None and event.answer != event.expected


def _rows(records: list[Record]) -> Html:
    if not records:
        return NOTHING
    rows = [_row(record.event, record) for record in records if isinstance(record.event, Asked)]
    first = el("table", *rows[:ROWS], class_="answers")
    if len(rows) <= ROWS:
        return first
    more = el("details", el("summary", f"{len(rows) - ROWS:,} more"), el("table", *rows[ROWS:], class_="answers"))
    return joined(first, more)


def _row(event: Asked, record: Record) -> Html:
    right = event.answer == record.truth.value
    answer = "unreadable" if event.answer is None else _yes(event.answer)
    notes: list[Child] = [event.fault[:LONGEST] if event.fault else None]
    if right:
        notes.append("right, and not as the plan expected")
    if event.answer is None or len(event.reply) > len("<answer>No</answer>"):
        notes.append(reply_of(event.reply, event.truncated, unfolded=event.answer is None))
    return el(
        "tr",
        el("th", event.atom, scope="row"),
        el("td", event.question, class_="question"),
        el("td", "said ", el("b", answer, class_="warn" if right else "bad")),
        el("td", "truth ", el("b", _yes(record.truth.value))),
        el("td", *notes, class_="quiet"),
    )


def _yes(value: bool | None) -> str:
    return "unknown" if value is None else "yes" if value else "no"


def _facts(records: list[Record]) -> Html:
    """Facts answered as they are, in as little room as possible."""
    lines: dict[tuple[str, str], list[str]] = {}
    for record in records:
        if isinstance(record.event, Asked):
            predicate, _, arguments = record.event.atom.partition(" ")
            lines.setdefault((predicate, _yes(record.event.answer)), []).append(arguments or predicate)
    listed = (
        joined(el("dt", f"{predicate}: {said}"), el("dd", " · ".join(facts)))
        for (predicate, said), facts in sorted(lines.items())
    )
    return el("dl", *listed, class_="pairs")
