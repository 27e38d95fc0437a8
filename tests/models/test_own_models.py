"""Models from outside: a user's file, and what installed distributions bring."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from models.registry import endpoint_of, load_model
from planners.names import UnknownName
from tests.small_worlds import request

COIN = """
class Coin:
    looks = False
    simulated = False
    cacheable = True

    def __init__(self, identity):
        self.identity = identity

    async def ask(self, request):
        from models.base import Reply
        return Reply("Heads")


def load(rest, options):
    if "colour" in options:
        raise ValueError("a coin has no colour")
    return Coin(f"coin {rest} {sorted(options.items())}")


golden = Coin("golden")
broken = 7
half = Coin("")
half.looks = "no"


class Deaf:
    identity, looks, simulated, cacheable = "deaf", False, False, False

    def ask(self, request):
        return "Heads"


def failing(rest, options):
    raise KeyError("side\\nedge")


def leaving(rest, options):
    raise SystemExit(3)


def deaf(rest, options):
    return Deaf()


def nothing(rest, options):
    return None
"""


@pytest.fixture
def coin(tmp_path: Path) -> Path:
    file = tmp_path / "coin.py"
    file.write_text(COIN)
    return file


@pytest.mark.parametrize(
    ("behind", "identity"),
    [
        ("", "coin  []"),
        (":load", "coin  []"),
        (":load?side=up&times=2", "coin  [('side', 'up'), ('times', '2')]"),
        ("?side=up", "coin  [('side', 'up')]"),
        (":load:a/b:c?side=up", "coin a/b:c [('side', 'up')]"),
        (":golden", "golden"),
    ],
)
def test_a_file_of_ones_own_is_a_model(coin: Path, behind: str, identity: str) -> None:
    model = load_model(f"{coin}{behind}")
    assert model.identity == identity
    assert asyncio.run(model.ask(request())).text == "Heads"


def test_a_path_may_be_relative(coin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(coin.parent)
    assert load_model("coin.py:load").identity == "coin  []"
    assert load_model("./coin.py").identity == "coin  []"


@pytest.mark.parametrize(
    ("behind", "words"),
    [
        (":toss", "coin.py has no 'toss'; it should be a function load"),
        (":broken", "coin.py:broken is neither a function load(rest, options) nor a model"),
        (":golden?side=up", "coin.py:golden is a model, not a function: it takes no options"),
        (":load?colour=red", "a coin has no colour"),
        (":failing", "coin.py:failing failed: KeyError:"),
        (":leaving", "coin.py:leaving failed: SystemExit: 3"),
        (":deaf", "coin.py:deaf gives Deaf, which is not a model; it lacks async def ask(request)"),
        (":half", "it lacks identity, a text that names everything that determines its replies; looks, True or False"),
        (":nothing", "coin.py:nothing gives NoneType, which is not a model"),
    ],
)
def test_what_is_wrong_with_it_is_one_line(coin: Path, behind: str, words: str) -> None:
    with pytest.raises(ValueError, match=r".") as refused:
        load_model(f"{coin}{behind}")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("content", ["def load(", "import no_such_module", "raise SystemExit(1)"])
def test_a_file_that_cannot_be_imported_is_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "mine.py").write_text(content)
    with pytest.raises(ValueError, match=r"mine\.py cannot be imported: ") as refused:
        load_model(f"{tmp_path / 'mine.py'}:load")
    assert "\n" not in str(refused.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.py")
    for name in ("nowhere.py", "pipe.py"):
        with pytest.raises(ValueError, match=rf"no model '.*{name}': there is no such file"):
            load_model(str(tmp_path / name))


def test_where_a_file_leads_only_the_file_knows(coin: Path) -> None:
    coin.write_text("raise SystemExit('imported')")
    assert endpoint_of(f"{coin}:load?side=up") == str(coin)


def test_names_of_this_room_are_no_files() -> None:
    assert load_model("scripted:coin.py").identity == "scripted:coin.py"
    with pytest.raises(UnknownName, match="Did you mean 'scripted'"):
        load_model("scriptde:coin.py")


@pytest.fixture
def distribution(coin: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A distribution as an installer leaves it behind."""
    package = coin.parent / "plumb_coin.py"
    coin.rename(package)
    facts = coin.parent / "plumb_coin-1.0.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: plumb-coin\nVersion: 1.0\n")
    (facts / "entry_points.txt").write_text(
        "[plumbline.models]\n"
        "coin = plumb_coin:load\ngolden = plumb_coin:golden\nwhole = plumb_coin\nlost = plumb_coin:nowhere\n"
        "sim = plumb_coin:golden\n"
    )
    monkeypatch.syspath_prepend(str(coin.parent))
    return package


@pytest.mark.parametrize(
    ("spec", "identity"),
    [
        ("coin", "coin  []"),
        ("coin:left?side=up", "coin left [('side', 'up')]"),
        ("coin?side=up", "coin  [('side', 'up')]"),
        ("golden", "golden"),
        ("whole:right", "coin right []"),
        ("sim:sight", "sim:sight 0.9, seed 0, blunder 0"),
    ],
)
@pytest.mark.usefixtures("distribution")
def test_an_installed_distribution_brings_models(spec: str, identity: str) -> None:
    assert load_model(spec).identity == identity


@pytest.mark.usefixtures("distribution")
def test_what_a_distribution_lacks_is_named_with_it() -> None:
    with pytest.raises(ValueError, match=r"lost \(plumb_coin:nowhere, plumb-coin\) cannot be used: AttributeError"):
        load_model("lost")
    with pytest.raises(UnknownName, match=r"Did you mean 'coin'\? Models: .*coin.*golden.*oracle"):
        load_model("coyn")
    assert endpoint_of("coin:left") == "plumb_coin:load"
