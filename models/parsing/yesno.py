"""Replies to yes/no questions."""

from __future__ import annotations

import re

from models.parsing.answer import (
    EMPTY,
    REFUSAL,
    TAGGED,
    Profile,
    Unreadable,
    excerpt,
    final_answer,
    is_refusal,
    is_unsure,
    trimmed,
)

_EDGES = " \t\r\n.,;:!?\"'`*_()[]<>。！？、"

# Words that are an answer by themselves in one language and have no other meaning in another. Czech `ne`, which is yes
# in Korean, and Romanian `nu` are therefore missing.
_YES = """
    yes yep yeah yup true correct affirmative sí si sì sim oui ja jawohl evet да так tak ano igen kyllä da ya có đúng
    ναι 是 是的 对 對 对的 對的 正确 正確 はい ええ 네 예 نعم أجل بله آری כן हाँ हां जी_हाँ ہاں হ্যাঁ ใช่ ndiyo ஆம்
"""
_NO = """
    no nope nah false incorrect negative não nao non nein nee nej nei hayır hayir нет ні nie nem ei không tidak bukan
    όχι 否 不 不是 不是的 不对 不對 没有 沒有 错误 いいえ いえ 아니요 아니오 아니 لا كلا خیر نه לא नहीं जी_नहीं نہیں না
    ไม่ใช่ ไม่ hapana இல்லை
"""
_WORDS = {word.replace("_", " "): words is _YES for words in (_YES, _NO) for word in words.split()}
_LONGEST = max(map(len, _WORDS))

_SENTENCES = re.compile(r"[.!?\n;。！？؟।…]+")
_LEAD_IN = re.compile(
    r"(?:so|thus|therefore|hence|then|well|ok|okay|sure|clearly|overall|finally|in conclusion|conclusion|final"
    r"|result|response|verdict|i(?:'d| would) say|i (?:think|believe)|it is|it's|that is|that's|a|clear|definite)"
    r"\b[\s,:;=-]*",
    re.IGNORECASE,
)
_GOES_ON = re.compile(r"\s+(?:the|it|this|that|there|they|because|since|as|he|she|i|you|we|its|these|those)\b", re.I)
_CLOSES = re.compile(r"(?:,|\b(?:so|thus|therefore|hence))[\s,:-]*(yes|no)\W*$", re.IGNORECASE)
_HYPHEN = re.compile(r"-\w")
_YES_OF_ENGLISH = ("yes", "yep", "yeah", "yup")
_JOINED = re.compile(r"[\s,]*(?:/|\bor\b|\band\b|\bbut also\b)", re.IGNORECASE)


def yes_no(text: str, *, cot: bool = False, profile: Profile = Profile.ROBUST) -> bool | Unreadable:
    """Whether a reply says yes or no.

    Official: the whole reply, apart from punctuation, must be yes or no; with `cot` the text between answer tags must
    be, if there are any. Robust: also accepts an answer at the start or the end of a sentence, in the major languages,
    unless the reply says both or is unsure.
    """
    read = _official(text, cot)
    if profile is Profile.OFFICIAL or isinstance(read, bool):
        return read
    return _robust(text)


def _official(text: str, cot: bool) -> bool | Unreadable:
    answer = text
    if cot:
        tagged = TAGGED.findall(text)
        answer = tagged[-1] if tagged else text
    word = answer.strip(_EDGES).lower()
    if word in ("yes", "no"):
        return word == "yes"
    if not word:
        return EMPTY
    return Unreadable(f"neither yes nor no: {excerpt(answer)}")


def _robust(text: str) -> bool | Unreadable:
    answer, is_marked = final_answer(text)
    word = trimmed(answer)
    if not word:
        return EMPTY
    if word in _WORDS:
        return _WORDS[word]
    sentences = [sentence for sentence in _SENTENCES.split(answer) if trimmed(sentence)]
    if is_marked:  # further sentences explain the answer
        sentences = sentences[:1]
    found = [_judgements(sentence) for sentence in sentences]
    if is_refusal(answer):
        return REFUSAL
    if len(set().union(*found)) == 2:
        return Unreadable(f"both yes and no: {excerpt(answer)}")
    ends = found[0] | found[-1] | _closing(sentences[-1])
    if len(ends) == 1:
        return ends.pop()
    return REFUSAL if is_unsure(answer) else Unreadable(f"neither yes nor no: {excerpt(answer)}")


def _judgements(sentence: str) -> set[bool]:
    """The answers that a sentence starts with, perhaps after a word such as `therefore`: yes, no, or both in turn."""
    read: set[bool] = set()
    word = _leading(sentence, 0)
    while word and len(read) < 2:
        start, end = word
        read.add(_WORDS[sentence[start:end].lower()])
        word = _leading(sentence, end)
    return set() if read and is_unsure(sentence) else read


def _leading(sentence: str, start: int) -> tuple[int, int] | None:
    """Start and end of the next word for yes or no, if the text continues with one."""
    start = _first_letter(sentence, start)
    while lead := _LEAD_IN.match(sentence, start):
        start = _first_letter(sentence, lead.end())
    for end in range(min(start + _LONGEST, len(sentence)), start, -1):
        word = sentence[start:end]
        if word.lower() in _WORDS and _stands_alone(word, sentence[end : end + 20]):
            return start, end
    return None


def _closing(sentence: str) -> set[bool]:
    """The answer that a sentence ends with: `…, so yes`."""
    closes = None if is_unsure(sentence) else _CLOSES.search(sentence[-40:])
    return {closes[1].lower() == "yes"} if closes else set()


def _first_letter(text: str, start: int) -> int:
    while start < len(text) and not text[start].isalnum():
        start += 1
    return start


def _stands_alone(word: str, rest: str) -> bool:
    """Whether a word is an answer, as in `no, it is not`, and not part of a phrase, as in `no block is red`."""
    if _JOINED.match(rest):
        return False
    following = rest.lstrip(" \t")
    if not trimmed(following[:1]):
        return _HYPHEN.match(rest) is None
    if following == rest:  # in the middle of a word
        return False
    return word.lower() in _YES_OF_ENGLISH or (word.lower() in ("no", "nope") and _GOES_ON.match(rest) is not None)
