"""The evaluators and their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from evals.questions.reference import Reference
from planners.names import unknown

CHOICES, ORDER, JUDGEMENTS = "choices_matching", "ordered_list_matching", "bool_list_matching"
NUMBER, OPEN = "number_matching", "key_items_matching"
HARNESS, FLAGEVAL, LETTER = "erqa_harness", "flageval_erqa", "letter"

Argument = tuple[str, str, Callable[[Any], bool]]


def _texts(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(isinstance(entry, str) for entry in value)


def _texts_or_lists(value: Any) -> bool:
    return _texts(value) or (isinstance(value, list | tuple) and bool(value) and all(map(_texts, value)))


def _digits(value: Any) -> bool:
    return _texts(value) and all(entry in ("0", "1") for entry in value)


NEEDED: Mapping[str, tuple[Argument, ...]] = {
    CHOICES: (("label", "letters", lambda value: isinstance(value, str) and any(map(str.isalpha, value))),),
    ORDER: (("order", "a list of texts or several such lists", _texts_or_lists),),
    JUDGEMENTS: (("bool_str", 'a list of "0" and "1"', _digits),),
    NUMBER: (("value_to_match", "a number", lambda value: type(value) in (int, float)),),
    OPEN: (("key_items", "a list of texts or several such lists", _texts_or_lists),),
    HARNESS: (),
    FLAGEVAL: (),
    LETTER: (),
}
OPTIONAL: Mapping[str, tuple[Argument, ...]] = {
    OPEN: (("remove_space", "true or false", lambda value: isinstance(value, bool)),),
    LETTER: (("choices", "a list of texts", _texts),),
}
LETTERED = frozenset((HARNESS, FLAGEVAL, LETTER))
"""Evaluators that take the right letter from the reference's text."""


def checked(reference: Reference) -> Reference:
    """The reference, after checking its evaluator and arguments."""
    name, kwargs = reference.evaluator, reference.kwargs
    if name not in NEEDED:
        raise unknown("evaluator", name, NEEDED)
    arguments = (*NEEDED[name], *OPTIONAL.get(name, ()))
    missing = [argument for argument, _, _ in NEEDED[name] if argument not in kwargs]
    if missing:
        raise ValueError(f"{name} needs {missing[0]!r}; it was given {_listed(kwargs)}")
    foreign = [argument for argument in kwargs if argument not in {known for known, _, _ in arguments}]
    if foreign:
        raise ValueError(f"{name} takes no {foreign[0]!r}; it takes {_listed([known for known, _, _ in arguments])}")
    for argument, form, fits in arguments:
        if argument in kwargs and not fits(kwargs[argument]):
            raise ValueError(f"{name}: {argument!r} must be {form}, not {kwargs[argument]!r:.80}")
    if name in LETTERED and len(reference.text.strip()) != 1:
        raise ValueError(f"{name} needs one letter as its reference, not {reference.text!r:.80}")
    return replace(reference, text=reference.text.strip()) if name in LETTERED else reference


def _listed(names: Any) -> str:
    return ", ".join(map(str, names)) or "nothing"
