"""The right answer to a question, in the form of the published data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from models.base import Kind


@dataclass(frozen=True, slots=True)
class Reference:
    """The right answer, and the evaluator that compares replies with it.

    `evaluator` and `kwargs` are those of the published data: `choices_matching` with a `label`, `ordered_list_matching`
    with an `order`, `bool_list_matching` with a `bool_str`, `number_matching` with a `value_to_match`,
    `key_items_matching` with `key_items`. `options` are the texts of the letters A, B, C, …; if the question has
    none, `letters` are the possible letters. `text` is the reference in the data sets' notation: `B`, `A,C`, `C,D,B`
    (several right orders: `C,D,B;D,C,B`), `[1,0,1]`, `4`.
    """

    evaluator: str
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    kind: Kind = Kind.CHOICE
    options: tuple[str, ...] = ()
    text: str = ""
    letters: str = ""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The verdict of a scorer. `right` is None if the reply does not count, such as an endpoint's error text."""

    right: bool | None
    read: str = ""
    fault: str = ""
