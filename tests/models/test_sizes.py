"""What a server may send: a reply that is too large, packed or endless is its fault and costs little memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from models._http import LARGEST_REPLY
from models.base import Provider, Transient
from models.conduct import Conducted
from models.registry import load_model
from tests.conftest import ROOT
from tests.loopback import Fault, Loopback, always
from tests.models.asking import ask, plan, question, without_ambient_settings

TOO_MUCH = [Fault.LARGE, Fault.ENDLESS, Fault.BOMB]
ASKING = """
import resource, sys
from models.base import Transient
from models.registry import load_model
from tests.models.asking import ask, question

def asked():
    try:
        return ask(load_model(sys.argv[1]).provider, question())[0].text
    except Transient as trouble:
        return str(trouble)

def most():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

asked()  # what is imported on the way counts for nobody
before = most()
print(asked())
print(most() - before)
"""


@pytest.fixture(params=["openai", "anthropic"])
def family(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    without_ambient_settings(monkeypatch)
    return str(request.param)


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback() as server:
        yield server


def reached(family: str, server: Loopback) -> Provider:
    model = load_model(f"{family}:any@{server.url}")
    assert isinstance(model, Conducted)
    return model.provider


@pytest.mark.parametrize("fault", TOO_MUCH)
def test_too_much_is_the_endpoints_fault(server: Loopback, family: str, fault: Fault) -> None:
    server.faults = always(fault)
    with pytest.raises(Transient, match=f"too large: more than {LARGEST_REPLY // 2**20} MB") as trouble:
        ask(reached(family, server), question())
    assert not trouble.value.down
    server.faults = lambda number: None
    assert ask(reached(family, server), question())[0].text == "Yes"


@pytest.mark.slow
@pytest.mark.parametrize("fault", TOO_MUCH)
def test_it_takes_little_memory(server: Loopback, family: str, fault: Fault) -> None:
    server.faults = lambda number: fault if number else None
    command = [sys.executable, "-c", ASKING, f"{family}:any@{server.url}"]
    said, grown = subprocess.check_output(command, cwd=ROOT, text=True, timeout=60).splitlines()
    assert "too large" in said
    assert int(grown) < 40


def test_an_error_may_be_too_large_too(server: Loopback, family: str) -> None:
    server.faults = always(Fault.BOMB)
    server.refuses = {"messages"}
    with pytest.raises(Transient, match="too large"):
        ask(reached(family, server), question())


def test_a_packed_reply_is_a_reply(server: Loopback, family: str) -> None:
    server.faults = always(Fault.ZIPPED)
    assert ask(reached(family, server), question())[0].text == "Yes"


def test_a_long_reply_is_a_reply(server: Loopback, family: str) -> None:
    server.answer = lambda body: "x" * 2**21
    assert len(ask(reached(family, server), plan())[0].text) == 2**21
