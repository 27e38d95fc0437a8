"""Numbers and names formatted for readers, in the same way on pages and in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import urlsplit

NONE = "–"
SIMULATED = "SIMULATED: the model is a stand-in made from published error rates. No real model was asked."
CONTROL = "CONTROL: the answers come from the truth, not from a vision model."


def rate(value: float | None, digits: int = 2) -> str:
    """A share between 0 and 1."""
    return NONE if value is None else f"{value:.{digits}f}"


def with_error(value: float | None, error: float | None, digits: int = 2) -> str:
    """A share with its standard error, which is None for a single episode."""
    return NONE if value is None else f"{rate(value, digits)} ± {rate(error, digits)}"


def accuracy(value: float | None) -> str:
    """An accuracy with three digits, because it is measured over thousands of questions."""
    return rate(value, 3)


def with_interval(value: float | None, interval: tuple[float, float] | None, digits: int = 2) -> str:
    """A share with its 95 % interval: `0.67 [0.30, 0.90]`."""
    if value is None or interval is None:
        return rate(value, digits)
    return f"{rate(value, digits)} [{rate(interval[0], digits)}, {rate(interval[1], digits)}]"


def count(value: int) -> str:
    """A whole number with thousands separators."""
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


def warnings(config: Mapping[str, Any]) -> Iterator[str]:
    """Warnings that must be shown beside the numbers of a run."""
    if config.get("simulated"):
        yield SIMULATED
    if str(config.get("model") or "").startswith("oracle"):
        yield CONTROL
    kind = (config.get("settings") or {}).get("control")
    if kind:
        meaning = str((config.get("judging") or {}).get("controls", {}).get(kind, ""))
        sentence = f" {meaning[:1].upper()}{meaning[1:]}." if meaning else ""
        yield f"CONTROL: {kind}.{sentence} Not a result of the method."


def names(settings: Mapping[str, Any]) -> list[str]:
    """The agent and the model of a run, shortened for a heading."""
    return [short(str(settings[key])) for key in ("agent", "model") if settings.get(key)]


def unusual(config: Mapping[str, Any]) -> dict[str, str]:
    """The settings of a run that differ from the benchmark's defaults; of paths only the last part.

    Agent, model and split are omitted: headings and rows already name them.
    """
    usual = config.get("usual") or {}
    settings = config.get("settings") or {}
    return {
        name: PurePath(str(value)).name
        for name, value in settings.items()
        if name in usual and value != usual[name] and name not in ("agent", "model", "split")
    }


def short(spec: str) -> str:
    """An agent or model without the folders of its path: `replay:results_1.json`, `careful.py:build`."""
    spec, question, options = spec.partition("?")
    if ".py" in spec:
        return PurePath(spec).name
    kind, colon, rest = spec.partition(":")
    rest, at, server = rest.partition("@")
    host = (urlsplit(server).netloc or server).rpartition("@")[2]
    return f"{kind}{colon}{PurePath(rest).name}{at}{host}{question}{options}"
