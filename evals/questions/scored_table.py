"""Reads tables of replies, scores them in either profile, and compares the verdicts with those in the table."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evals.pages.wording import plural
from evals.questions.reference import Reference, Verdict
from evals.questions.scorers import checked, verdict
from models.base import Kind
from models.parsing import Profile

NEEDED = ("id", "evaluator", "evaluator_kwargs", "reply", "reference")
TOLERATED = {Profile.OFFICIAL: 0, Profile.ROBUST: 3}
"""The percentage of verdicts that may differ from the table's."""
NONE = ("", "n/a")

_ESCAPED = re.compile(r"\\([n\\])")
_LETTER = re.compile(r"\s*[A-Z][.):]\s+")


@dataclass(frozen=True, slots=True)
class Case:
    """A row: a reply, its reference, and the table's verdicts."""

    id: str
    reply: str
    reference: Reference
    verdicts: Mapping[Profile, bool]


@dataclass(frozen=True, slots=True)
class Scored:
    """A table with our verdicts, by profile."""

    cases: Sequence[Case]
    verdicts: Mapping[Profile, Sequence[Verdict]]

    def differing(self, profile: Profile) -> list[tuple[Case, Verdict]]:
        """The cases in which the table disagrees. A reply that does not count is not right."""
        return [
            (case, given)
            for case, given in zip(self.cases, self.verdicts[profile], strict=True)
            if profile in case.verdicts and bool(given.right) is not case.verdicts[profile]
        ]

    def judged(self, profile: Profile) -> int:
        """The number of verdicts of this profile in the table."""
        return sum(profile in case.verdicts for case in self.cases)

    @property
    def agrees(self) -> bool:
        """Whether the share of differing verdicts is within the tolerance."""
        return all(
            100 * len(self.differing(profile)) <= TOLERATED[profile] * self.judged(profile) for profile in self.verdicts
        )


