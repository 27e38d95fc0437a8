"""The right answer to a question, in the form of the published data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from models.base import Kind


@dataclass(frozen=True, slots=True)
class Reference:
    """What is right, and how replies are compared with it.

    `evaluator` and `kwargs` are those of the published data: `choices_matching` with a `label`, `ordered_list_matching`
    with an `order`, `bool_list_matching` with a `bool_str`, `number_matching` with a `value_to_match`,
    `key_items_matching` with `key_items`. `options` are the texts behind the letters A, B, C, …; where the question has
    none, `letters` says which may be chosen. `text` is the reference as the data sets print it: `B`, `A,C`, `C,D,B`
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
    """What a scorer says of a reply. `right` is None where the reply does not count: an error text of an endpoint."""

    right: bool | None
    read: str = ""
    fault: str = ""
