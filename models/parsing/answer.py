"""What all readers share: the two profiles, what cannot be read, and where in a reply the answer stands."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Profile(StrEnum):
    """How replies are read: as the published evaluations do, or as a person would."""

    OFFICIAL = "official"
    ROBUST = "robust"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A reply that could not be read, and why."""

    reason: str


EMPTY = Unreadable("the reply is empty")
REFUSAL = Unreadable("refusal")

LONGEST = 2000
"""How much of either end of a reply is searched for an answer."""

TAGGED = re.compile(r"<answer>(.*?)(?:</answer>|$)", re.DOTALL | re.IGNORECASE)
_THINKING = re.compile(
    r"[<◁](/?)(?:think|thinking|thought|reasoning|explanation|scratchpad|analysis|reflection)[>▷]", re.IGNORECASE
)
_BOXED = re.compile(r"\\boxed\s*\{((?:[^{}]|\{[^{}]*\})*)\}")
_TEXT_COMMAND = re.compile(r"\\(?:text|textbf|mathrm|mathbf)\s*\{([^{}]*)\}")
_MARKED = re.compile(
    r"(?:\b(?:if|whether|unless)\b[^.!?\n]{0,40})?"
    r"\banswer\b[\"']?(?: to [^.:!?\n]{1,80}?)??[ \t]*(?:\([^()\n]{0,30}\)[ \t]*)?"
    r"(?::|=|\bis\b[ \t]*:?|\bwould be\b|\bshould be\b|\bmust be\b)",
    re.IGNORECASE,
)
_MARKDOWN = re.compile(r"[*`]+|~~+|(?<!\w)_+|_+(?!\w)|^[ \t]*(?:#{1,6}|>)[ \t]+", re.MULTILINE)
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
_CANNOT = r"(?:cannot|can ?not|can'?t|could ?n'?t|could not|unable to|not able to|won'?t|will not|impossible to)"
_DECLINED = re.compile(rf"\b{_CANNOT} (?:\w+ ){{0,2}}?(?:help|assist|comply|fulfil|fulfill|do that)\b", re.IGNORECASE)
_UNSURE = re.compile(
    rf"\b{_CANNOT} (?:\w+ ){{0,2}}?(?:answer|determine|tell|say|judge|identify|provide|verify|confirm|decide"
    r"|see (?:the|an|any|your) (?:image|picture)|view|analy[sz]e|process)\b"
    r"|\bi(?:'m| am) (?:so |very |really )?sorry\b|\bi apologi[sz]e\b|\bas an ai\b|\bi (?:do not|don'?t) know\b"
    r"|\bunclear\b|\b(?:not|un)[ -]?(?:sure|certain)\b|\bnot enough information\b"
    r"|\bno (?:image|picture) (?:was|is|has)\b"
    r"|\blo siento\b|\bje (?:suis désolé|ne peux pas)\b|\bes tut mir leid\b|无法|抱歉|申し訳|わかりません|죄송",
    re.IGNORECASE,
)


def differs(reader: Callable[..., object], text: str, *args: Any, **options: Any) -> bool:
    """Whether the two profiles read a reply differently. Two that cannot read it agree, whatever their reasons."""
    official, robust = (reader(text, *args, **options, profile=profile) for profile in Profile)
    if isinstance(official, Unreadable) and isinstance(robust, Unreadable):
        return False
    return official != robust


def without_thinking(text: str) -> str:
    """The reply without what was thought aloud: between tags, before a closing one, or after an opening one."""
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _THINKING.finditer(text):
        if tag[1] and not thinking:
            kept.clear()
        elif not tag[1] and not thinking:
            kept.append(text[at : tag.start()])
        at, thinking = tag.end(), not tag[1]
    return " ".join(kept if thinking else [*kept, text[at:]])


def clipped(text: str) -> str:
    """Both ends of the text, where answers stand: no reply may take long, however long it is."""
    return text if len(text) <= 2 * LONGEST else f"{text[:LONGEST]}\n…\n{text[-LONGEST:]}"


def plain(text: str) -> str:
    """The reply in plain characters: full-width ones made narrow, marks of formatting taken out."""
    if text.isascii():
        text = _CONTROLS.sub("", text)
    else:
        text = unicodedata.normalize("NFKC", text)
        text = "".join(char for char in text if char in "\n\t" or unicodedata.category(char)[0] != "C")
    return _MARKDOWN.sub("", text.replace("’", "'").replace("‘", "'"))


def final_answer(text: str) -> tuple[str, bool]:
    """What a reply gives as its answer, and whether it says so: in tags, in a box, or after the word `answer`."""
    left = without_thinking(text)
    tagged = TAGGED.findall(left)
    boxed = _BOXED.findall(tagged[-1] if tagged else left)
    if boxed:
        return _TEXT_COMMAND.sub(r"\1", plain(clipped(boxed[-1]))).strip(), True
    if tagged:
        return plain(clipped(tagged[-1])).strip(), True
    left = plain(clipped(left))
    marked = [found for found in _MARKED.finditer(left) if found[0][:6].lower() == "answer"]
    if marked:
        return left[marked[-1].end() :].strip(), True
    return left.strip(), False


def bare(text: str) -> str:
    """The text without what is no letter and no digit at its ends, in lower case."""
    first, last = 0, len(text)
    while first < last and not _counts(text[first]):
        first += 1
    while last > first and not _counts(text[last - 1]):
        last -= 1
    return text[first:last].lower()


def _counts(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"


def declined(text: str) -> bool:
    """Whether the reply refuses to do what was asked."""
    return _DECLINED.search(text) is not None


def unsure(text: str) -> bool:
    """Whether the reply says that it cannot or will not answer."""
    return declined(text) or _UNSURE.search(text) is not None


def unread(text: str, wanted: str) -> Unreadable:
    """Why a reply that holds no answer could not be read."""
    if not text.strip():
        return EMPTY
    return REFUSAL if unsure(plain(clipped(text))) else Unreadable(f"{wanted}: {short(text)}")


def short(text: str, limit: int = 120) -> str:
    """A reply as reasons quote it."""
    flat = " ".join(text[: 20 * limit].split())
    return repr(flat if len(flat) <= limit else flat[: limit - 1] + "…")
