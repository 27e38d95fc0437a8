"""Whether a run can be resumed: with its own settings, unchanged, and without loading code that only the run names."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from evals.run.benchmark import Benchmark
from evals.run.benchmarks import code_of
from evals.run.directory import RunDirectory, RunError
from evals.run.settings import Settings, changed, explain, fingerprint
from models.registry import file_of, needs_trust


def played_settings(
    benchmark: Benchmark[Any], given: dict[str, Any], resumed: RunDirectory | None
) -> tuple[Settings, Settings]:
    """The settings to play with, and those that the run was started with."""
    if resumed is None:
        fresh = benchmark.settings(**given)
        return fresh, fresh
    kept = settings_of(benchmark, resumed)
    confirm(resumed, kept, given)
    now = benchmark.settings(**{**kept.model_dump(), **given})
    other = {name: value for name, value in given.items() if getattr(kept, name) != getattr(now, name)}
    if set(other) <= {"limit"} and _grows(kept.limit, now.limit):
        return now, kept
    name, value = next(iter(other.items()))
    raise RunError(
        f"{resumed.path} was started with --{name.replace('_', '-')} {getattr(kept, name)}, not {value}; "
        "leave it out to resume the run, or start a new one"
    )


def _grows(before: int | None, now: int | None) -> bool:
    return before == now or (before is not None and (now is None or now > before))


def settings_of(benchmark: Benchmark[Any], run: RunDirectory) -> Settings:
    """The settings that a run was started with; `RunError` if it is no run of the benchmark that can be resumed."""
    if run.config.get("benchmark") != benchmark.name:
        raise RunError(f"{run.path} is a run of {run.config.get('benchmark')!r}, not of {benchmark.name!r}")
    if "rerun" in run.config:
        raise RunError(f"{run.path} is a rerun; resume it with: {run.config.get('command')}")
    try:
        return benchmark.settings(**run.config["settings"])
    except (TypeError, ValidationError) as error:
        reason = explain(error) if isinstance(error, ValidationError) else error
        raise RunError(f"{run.path / 'run.json'} has settings that cannot be used: {reason}") from None


def to_confirm(settings: Settings) -> list[str]:
    """The options by which a user confirms code to run and addresses to call, when resuming a run with these."""
    return [word for name, value in _foreign(settings).items() for word in (_option(name), value)]


def confirm(run: RunDirectory, kept: Settings, given: Mapping[str, Any]) -> None:
    """Refuse to load code or to call an address that only the run names: a run may come from somebody else.

    Code in a file must also be what the run was made with. All is found out without importing anything.
    """
    needed = _foreign(kept)
    for name, value in needed.items():
        if given.get(name) == value:
            continue
        how = f"confirm it with {shlex.join([_option(name), value])}"
        if name == "agent":
            raise RunError(
                f"{run.path} names code to run: {value} (fingerprint {_recorded(run, 'agent')}). If you trust that "
                f"file, {how}"
            )
        if name == "model":
            raise RunError(
                f"{run.path} names a model that runs code, is fetched, or sends requests or keys to where only the run "
                f"says: {value}. If you trust it, {how}"
            )
        raise RunError(f"{run.path} names an address to send requests to: {value}. If you trust it, {how}")
    if "agent" in needed:
        check_unaltered(run, "agent", kept.agent)
    model = file_of(kept.model)
    if model is not None:
        check_unaltered(run, "model", str(model))


def check_unaltered(run: RunDirectory, what: str, spec: str) -> None:
    """`RunError` if a file of code is not the one that the run was made with."""
    path, _ = code_of(spec)
    if not path.is_file():
        raise RunError(f"{run.path} was made with {spec}, but there is no file {path}")
    now, then = fingerprint(path.read_bytes()), _recorded(run, what)
    if now != then:
        raise RunError(f"{path} is not the file that {run.path} was made with: its fingerprint is {now}, not {then}")


def _recorded(run: RunDirectory, what: str) -> str:
    fingerprints = run.config.get("fingerprints")
    return str(fingerprints.get(what) or "unknown") if isinstance(fingerprints, Mapping) else "unknown"


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _foreign(settings: Settings) -> dict[str, str]:
    """The settings that name code to run or an address to call."""
    texts = {name: value for name, value in settings.model_dump(mode="json").items() if isinstance(value, str)}
    return {name: value for name, value in texts.items() if value and _is_foreign(name, value)}


def _is_foreign(name: str, value: str) -> bool:
    if name == "model":
        return needs_trust(value)
    return "://" in value or (name == "agent" and ".py" in value)


def check_unchanged(resumed: RunDirectory, description: dict[str, Any]) -> None:
    """`RunError` if the run would not be played as it was started."""
    differences = changed(resumed.config, description)
    if differences:
        raise RunError(f"{resumed.path} cannot be resumed: {'; '.join(differences)}. Start a new run.")
