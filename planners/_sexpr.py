"""Parses the s-expressions of PDDL files. All text becomes lower case, because PDDL is case-insensitive."""

from __future__ import annotations

import re
from typing import TypeAlias

Expr: TypeAlias = "str | list[Expr]"

_TOKEN = re.compile(r"[()]|[^\s()]+")
_COMMENT = re.compile(r";[^\n]*")


class SyntaxFault(ValueError):
    """The text is not valid PDDL; the message says what is wrong and where."""


def parse(text: str) -> list[Expr]:
    """Parse the single list that a PDDL text consists of."""
    plain = _COMMENT.sub("", text).lower()
    top: list[Expr] = []
    stack = [top]
    for match in _TOKEN.finditer(plain):
        token = match.group()
        if token == "(":
            inner: list[Expr] = []
            stack[-1].append(inner)
            stack.append(inner)
        elif token == ")":
            stack.pop()
            if not stack:
                raise SyntaxFault(f"line {_line(plain, match.start())}: a ')' without its '('")
        else:
            stack[-1].append(token)
    if len(stack) > 1:
        raise SyntaxFault(f"{len(stack) - 1} '(' without ')' at the end of the text")
    if len(top) != 1 or isinstance(top[0], str):
        raise SyntaxFault("expected one list, (define …)")
    return top[0]


def typed(items: list[Expr]) -> list[tuple[str, str]]:
    """Names with their types, from `a b - block c`; the default type is `object`."""
    result: list[tuple[str, str]] = []
    waiting: list[str] = []
    words = iter(items)
    for item in words:
        if not isinstance(item, str):
            raise SyntaxFault(f"expected a name, found {show(item)}")
        if item != "-":
            waiting.append(item)
            continue
        kind = next(words, None)
        if isinstance(kind, list):
            raise SyntaxFault(f"{show(kind)} is not supported: a type is one name")
        if not waiting or kind is None or kind == "-":
            raise SyntaxFault(f"expected names, '-' and their type, found {show(items)}")
        result += [(name, kind) for name in waiting]
        waiting = []
    return result + [(name, "object") for name in waiting]


def show(expr: Expr) -> str:
    """The expression as PDDL, for messages."""
    return expr if isinstance(expr, str) else f"({' '.join(map(show, expr))})"


def _line(text: str, position: int) -> int:
    return text.count("\n", 0, position) + 1
