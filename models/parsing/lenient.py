"""A parser for JSON as models write it: single or curly quotes, Python literals, comments, trailing commas, cut off."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | Cut | None"


@dataclass(frozen=True, slots=True)
class Cut:
    """A value whose end is missing. `whole` is the part before the cut; None if nothing of it was complete."""

    whole: list[Json] | dict[str, Json] | None = None


class _Broken(Exception):
    """The text at this position is not JSON, even if parsed leniently."""

    def __init__(self, at: int) -> None:
        self.at = at


DEEPEST = 40
"""The deepest nesting that is parsed; no plan is nested this deeply."""
ATTEMPTS = 200
"""How many positions of a reply are tried, so that a reply full of braces does not take too long."""
UNFINISHED = 10
"""How many of them may be unterminated, since each of those reads the text to its end."""

_START = re.compile(r"[{\[]")
_SKIPPED = re.compile(r"(?:\s|//[^\n]*|#[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_NUMBER = re.compile(r"[+-]?(?:\d{1,40}\.?\d{0,40}|\.\d{1,40})(?:[eE][+-]?\d{1,4})?")
_NAME = re.compile(r"[^\W\d][\w-]*")
_LITERALS = {"true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None}
_CLOSERS = {'"': '"', "'": "'", "“": '”“"', "„": '“”"', "”": '”"', "‘": "’'", "’": "’'", "«": "»", "`": "`"}
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_AFTER_STRING = re.compile(r"\s*(?:[,:\]}]|//|#|/\*|\Z)")


def values(text: str) -> list[Json]:
    """The objects and lists in a text, in order. The last one may be cut off; it is then a `Cut`."""
    found: list[Json] = []
    at = unfinished = 0
    for _ in range(ATTEMPTS):
        start = _START.search(text, at)
        if start is None:
            break
        reader = _Reader(text, start.start())
        try:
            value = reader.value(0)
        except _Broken as broken:
            at = max(broken.at, start.start() + 1)
            continue
        if isinstance(value, Cut) and not value.whole and unfinished < UNFINISHED:
            at = start.start() + 1  # an opening brace in prose: the text after it may still be JSON
            unfinished += 1
            continue
        found.append(value)
        at = reader.at
    return found


class _Reader:
    """Reads one value at a position in a text."""

    def __init__(self, text: str, at: int) -> None:
        self.text = text
        self.at = at

    def value(self, depth: int) -> Json:
        char = self._next()
        if depth > DEEPEST:
            raise _Broken(self.at)
        if not char:
            return Cut()
        if char == "{":
            return self._object(depth)
        if char == "[":
            return self._list(depth)
        if char in _CLOSERS:
            return self._string(char)
        return self._number() if char in "+-." or char.isdecimal() else self._literal()

    def _next(self) -> str:
        """The next character that is neither blank nor part of a comment; empty at the end of the text."""
        skipped = _SKIPPED.match(self.text, self.at)
        self.at = skipped.end() if skipped else self.at
        return self.text[self.at : self.at + 1]

    def _object(self, depth: int) -> Json:
        self.at += 1
        content: dict[str, Json] = {}
        while (char := self._next()) != "}":
            key = self._key(char)
            if isinstance(key, Cut) or not (colon := self._next()):
                return Cut(content)
            if colon != ":":
                raise _Broken(self.at)
            self.at += 1
            content[key] = self.value(depth + 1)
            if isinstance(content[key], Cut) or not self._separator("}"):
                return Cut(content)
        self.at += 1
        return content

    def _key(self, char: str) -> str | Cut:
        if not char:
            return Cut()
        if char in _CLOSERS:
            return self._string(char)
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise _Broken(self.at)
        self.at = name.end()
        return name[0]

    def _list(self, depth: int) -> Json:
        self.at += 1
        content: list[Json] = []
        while self._next() != "]":
            content.append(self.value(depth + 1))
            if isinstance(content[-1], Cut) or not self._separator("]"):
                return Cut(content)
        self.at += 1
        return content

    def _separator(self, closer: str) -> bool:
        """Step over a comma; False at the end of the text. The closing bracket is left for the caller."""
        char = self._next()
        if char == ",":
            self.at += 1
        elif char and char != closer:
            raise _Broken(self.at)
        return bool(char)

    def _string(self, opener: str) -> str | Cut:
        """A string, which ends at a quote before a comma, a colon or a bracket; other quotes are part of it."""
        closers, text = _CLOSERS[opener], self.text
        chars: list[str] = []
        at = self.at + 1
        while at < len(text):
            char = text[at]
            if char in closers and _AFTER_STRING.match(text, at + 1):
                self.at = at + 1
                return "".join(chars).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            if char == "\\" and at + 1 < len(text):
                at, char = self._escaped(at + 1)
            else:
                at += 1
            chars.append(char)
        self.at = at
        return Cut()

    def _escaped(self, at: int) -> tuple[int, str]:
        code = self.text[at + 1 : at + 5]
        if self.text[at] == "u" and len(code) == 4 and all(digit in "0123456789abcdefABCDEF" for digit in code):
            return at + 5, chr(int(code, 16))
        return at + 1, _ESCAPES.get(self.text[at], self.text[at])

    def _number(self) -> int | float | Cut:
        number = _NUMBER.match(self.text, self.at)
        if number is None:
            raise _Broken(self.at)
        self.at = number.end()
        if self.at == len(self.text):  # more digits may be missing
            return Cut()
        return int(number[0]) if number[0].lstrip("+-").isdecimal() else float(number[0])

    def _literal(self) -> bool | Cut | None:
        name = _NAME.match(self.text, self.at)
        if name is None:
            raise _Broken(self.at)
        if name.end() == len(self.text):
            self.at = name.end()
            return Cut()
        if name[0].lower() not in _LITERALS:
            raise _Broken(self.at)
        self.at = name.end()
        return _LITERALS[name[0].lower()]
