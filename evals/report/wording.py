"""Numbers and names as people read them, the same in the page and in the terminal."""

from __future__ import annotations

from evals.scores import Accuracy

NONE = "–"
SIMULATED = "SIMULATED: the model is a stand-in made from published error rates. No real model was asked."


def rate(value: float | None, digits: int = 2) -> str:
    """A share between 0 and 1."""
    return NONE if value is None else f"{value:.{digits}f}"


def with_error(value: float | None, error: float | None, digits: int = 2) -> str:
    """A share with its standard error."""
    return NONE if value is None else f"{value:.{digits}f} ± {error or 0.0:.{digits}f}"


def accuracy(value: Accuracy) -> str:
    """An accuracy to three digits: there are thousands of questions."""
    return rate(value.value, 3)


def count(value: int) -> str:
    """A whole number with thousands apart."""
    return f"{value:,}"


def per_episode(total: float, episodes: int) -> str:
    """A mean over episodes."""
    return f"{total / episodes:,.1f}" if episodes else NONE


def plural(number: int, one: str, many: str = "") -> str:
    """`1 step`, `2 steps`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def spaced(name: str) -> str:
    """`no_plan_wrong_belief` as words."""
    return name.replace("_", " ")
