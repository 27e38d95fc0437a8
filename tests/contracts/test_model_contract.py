"""What every model provider must do. A new file in `models/` is put through this without being listed."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import ModuleType

import pytest

from models.registry import load_model, providers

BAD_INPUT = (ValueError, FileNotFoundError)
"""What the commands turn into one line on stderr."""


@pytest.fixture(params=sorted(providers()))
def provider(request: pytest.FixtureRequest) -> ModuleType:
    return providers()[request.param]


def short_name(provider: ModuleType) -> str:
    return provider.__name__.rpartition(".")[2]


def test_its_usage_is_one_line_that_starts_with_its_name(provider: ModuleType) -> None:
    assert provider.USAGE.startswith(short_name(provider))
    assert "\n" not in provider.USAGE
    assert len(provider.USAGE) <= 120


def test_it_says_what_it_is(provider: ModuleType) -> None:
    assert provider.__doc__
    assert list(inspect.signature(provider.load).parameters) == ["rest", "options"]


def loaded_or_refused(spec: str) -> None:
    """A model that is all a model has to be, or an error with a message for people."""
    try:
        model = load_model(spec)
    except BAD_INPUT as error:
        message = str(error)
        assert message
        assert "Traceback" not in message
        assert "\n" not in message
    else:
        assert isinstance(model.identity, str)
        assert model.identity
        assert all(isinstance(flag, bool) for flag in (model.looks, model.simulated, model.cacheable))
        assert inspect.iscoroutinefunction(model.ask)
        assert load_model(spec).identity == model.identity


@pytest.mark.parametrize("rest", ["", "no-such-thing", "nowhere/at/all", "nowhere.json", ".json", " ", "a:b:c", "ü"])
def test_whatever_stands_behind_the_colon_loads_or_is_refused(provider: ModuleType, rest: str) -> None:
    loaded_or_refused(f"{short_name(provider)}:{rest}")


def test_a_folder_in_place_of_a_file_loads_or_is_refused(provider: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "folder.json"
    folder.mkdir()
    loaded_or_refused(f"{short_name(provider)}:{folder}")


def test_a_file_of_nonsense_loads_or_is_refused(provider: ModuleType, tmp_path: Path) -> None:
    file = tmp_path / "nonsense.json"
    file.write_bytes(b"\xff\xfe\x00nonsense")
    loaded_or_refused(f"{short_name(provider)}:{file}")


@pytest.mark.parametrize("options", ["colour=red", "colour", "=", "colour=red&size=9"])
def test_an_option_that_nobody_knows_is_refused(provider: ModuleType, options: str) -> None:
    with pytest.raises(BAD_INPUT) as refused:
        load_model(f"{short_name(provider)}?{options}")
    assert str(refused.value)


def test_some_models_need_nothing_from_outside() -> None:
    offline = {name: load_model(name) for name in ("oracle", "pixels", "scripted", "sim")}
    assert [name for name, model in offline.items() if model.simulated] == ["sim"]
    assert [name for name, model in offline.items() if model.looks] == ["pixels"]
