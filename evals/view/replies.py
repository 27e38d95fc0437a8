"""What models said in an episode: short replies once in its data, long ones in files of their own."""

from __future__ import annotations

SHORT = 160
"""Replies up to here are in the episode's data itself; of others only the beginning is."""
CHUNK = 200_000
"""How many characters go into a file of long replies, more or less."""
LONGEST = 1_000_000
"""How much of a reply is ever shown; the trace has all of it."""


class Replies:
    """Texts by number, each kept once."""

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
        """For each number the text, or of a long one its beginning, its length and the file it is in."""
        return [
            text if len(text) <= SHORT else [text[:SHORT], len(text), self._chunk_of[number]]
            for number, text in enumerate(self._texts)
        ]

    def chunk(self, wanted: int) -> list[list[object]]:
        """The long texts of a file, each behind its number."""
        return [[number, self._texts[number][:LONGEST]] for number, at in self._chunk_of.items() if at == wanted]

    def _file(self, number: int, length: int) -> None:
        if not self.chunks or self._room < length:
            self.chunks += 1
            self._room = CHUNK
        self._room -= length
        self._chunk_of[number] = self.chunks - 1
