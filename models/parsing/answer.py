"""Shared by all parsers: the two profiles, the value for unreadable replies, and finding the answer in a reply."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Profile(StrEnum):
    """How replies are parsed: like the published evaluations, or like a person."""

    OFFICIAL = "official"
    ROBUST = "robust"


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The reason why a reply could not be parsed."""

    reason: str


EMPTY = Unreadable("the reply is empty")
REFUSAL = Unreadable("refusal")

SEARCHED_CHARS = 2000
"""Characters at the start and at the end of a reply that are searched for an answer."""

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
_REFUSES = re.compile(rf"\b{_CANNOT} (?:\w+ ){{0,2}}?(?:help|assist|comply|fulfil|fulfill|do that)\b", re.IGNORECASE)
_IS_UNSURE = re.compile(
    rf"\b{_CANNOT} (?:\w+ ){{0,2}}?(?:answer|determine|tell|say|judge|identify|provide|verify|confirm|decide"
    r"|see (?:the|an|any|your) (?:image|picture)|view|analy[sz]e|process)\b"
    r"|\bi(?:'m| am) (?:so |very |really )?sorry\b|\bi apologi[sz]e\b|\bas an ai\b|\bi (?:do not|don'?t) know\b"
    r"|\bunclear\b|\b(?:not|un)[ -]?(?:sure|certain)\b|\bnot enough information\b"
    r"|\bno (?:image|picture) (?:was|is|has)\b"
    r"|\blo siento\b|\bje (?:suis désolé|ne peux pas)\b|\bes tut mir leid\b|无法|抱歉|申し訳|わかりません|죄송",
    re.IGNORECASE,
)


def differs(reader: Callable[..., object], text: str, *args: Any, **options: Any) -> bool:
    """Whether the two profiles parse a reply differently. If neither can, they agree, whatever their reasons."""
    official, robust = (reader(text, *args, **options, profile=profile) for profile in Profile)
    if isinstance(official, Unreadable) and isinstance(robust, Unreadable):
        return False
    return official != robust


def without_reasoning(text: str) -> str:
    """The reply without reasoning in tags. A lone closing tag ends reasoning, a lone opening one starts it."""
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
    """The start and the end of the text, where answers are. It bounds the time that a long reply can take."""
    return text if len(text) <= 2 * SEARCHED_CHARS else f"{text[:SEARCHED_CHARS]}\n…\n{text[-SEARCHED_CHARS:]}"


def plain_text(text: str) -> str:
    """The text with full-width characters made narrow, and without control characters and Markdown."""
    if text.isascii():
        text = _CONTROLS.sub("", text)
    else:
        text = unicodedata.normalize("NFKC", text)
        text = "".join(char for char in text if char in "\n\t" or unicodedata.category(char)[0] != "C")
    return _MARKDOWN.sub("", text.replace("’", "'").replace("‘", "'"))


def final_answer(text: str) -> tuple[str, bool]:
    """The answer in a reply, and whether it is marked as one: by tags, a box or the word `answer`."""
    cleaned = without_reasoning(text)
    tagged = TAGGED.findall(cleaned)
    boxed = _BOXED.findall(tagged[-1] if tagged else cleaned)
    if boxed:
        return _TEXT_COMMAND.sub(r"\1", plain_text(clipped(boxed[-1]))).strip(), True
    if tagged:
        return plain_text(clipped(tagged[-1])).strip(), True
    cleaned = plain_text(clipped(cleaned))
    marked = [found for found in _MARKED.finditer(cleaned) if found[0][:6].lower() == "answer"]
    if marked:
        return cleaned[marked[-1].end() :].strip(), True
    return cleaned.strip(), False


def trimmed(text: str) -> str:
    """The text in lower case, without characters at its ends that are neither letters nor digits."""
    first, last = 0, len(text)
    while first < last and not _is_word_char(text[first]):
        first += 1
    while last > first and not _is_word_char(text[last - 1]):
        last -= 1
    return text[first:last].lower()


def _is_word_char(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM"


def is_refusal(text: str) -> bool:
    """Whether the reply refuses the request."""
    return _REFUSES.search(text) is not None


def is_unsure(text: str) -> bool:
    """Whether the reply says that it cannot or will not answer."""
    return is_refusal(text) or _IS_UNSURE.search(text) is not None


def unreadable(text: str, wanted: str) -> Unreadable:
    """The reason for a reply without an answer: empty, a refusal, or not what was `wanted`."""
    if not text.strip():
        return EMPTY
    return REFUSAL if is_unsure(plain_text(clipped(text))) else Unreadable(f"{wanted}: {excerpt(text)}")


def excerpt(text: str, limit: int = 120) -> str:
    """A reply on one line, shortened, as reasons quote it."""
    flat = " ".join(text[: 20 * limit].split())
    return repr(flat if len(flat) <= limit else flat[: limit - 1] + "…")
