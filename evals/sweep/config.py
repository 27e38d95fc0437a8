"""The configuration of a sweep, and its cells.

[grid]        lists of settings; every combination is a cell
[settings]    settings of all cells
[[exclude]]   combinations to omit
[[override]]  other settings for matching combinations
[run]         how it is played, which does not affect the numbers
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from itertools import product
from pathlib import Path
from typing import Any, Literal, get_origin

from pydantic import ValidationError

from evals.pages.wording import short
from evals.run.benchmark import Benchmark
from evals.run.benchmarks import find_benchmark
from evals.run.settings import Running, Settings, option
from evals.run.shards import Shard
from planners.files import Unreadable, read_bytes
from planners.names import unknown

TABLES = ("benchmark", "grid", "settings", "exclude", "override", "run")
LONGEST = 100


class BadConfig(Exception):
    """The file is invalid; the message says why and what is possible."""


class Playing(Running):
    """How a sweep is played: the options of single runs, and the number of concurrent cells."""

    cells: int = option(1, "concurrent cells", ge=1)


OWN = ("dry_run", "out", "resume", "shard", "engine", "ray_address", "players", "json_", "hf_args")
"""Options of single runs that the sweep's command replaces."""
POSSIBLE = tuple(name for name in Playing.model_fields if name not in OWN)


@dataclass(frozen=True)
class Cell:
    """One run of the sweep."""

    name: str
    settings: Settings

    @property
    def label(self) -> str:
        """Its name in messages."""
        return self.name.replace("-", " ", 1)


@dataclass(frozen=True)
class Plan:
    """The cells and options of a sweep."""

    benchmark: Benchmark[Any]
    cells: tuple[Cell, ...]
    running: Playing
    config: Mapping[str, Any]
    shard: str | None = None

    def part(self, shard: str | None) -> Plan:
        """The plan with every N-th cell, starting with the K-th; `BadConfig` if there is none."""
        if shard is None:
            return self
        try:
            part = Shard.parse(shard)
        except ValueError as error:
            raise BadConfig(f"--shard: {error}") from None
        cells = tuple(part.of(self.cells))
        if not cells:
            raise BadConfig(f"--shard {part}: there are only {len(self.cells)} cells, so this part of them is empty")
        return replace(self, cells=cells, shard=str(part))


def read_plan(path: Path) -> Plan:
    """The plan in a file; `BadConfig` if it cannot be used."""
    try:
        config = tomllib.loads(read_bytes(path).decode())
    except OSError as error:
        raise BadConfig(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, Unreadable, RecursionError) as error:
        raise BadConfig(f"{path}: not TOML: {error}") from None
    try:
        return plan_of(config)
    except BadConfig as error:
        raise BadConfig(f"{path}: {error}") from None


def plan_of(config: Mapping[str, Any]) -> Plan:
    """The plan of a parsed file."""
    for name in config:
        if name not in TABLES:
            raise BadConfig(f"{unknown('table', name, TABLES)}")
    try:
        benchmark = find_benchmark(str(config.get("benchmark", "viplan")))
    except ValueError as error:
        raise BadConfig(str(error)) from None
    grid, fixed = _grid(config, benchmark), _table(config, "settings", benchmark)
    twice = [name for name in fixed if name in grid]
    if twice:
        raise BadConfig(f"{twice[0]} is both in [grid] and in [settings]")
    combinations = [{**fixed, **dict(zip(grid, values, strict=True))} for values in product(*grid.values())]
    kept = _overridden(_kept(combinations, config, benchmark), config, benchmark)
    if not kept:
        raise BadConfig("every combination is excluded")
    return Plan(benchmark, _cells(kept, grid, benchmark), _running(config), config)


def _grid(config: Mapping[str, Any], benchmark: Benchmark[Any]) -> dict[str, list[Any]]:
    table = _table(config, "grid", benchmark)
    if not table:
        raise BadConfig("[grid] is missing: it has the lists to combine, such as agent = ['ground', 'plan']")
    grid = {name: value if isinstance(value, list) else [value] for name, value in table.items()}
    for name, values in grid.items():
        if not values:
            raise BadConfig(f"[grid] {name} is an empty list")
        again = [value for place, value in enumerate(values) if value in values[:place]]
        if again:
            raise BadConfig(f"[grid] {name} has {again[0]!r} twice")
    return grid


def _table(config: Mapping[str, Any], name: str, benchmark: Benchmark[Any]) -> dict[str, Any]:
    table = config.get(name, {})
    if not isinstance(table, dict):
        raise BadConfig(f"{name} is a table: write [{name}] and below it one setting a line")
    return _known(table, f"[{name}]", benchmark)


def _known(table: Mapping[str, Any], where: str, benchmark: Benchmark[Any]) -> dict[str, Any]:
    possible = tuple(benchmark.settings.model_fields)
    for setting in table:
        if setting not in possible:
            raise BadConfig(f"{where} {unknown('setting', setting, possible)}")
    return dict(table)


