"""Replies to questions in every form of answer: `read_form` gives the value that the form has.

A choice is the text of its option; several choices, an order and a matching are capital letters; judgements are `1` and
`0`; a number, yes or no, and a text are themselves. The robust profile reads what a person would. The official one
reads the form that was asked for, as the readers of this package do; what the published evaluation of a question set
makes of a reply is for that set to say.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from models.base import Kind
from models.parsing.answer import EMPTY, Profile, Unreadable, unread
from models.parsing.finals import answers
from models.parsing.judged import judged
from models.parsing.judgements import yes_no
from models.parsing.lettered import ALPHABET, chosen_letters, letter, letters
from models.parsing.lists import listed
from models.parsing.quantities import number
from models.parsing.sequences import in_order

Value: TypeAlias = bool | float | str | tuple[str, ...]

USUAL = ALPHABET[:10]
"""The letters that may be chosen where nothing says which there are."""
LONGEST = 2_000

_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?![\w.]*\d)")
_WHOLE = re.compile(r"\W*(?:(?:option|choice|mark|object|number|no\.?)\s{0,2})?#?(\d{1,3})\W*", re.IGNORECASE)
_MEANS = r"(?=[\"'*)\]]{0,3}\s{0,3}(?:[:=]|<?[-–—]{1,2}>?|→|⇒|,|;|\n|\.?\s*$|\bis\b|\bto\b|\bwith\b|\bmatch))"


def read_form(
    text: str,
    kind: Kind,
    *,
    options: Sequence[str] = (),
    items: Sequence[str] = (),
    letters: str = "",
    profile: Profile = Profile.ROBUST,
) -> Value | Unreadable:
    """What a reply to a question says, in the form of its kind.

    `options` are shown with letters, `items` with numbers; where there are no options, `letters` says which letters may
    be chosen. Of judgements, the `options` are the statements.
    """
    allowed = letters or ALPHABET[: len(options)]
    robust = profile is Profile.ROBUST
    match kind:
        case Kind.CHOICE:
            return _choice(text, options, allowed or USUAL, profile)
        case Kind.CHOICES:
            return chosen_letters(text, allowed or USUAL, options) if robust else _letters(text, allowed or USUAL)
        case Kind.ORDER | Kind.MATCHING:
            return _sequence(text, options, items, allowed) if robust else _listed(text, ALPHABET)
        case Kind.JUDGEMENTS:
            return judged(text, len(options)) if robust else _listed(text, "01")
        case Kind.NUMBER:
            return number(text, profile=profile)
        case Kind.YES_NO:
            return yes_no(text, cot=True, profile=profile)
        case Kind.TEXT:
            return _text(text, profile)
    raise ValueError(f"no question asks for {kind}; its answers are choices, orders, judgements, numbers or text")


def shown_with_letters(text: str, options: Sequence[str]) -> bool:
    """Whether a request lists its options with letters, not with numbers."""
    return bool(options) and all(f"{char}. {option}" in text for char, option in zip(ALPHABET, options, strict=False))


def _choice(text: str, options: Sequence[str], allowed: str, profile: Profile) -> str | Unreadable:
    if profile is Profile.OFFICIAL:
        read: str | Unreadable = letter(text, allowed, profile=profile)
    else:
        chosen = _by_number(text, options) or chosen_letters(text, allowed, options, several=False)
        read = chosen if isinstance(chosen, Unreadable) else chosen[0]
    if isinstance(read, Unreadable) or not options:
        return read
    place = ALPHABET.index(read)
    return options[place] if place < len(options) else unread(text, f"there is no option {read} of {len(options)}")


def _by_number(text: str, options: Sequence[str]) -> tuple[str, ...] | None:
    """The letter of the option that a reply of nothing but a number means: the one with this number in its text."""
    places = answers(text)[:1]
    whole = _WHOLE.fullmatch(places[0].head) if places and len(places[0].text) <= 2 * LONGEST else None
    if whole is None or not (places[0].marked or len(places[0].lines) == 1):
        return None
    wanted = whole[1].lstrip("0") or "0"
    numbered = [{found.lstrip("0") or "0" for found in _NUMBER.findall(option)} for option in options]
    holding = [place for place, numbers in enumerate(numbered) if wanted in numbers]
    if len(holding) == 1:
        return (ALPHABET[holding[0]],)
    place = int(wanted)
    return (ALPHABET[place - 1],) if not any(numbered) and 1 <= place <= len(options[:26]) else None


def _letters(text: str, allowed: str) -> tuple[str, ...] | Unreadable:
    read = letters(text, profile=Profile.OFFICIAL)
    if isinstance(read, tuple) and not set(read) <= set(allowed):
        return unread(text, f"no letters of {allowed}")
    return read


def _listed(text: str, allowed: str) -> tuple[str, ...] | Unreadable:
    """A comma-separated list of single characters, in brackets or without."""
    read = listed(text, profile=Profile.OFFICIAL)
    if isinstance(read, Unreadable):
        return read
    joined = ",".join(read).upper()
    labels = tuple((joined[1:-1] if joined.startswith("[") and joined.endswith("]") else joined).split(","))
    fit = all(len(label) == 1 and label in allowed for label in labels)
    return labels if fit else unread(text, "not a list of the form asked for")


def _sequence(text: str, options: Sequence[str], items: Sequence[str], allowed: str) -> tuple[str, ...] | Unreadable:
    """Labels in order; where a reply names things in their own words, their labels are put in place of them."""
    read = in_order(text, allowed, options)
    if isinstance(read, tuple) or not (items or options):
        return read
    labels = {item: str(place) for place, item in enumerate(items, 1)}
    named = _with_labels(_with_labels(text, labels), dict(zip(options, ALPHABET, strict=False)))
    again = in_order(named, allowed) if named != text else read
    return again if isinstance(again, tuple) else read


def _with_labels(text: str, labels: dict[str, str]) -> str:
    """The text with each name that stands as one side of a pair replaced by its label."""
    for name in sorted(labels, key=len, reverse=True):
        if len(name) > 1:
            article = r"(?:\b(?:the|a|an)\s+)?"
            bare = re.sub(r"^(?:the|a|an)\s+", "", name, flags=re.IGNORECASE)
            text = re.sub(rf"{article}\b{re.escape(bare)}{_MEANS}", labels[name], text, flags=re.IGNORECASE)
    return text


def _text(text: str, profile: Profile) -> str | Unreadable:
    """The words of the answer: without thoughts, and without the remarks on the lines below it."""
    if profile is Profile.OFFICIAL:
        return text.strip() or EMPTY
    places = answers(text)
    if not places:
        return EMPTY
    said = places[0]
    return (said.head if said.marked else said.text)[:LONGEST].strip(" \t\r\n\"'") or EMPTY
