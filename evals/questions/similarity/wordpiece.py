"""The tokenizer of uncased BERT models: splits words into the longest pieces of a vocabulary."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from pathlib import Path

_LONGEST_WORD = 100
_IDEOGRAPHS = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B820, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def read_vocabulary(path: Path) -> dict[str, int]:
    """The id of each piece: the number of its line in a `vocab.txt`."""
    with path.open(encoding="utf-8") as lines:
        return {line.rstrip("\n"): number for number, line in enumerate(lines)}


class WordPiece:
    """Converts texts to token ids, with `[CLS]` in front and `[SEP]` at the end."""

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._ids = vocabulary
        self._first, self._last, self._unknown = (vocabulary[name] for name in ("[CLS]", "[SEP]", "[UNK]"))

    def encode(self, text: str, longest: int) -> list[int]:
        """The ids of a text, truncated to at most `longest`."""
        pieces = [piece for word in _words(text) for piece in self._pieces(word)]
        return [self._first, *pieces[: longest - 2], self._last]

    def _pieces(self, word: str) -> list[int]:
        if len(word) > _LONGEST_WORD:
            return [self._unknown]
        found, start = [], 0
        while start < len(word):
            prefix = "##" if start else ""
            for end in range(len(word), start, -1):
                piece = self._ids.get(prefix + word[start:end])
                if piece is not None:
                    break
            else:
                return [self._unknown]
            found.append(piece)
            start = end
        return found


def _words(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFD", "".join(_cleaned(text)).lower())
    for chunk in "".join(c for c in plain if unicodedata.category(c) != "Mn").split():
        word = ""
        for character in chunk:
            if not _is_punctuation(character):
                word += character
                continue
            if word:
                yield word
            yield character
            word = ""
        if word:
            yield word


def _cleaned(text: str) -> Iterator[str]:
    for character in text:
        code = ord(character)
        if character in "\t\n\r" or unicodedata.category(character) == "Zs":
            yield " "
        elif code in (0, 0xFFFD) or unicodedata.category(character).startswith("C"):
            continue
        elif any(low <= code <= high for low, high in _IDEOGRAPHS):
            yield f" {character} "
        else:
            yield character


def _is_punctuation(character: str) -> bool:
    code = ord(character)
    ascii_mark = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return ascii_mark or unicodedata.category(character).startswith("P")
