"""Check that a run can be resumed: with its own settings, unchanged, and without anything that only the run names.

That is code, addresses, files and folders: a run may come from somebody else.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pydantic import ValidationError

from evals.run.benchmark import Benchmark
from evals.run.benchmarks import code_of
from evals.run.directory import RunDirectory, RunError
from evals.run.settings import Settings, changed, explain, fingerprint
from models.registry import exists, file_of, needs_trust


def played_settings(
    benchmark: Benchmark[Any], given: dict[str, Any], resumed: RunDirectory | None
) -> tuple[Settings, Settings]:
    """The settings to use, and those that the run was started with."""
    if resumed is None:
        fresh = benchmark.settings(**given)
        return fresh, fresh
    kept = settings_of(benchmark, resumed)
    confirm(resumed, kept, given)
    now = benchmark.settings(**{**kept.model_dump(), **given})
    other = {name: value for name, value in given.items() if getattr(kept, name) != getattr(now, name)}
    if set(other) <= {"limit"} and _grows(kept.limit, now.limit):
        if other and resumed.shard:
            raise RunError(
                f"{resumed.path} is shard {resumed.shard}: with another --limit its episodes would be other ones"
            )
        return now, kept
    name, value = next(iter(other.items()))
    raise RunError(
        f"{resumed.path} was started with --{name.replace('_', '-')} {getattr(kept, name)}, not {value}; "
        "omit it to resume the run, or start a new one"
    )


def played_shard(given: str | None, resumed: RunDirectory | None) -> str | None:
    """The part of a run to play: the one that it was started with."""
    if resumed is None:
        return given
    if given is not None and given != resumed.shard:
        started = f"--shard {resumed.shard}" if resumed.shard else "the whole run, without --shard"
        raise RunError(f"{resumed.path} was started as {started}, not as --shard {given}; leave it out to resume")
    return resumed.shard


def _grows(before: int | None, now: int | None) -> bool:
    return before == now or (before is not None and (now is None or now > before))


def settings_of(benchmark: Benchmark[Any], run: RunDirectory) -> Settings:
    """The settings that a run was started with; `RunError` if the benchmark cannot resume it."""
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
    """The options that confirm the code, addresses and files of these settings when the run is resumed."""
    return [word for name, value in foreign(settings).items() for word in (_option(name, value), value)]


def _option(name: str, value: str) -> str:
    return f"--{name.replace('_', '-')}"


def confirm(
    run: RunDirectory,
    kept: Settings,
    given: Mapping[str, Any],
    option: Callable[[str, str], str] = _option,
) -> None:
    """Refuse code, addresses and files that only the run names.

    Code in a file must have the recorded fingerprint, too. Nothing is imported for this check. `option` is the
    command's option that confirms the value of a setting.
    """
    needed = foreign(kept)
    for name, value in needed.items():
        if str(given.get(name)) == value:
            continue
        how = f"confirm it with {shlex.join([option(name, value), value])}"
        if name == "agent":
            raise RunError(
                f"{run.path} names code to run: {value} (fingerprint {_recorded(run, 'agent')}). If you trust that "
                f"file, {how}"
            )
        if name == "model":
            raise RunError(
                f"{run.path} names a model that runs code, is downloaded, reads a file, or sends requests or keys to "
                f"an address from the run: {value}. If you trust it, {how}"
            )
        what = "an address to send requests to" if is_address(value) else "a file or folder to read"
        raise RunError(f"{run.path} names {what}: {value}. If you trust it, {how}")
    if "agent" in needed:
        check_unaltered(run, "agent", kept.agent)
    model = file_of(kept.model)
    if model is not None:
        check_unaltered(run, "model", str(model))


def check_unaltered(run: RunDirectory, what: str, spec: str) -> None:
    """`RunError` if a code file is not the one that the run was made with."""
    path, _ = code_of(spec)
    if not path.is_file():
        raise RunError(f"{run.path} was made with {spec}, but there is no file {path}")
    now, then = fingerprint(path.read_bytes()), _recorded(run, what)
    if now != then:
        raise RunError(f"{path} is not the file that {run.path} was made with: its fingerprint is {now}, not {then}")


def _recorded(run: RunDirectory, what: str) -> str:
    fingerprints = run.config.get("fingerprints")
    return str(fingerprints.get(what) or "unknown") if isinstance(fingerprints, Mapping) else "unknown"


def foreign(settings: Settings) -> dict[str, str]:
    """The settings that name code, an address, a file or a folder."""
    usual = type(settings)().model_dump(mode="json")
    found = {}
    for name, value in settings.model_dump(mode="json").items():
        if value != usual.get(name) and (one := next(filter(_needs_confirmation(name), _texts(value)), "")):
            found[name] = one
    return found


def is_address(value: str) -> bool:
    """Whether a setting names a server."""
    return "://" in value


def _needs_confirmation(name: str) -> Callable[[str], bool]:
    """The predicate for values of a setting that need to be confirmed."""
    if name == "model":
        return needs_trust
    return lambda value: is_address(value) or is_path(value) or (name == "agent" and ".py" in value)


def is_path(value: str) -> bool:
    """Whether a text is an existing path, or has the form of one."""
    return "/" in value or "\\" in value or exists(value)


def _texts(value: Any) -> Iterator[str]:
    """The texts in the value of a setting."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for one in value.values() for text in _texts(one))
    elif isinstance(value, list):
        yield from (text for one in value for text in _texts(one))


def check_unchanged(resumed: RunDirectory, description: dict[str, Any]) -> None:
    """`RunError` if the remaining episodes would be played differently."""
    differences = changed(resumed.config, description)
    if differences:
        raise RunError(f"{resumed.path} cannot be resumed: {'; '.join(differences)}. Start a new run.")
