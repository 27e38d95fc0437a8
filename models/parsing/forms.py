"""Replies to questions of every kind: `read_form` returns the value in the form that the kind asks for.

The value of a choice is the text of its option; of several choices, an order and a matching, a tuple of capital
letters; of judgements, a tuple of `1` and `0`; of the other kinds, a number, a boolean or a text. The robust profile
accepts whatever a person would understand. The official profile accepts only the requested form, by the rules of this
package; question sets with a published evaluation have scorers of their own.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from models.base import Kind
from models.parsing.answer import EMPTY, Profile, Unreadable, unreadable
from models.parsing.candidates import candidates
from models.parsing.lists import listed
from models.parsing.multiple_choice import ALPHABET, chosen_letters, letter, letters
from models.parsing.quantities import number
from models.parsing.sequences import in_order
from models.parsing.statements import judgements
from models.parsing.yesno import yes_no

Value: TypeAlias = bool | float | str | tuple[str, ...]

DEFAULT_LETTERS = ALPHABET[:10]
"""The letters that may be chosen if the question does not define them."""
TEXT_CHARS = 2_000

_NUMBER = re.compile(r"(?<![\w.])\d{1,3}(?![\w.]*\d)")
_WHOLE = re.compile(r"\W*(?:(?:option|choice|mark|object|number|no\.?)\s{0,2})?#?(\d{1,3})\W*", re.IGNORECASE)
_NAME_ENDS = r"(?=[\"'*)\]]{0,3}\s{0,3}(?:[:=]|<?[-–—]{1,2}>?|→|⇒|,|;|\n|\.?\s*$|\bis\b|\bto\b|\bwith\b|\bmatch))"


def read_form(
    text: str,
    kind: Kind,
    *,
    options: Sequence[str] = (),
    items: Sequence[str] = (),
    letters: str = "",
    profile: Profile = Profile.ROBUST,
) -> Value | Unreadable:
    """The value of a reply to a question of this kind.

    `options` are shown with letters and `items` with numbers. `letters` are the letters that may be chosen if there
    are no options. For judgements, `options` are the statements.
    """
    allowed = letters or ALPHABET[: len(options)]
    robust = profile is Profile.ROBUST
    match kind:
        case Kind.CHOICE:
            return _choice(text, options, allowed or DEFAULT_LETTERS, profile)
        case Kind.CHOICES:
            return (
                chosen_letters(text, allowed or DEFAULT_LETTERS, options)
                if robust
                else _letters(text, allowed or DEFAULT_LETTERS)
            )
        case Kind.ORDER | Kind.MATCHING:
            return _sequence(text, options, items, allowed) if robust else _listed(text, ALPHABET)
        case Kind.JUDGEMENTS:
            return judgements(text, len(options)) if robust else _listed(text, "01")
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
    return options[place] if place < len(options) else unreadable(text, f"there is no option {read} of {len(options)}")


def _by_number(text: str, options: Sequence[str]) -> tuple[str, ...] | None:
    """The letter for a reply that is only a number: the option with this number in its text, or else at this place."""
    places = candidates(text)[:1]
    whole = _WHOLE.fullmatch(places[0].first_line) if places and len(places[0].text) <= 2 * TEXT_CHARS else None
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
        return unreadable(text, f"no letters of {allowed}")
    return read


def _listed(text: str, allowed: str) -> tuple[str, ...] | Unreadable:
    """A comma-separated list of single characters, in brackets or without."""
    read = listed(text, profile=Profile.OFFICIAL)
    if isinstance(read, Unreadable):
        return read
    joined = ",".join(read).upper()
    labels = tuple((joined[1:-1] if joined.startswith("[") and joined.endswith("]") else joined).split(","))
    fit = all(len(label) == 1 and label in allowed for label in labels)
    return labels if fit else unreadable(text, "not a list of the form asked for")


def _sequence(text: str, options: Sequence[str], items: Sequence[str], allowed: str) -> tuple[str, ...] | Unreadable:
    """Labels in order. If a reply uses the texts of items or options, they are replaced by their labels."""
    read = in_order(text, allowed, options)
    if isinstance(read, tuple) or not (items or options):
        return read
    labels = {item: str(place) for place, item in enumerate(items, 1)}
    named = _with_labels(_with_labels(text, labels), dict(zip(options, ALPHABET, strict=False)))
    again = in_order(named, allowed) if named != text else read
    return again if isinstance(again, tuple) else read


def _with_labels(text: str, labels: dict[str, str]) -> str:
    """The text with each name that is one side of a pair replaced by its label."""
    for name in sorted(labels, key=len, reverse=True):
        if len(name) > 1:
            article = r"(?:\b(?:the|a|an)\s+)?"
            without_article = re.sub(r"^(?:the|a|an)\s+", "", name, flags=re.IGNORECASE)
            text = re.sub(
                rf"{article}\b{re.escape(without_article)}{_NAME_ENDS}", labels[name], text, flags=re.IGNORECASE
            )
    return text


def _text(text: str, profile: Profile) -> str | Unreadable:
    """The text of the answer, without reasoning and without remarks on the lines below it."""
    if profile is Profile.OFFICIAL:
        return text.strip() or EMPTY
    places = candidates(text)
    if not places:
        return EMPTY
    candidate = places[0]
    return (candidate.first_line if candidate.marked else candidate.text)[:TEXT_CHARS].strip(" \t\r\n\"'") or EMPTY