def read_cases(path: Path) -> list[Case]:
    """Read the rows of a table; a `ValueError` names the file and the invalid row."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        row = error.object[: error.start].count(b"\n") + 1
        raise ValueError(f"{path}, row {row}: not UTF-8, at byte {error.start}") from None
    except OSError as error:
        raise ValueError(f"{path}: {error.strerror or error}") from None
    return list(_cases(path, text))


def _cases(path: Path, text: str) -> Iterator[Case]:
    csv.field_size_limit(2**31 - 1)
    rows = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] | None = None
    number = 0
    while True:
        number += 1
        try:
            row = next(rows, None)
        except csv.Error as error:
            raise ValueError(f"{path}, row {number}: broken CSV ({error})") from None
        if row is None:
            break
        if names is None:
            names = _columns(path, row)
        elif row:
            try:
                yield _case(names, row)
            except (ValueError, RecursionError) as error:
                raise ValueError(f"{path}, row {number}: {error}") from None
    if names is None:
        raise ValueError(f"{path}: the table is empty")


def _columns(path: Path, names: list[str]) -> list[str]:
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise ValueError(f"{path}: no column {missing[0]!r}; a table of replies has {', '.join(NEEDED)}")
    return names


def _case(names: list[str], cells: list[str]) -> Case:
    if len(cells) != len(names):
        raise ValueError(f"{plural(len(cells), 'cell')} in a table of {plural(len(names), 'column')}")
    row = dict(zip(names, cells, strict=True))
    reference = checked(_reference(row))
    reply = _ESCAPED.sub(lambda found: "\n" if found[1] == "n" else "\\", row["reply"])
    return Case(row["id"], reply, reference, dict(_given(row)))


def _reference(row: Mapping[str, str]) -> Reference:
    kwargs = _json(row["evaluator_kwargs"] or "{}", dict, "evaluator_kwargs")
    name = row["evaluator"].partition(" (")[0]
    choices = kwargs.get("choices") if name == "letter" else None
    options = _json(row["options"], list, "options") if row.get("options") else choices or []
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise ValueError("options must be a list of texts")
    kind = Kind.MATCHING if row.get("question_type") == "matching" else Kind.CHOICE
    shown = tuple(_LETTER.sub("", option, count=1) for option in options)
    return Reference(name, kwargs, kind, shown, row["reference"], row.get("letters", ""))


def _json(text: str, kind: type, column: str) -> Any:
    try:
        value = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{column} is not JSON ({error})") from None
    if not isinstance(value, kind):
        raise ValueError(f"{column} is not a JSON {'object' if kind is dict else 'list'}: {text:.60}")
    return value


def _given(row: Mapping[str, str]) -> Iterator[tuple[Profile, bool]]:
    for profile in Profile:
        cell = row.get(profile.value, "").strip().lower()
        if cell in NONE:
            continue
        if cell not in ("0", "1"):
            raise ValueError(f"{profile.value} must be 1, 0 or n/a, not {cell!r:.40}")
        yield profile, cell == "1"


def score(cases: Sequence[Case], profiles: Sequence[Profile]) -> Scored:
    """The verdicts of each profile."""
    return Scored(cases, {one: [verdict(case.reply, case.reference, one) for case in cases] for one in profiles})


def as_text(scored: Scored) -> str:
    """A summary of the verdicts of each profile, with the cases in which the table disagrees."""
    return "\n".join(line for profile in scored.verdicts for line in _lines(scored, profile))


def _lines(scored: Scored, profile: Profile) -> Iterator[str]:
    counts = _counts(scored.verdicts[profile])
    left_out = f", {counts['left_out']} left out" if counts["left_out"] else ""
    yield (
        f"{profile.value}: {counts['right']} right, {counts['wrong']} wrong ({counts['unreadable']} of them unreadable)"
        f"{left_out}"
    )
    judged, differing = scored.judged(profile), scored.differing(profile)
    if judged:
        yield f"{profile.value}: {judged - len(differing)} of {judged} agree with the table"
    for case, given in differing:
        table, ours = ("right", "wrong") if case.verdicts[profile] else ("wrong", "right")
        why = given.fault or f"read {given.read!r:.80}, reference {_wanted(case.reference):.80}"
        yield f"  {case.id}: {ours}, by the table {table}: {why}"


def _wanted(reference: Reference) -> str:
    return reference.text or json.dumps(reference.kwargs, ensure_ascii=False)


def _counts(verdicts: Sequence[Verdict]) -> Counter[str]:
    counts = Counter({True: "right", False: "wrong", None: "left_out"}[given.right] for given in verdicts)
    counts["unreadable"] = sum(given.right is False and bool(given.fault) for given in verdicts)
    return counts


def as_json(scored: Scored) -> str:
    """All verdicts and counts."""
    profiles = {
        profile.value: {
            **{name: counts[name] for name in ("right", "wrong", "unreadable", "left_out")},
            "compared": scored.judged(profile),
            "agree": scored.judged(profile) - len(scored.differing(profile)),
            "differ": [case.id for case, _ in scored.differing(profile)],
        }
        for profile in scored.verdicts
        for counts in [_counts(scored.verdicts[profile])]
    }
    cases = [
        {"id": case.id} | {profile.value: _as_dict(given[place]) for profile, given in scored.verdicts.items()}
        for place, case in enumerate(scored.cases)
    ]
    return json.dumps({"profiles": profiles, "cases": cases}, ensure_ascii=False)


def _as_dict(given: Verdict) -> dict[str, Any]:
    return {"right": given.right, "read": given.read, "fault": given.fault}


def write_csv(scored: Scored, path: Path) -> None:
    """Write one row for each case: the parsed value, the verdict, and whether the table agrees."""
    names = ["id"]
    for profile in scored.verdicts:
        names += [f"{profile.value}_read", profile.value, f"{profile.value}_fault", f"{profile.value}_agrees"]
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(names)
        for place, case in enumerate(scored.cases):
            writer.writerow(
                [_cell(case.id), *(cell for one in scored.verdicts for cell in _row(scored, one, place, case))]
            )


def _row(scored: Scored, profile: Profile, place: int, case: Case) -> list[str]:
    given = scored.verdicts[profile][place]
    right = "n/a" if given.right is None else str(int(given.right))
    known = case.verdicts.get(profile)
    return [_cell(given.read), right, _cell(given.fault), "" if known is None else str(int(bool(given.right) is known))]


def _cell(text: str) -> str:
    """A cell on one line that spreadsheets do not interpret as a formula."""
    escaped = text.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r")
    return (
        f"'{escaped}"
        if escaped[:1] in tuple("=+-@\t＝＋－＠") and not re.fullmatch(r"-?\d+(\.\d+)?", escaped)
        else escaped
    )
