"""What a benchmark adds to comparisons of its runs.

A benchmark package may have a module `evals.<benchmark>.comparison`, which only this one imports. It may define any of:

    TABLES: Mapping[str, str]                     the names of its tables, and what each needs
    read_parts(path) -> Sequence[Part] | None     runs that another program recorded; None if the folder has none
    exhibits(arms) -> Iterable[Exhibit]           what to show besides the common tables
    curve(arms, problems, say) -> Exhibit         the result of --curve, which may be slow; `say` reports progress

Every comparison imports it, so heavy imports belong inside its functions.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from evals.compare.arms import Arm, Part
    from evals.pages.markup import Html
    from evals.pages.tables import Table

EVALS = Path(__file__).parent.parent
COMMON = "two runs with common problems"
REPEATS = "runs with --repeats"
ENDS = "runs in worlds whose judges tell how episodes ended"


class Drawing(NamedTuple):
    """A plot with its file name and the meaning of its colours."""

    name: str
    title: str
    series: tuple[str, ...]
    figure: Html


@dataclass(frozen=True)
class Exhibit:
    """Tables and plots under one heading, and the figures behind them as JSON.

    `name` is its name for `--table`. If it is not `shown`, it has to be asked for.
    """

    name: str
    heading: str
    tables: tuple[Table, ...]
    drawings: tuple[Drawing, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    shown: bool = True


@cache
def modules() -> Mapping[str, ModuleType]:
    """The comparison modules, by the name of their benchmark."""
    found = [*EVALS.glob("*/comparison.py"), *(path.parent for path in EVALS.glob("*/comparison/__init__.py"))]
    names = sorted(path.parent.name for path in found)
    return {name: importlib.import_module(f"evals.{name}.comparison") for name in names}


def table_needs() -> dict[str, str]:
    """The tables besides `success`, in order, and what each needs."""
    added = {name: need for module in modules().values() for name, need in getattr(module, "TABLES", {}).items()}
    return {"pairs": COMMON, "ends": ENDS, "reliability": REPEATS, **added, "problems": COMMON}


def table_names() -> tuple[str, ...]:
    """The tables that can be asked for."""
    return ("success", *table_needs())


def read_recorded(path: Path) -> Sequence[Part] | None:
    """The runs in a folder recorded by another program; None if no benchmark can read it."""
    readers = (module.read_parts for module in modules().values() if hasattr(module, "read_parts"))
    return next((parts for reader in readers if (parts := reader(path)) is not None), None)


def exhibits_of(arms: Sequence[Arm]) -> list[Exhibit]:
    """The exhibits that the benchmarks of the arms add."""
    return [one for module, own in _by_module(arms, "exhibits") for one in module.exhibits(own)]


def curves_of(arms: Sequence[Arm], problems: Path | None, say: Callable[[str], None]) -> list[Exhibit]:
    """The curves of every benchmark that has one."""
    return [module.curve(own, problems, say) for module, own in _by_module(arms, "curve")]


def _by_module(arms: Sequence[Arm], function: str) -> Iterator[tuple[ModuleType, list[Arm]]]:
    for name in dict.fromkeys(arm.benchmark for arm in arms):
        module = modules().get(name)
        if hasattr(module, function):
            assert module is not None
            yield module, [arm for arm in arms if arm.benchmark == name]