def _rules(config: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    rules = config.get(name, [])
    if not isinstance(rules, list) or not all(isinstance(rule, dict) and rule for rule in rules):
        raise BadConfig(f"{name} is a list of tables: write [[{name}]] and below it one setting a line")
    return rules


def _kept(
    combinations: Sequence[dict[str, Any]], config: Mapping[str, Any], benchmark: Benchmark[Any]
) -> list[dict[str, Any]]:
    kept = list(combinations)
    for number, rule in enumerate(_rules(config, "exclude"), 1):
        wanted = _known(rule, f"[[exclude]] {number}:", benchmark)
        if not any(_fits(combination, wanted, benchmark) for combination in combinations):
            raise BadConfig(f"[[exclude]] {number} fits no combination: {_shown(wanted)}")
        kept = [combination for combination in kept if not _fits(combination, wanted, benchmark)]
    return kept


def _overridden(
    combinations: Sequence[dict[str, Any]], config: Mapping[str, Any], benchmark: Benchmark[Any]
) -> list[dict[str, Any]]:
    changed = list(combinations)
    for number, rule in enumerate(_rules(config, "override"), 1):
        where = rule.get("where")
        if not isinstance(where, dict) or not where or len(rule) < 2:
            raise BadConfig(f"[[override]] {number} needs where = {{setting = 'pattern'}} and the settings that change")
        wanted = _known(where, f"[[override]] {number}: where:", benchmark)
        others = {name: value for name, value in rule.items() if name != "where"}
        others = _known(others, f"[[override]] {number}:", benchmark)
        if not any(_fits(combination, wanted, benchmark) for combination in combinations):
            raise BadConfig(f"[[override]] {number} fits no combination: {_shown(wanted)}")
        changed = [{**one, **others} if _fits(one, wanted, benchmark) else one for one in changed]
    return changed


def _fits(combination: Mapping[str, Any], wanted: Mapping[str, Any], benchmark: Benchmark[Any]) -> bool:
    """Whether every setting matches: a value, a pattern such as `plan*`, or a list of either."""
    usual = benchmark.settings.model_fields
    for name, patterns in wanted.items():
        value = str(combination.get(name, usual[name].default))
        listed = patterns if isinstance(patterns, list) else [patterns]
        if not any(fnmatchcase(value, str(pattern)) for pattern in listed):
            return False
    return True


def _shown(table: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} = {value!r}" for name, value in table.items())


def _running(config: Mapping[str, Any]) -> Playing:
    table = config.get("run", {})
    if not isinstance(table, dict):
        raise BadConfig("run is a table: write [run] and below it one option a line")
    for name in table:
        if name not in POSSIBLE:
            raise BadConfig(f"[run] {unknown('option', name, POSSIBLE)}")
    try:
        return Playing(**table)
    except ValidationError as error:
        raise BadConfig(f"[run] {_explained(error)}") from None


def _explained(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    name = ".".join(str(part) for part in first["loc"])
    return f"{name}: {first['msg'][:1].lower()}{first['msg'][1:]}, not {first['input']!r}"


def _cells(
    combinations: Iterable[Mapping[str, Any]], grid: Mapping[str, Sequence[Any]], benchmark: Benchmark[Any]
) -> tuple[Cell, ...]:
    """The cells, grouped by model, which is loaded once."""
    varying = [name for name, values in grid.items() if len(values) > 1 or name in ("agent", "model")]
    found: dict[str, Cell] = {}
    names: set[str] = set()
    for combination in combinations:
        try:
            settings = benchmark.settings(**combination)
        except ValidationError as error:
            raise BadConfig(_explained(error)) from None
        key = identity(settings.model_dump(mode="json"))
        if key in found:
            raise BadConfig(f"two cells are the same: {found[key].label}")
        found[key] = Cell(_free(_named(settings, varying), key, names), settings)
    models = list(dict.fromkeys(cell.settings.model for cell in found.values()))
    return tuple(sorted(found.values(), key=lambda cell: models.index(cell.settings.model)))


def identity(settings: Mapping[str, Any]) -> str:
    """The identity of a cell."""
    return json.dumps(dict(settings), sort_keys=True, ensure_ascii=False)


def _named(settings: Settings, varying: Sequence[str]) -> str:
    values = settings.model_dump(mode="json")
    pieces = [short(str(values[name])) if _speaks(settings, name) else f"{name}{values[name]}" for name in varying]
    return "".join(char if char.isalnum() or char in "-_." else "_" for char in "-".join(pieces)) or "cell"


def _speaks(settings: Settings, name: str) -> bool:
    """Whether the value of a setting needs no name beside it in the name of a cell."""
    return name in ("agent", "model") or get_origin(type(settings).model_fields[name].annotation) is Literal


def _free(name: str, key: str, taken: set[str]) -> str:
    """The name, shortened and made unique by a part of a hash if needed."""
    if len(name) > LONGEST or name in taken:
        name = f"{name[:LONGEST]}-{hashlib.sha256(key.encode()).hexdigest()[:8]}"
    taken.add(name)
    return name
