"""The replies of an episode: short ones in its data, long ones in separate files."""

from __future__ import annotations

SHORT = 160
"""Longer replies have only their beginning in the episode's data."""
CHUNK = 200_000
"""Approximate characters per file of long replies."""
LONGEST = 1_000_000
"""Characters of a reply that are shown; the trace has all of it."""


class Replies:
    """Texts by number, each stored once."""

    def __init__(self) -> None:
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}
        self._chunk_of: dict[int, int] = {}
        self._room = 0
        self.chunks = 0

    def add(self, text: str) -> int:
        """The number of a text."""
        number = self._numbers.get(text)
        if number is None:
            number = self._numbers[text] = len(self._texts)
            self._texts.append(text)
            if len(text) > SHORT:
                self._file(number, min(len(text), LONGEST))
        return number

    def beginnings(self) -> list[str | list[object]]:
        """For each number the text, or the beginning, length and file of a long one."""
        return [
            text if len(text) <= SHORT else [text[:SHORT], len(text), self._chunk_of[number]]
            for number, text in enumerate(self._texts)
        ]

    def chunk(self, wanted: int) -> list[list[object]]:
        """The long texts of a file, with their numbers."""
        return [[number, self._texts[number][:LONGEST]] for number, at in self._chunk_of.items() if at == wanted]

    def _file(self, number: int, length: int) -> None:
        if not self.chunks or self._room < length:
            self.chunks += 1
            self._room = CHUNK
        self._room -= length
        self._chunk_of[number] = self.chunks - 1
