from __future__ import annotations

import os
import subprocess
import sys

import pytest

from models._twins import version
from models.registry import load_model, providers
from models.scripted import Scripted
from models.sim import StandIn
from planners.names import UnknownName
from tests.conftest import ROOT
from tests.tiny_vlm import NEEDS_TORCH


def test_every_offline_model_is_found_by_its_file() -> None:
    assert {"oracle", "pixels", "replay", "scripted", "sim"} <= set(providers())


def test_modules_that_load_nothing_are_no_models() -> None:
    assert not {"base", "cache", "parsing", "registry"} & set(providers())


@pytest.mark.parametrize(
    ("spec", "identity"),
    [
        ("sim", "sim:gpt-4.1, seed 0, blunder 0.1"),
        ("sim:", "sim:gpt-4.1, seed 0, blunder 0.1"),
        ("sim:gpt-4.1", "sim:gpt-4.1, seed 0, blunder 0.1"),
        ("sim?seed=3", "sim:gpt-4.1, seed 3, blunder 0.1"),
        ("sim:molmo-7b?blunder=0.25&seed=7", "sim:molmo-7b, seed 7, blunder 0.25"),
        ("sim:molmo-7b?", "sim:molmo-7b, seed 0, blunder 0.1"),
        ("oracle", "oracle:perfect eyes, blunder 0"),
        ("scripted:a:b", "scripted:a:b"),
    ],
)
def test_a_spec_is_a_name_a_rest_and_options(spec: str, identity: str) -> None:
    assert load_model(spec).identity.partition(", twin ")[0] == identity


def test_the_identity_of_a_twin_names_its_coefficients() -> None:
    plain = load_model("sim?errors=independent").identity
    assert load_model("sim").identity == f"{plain}, {version()}"


@pytest.mark.parametrize("spec", ["orcale", "orcale:x", "orcale?x=1", "Oracle"])
def test_an_unknown_model_is_answered_with_the_nearest(spec: str) -> None:
    with pytest.raises(UnknownName, match=r"Did you mean 'oracle'\? Models: .*oracle.*sim"):
        load_model(spec)


def test_an_empty_spec_says_what_there_is() -> None:
    with pytest.raises(UnknownName, match=r"no model ''\. Models: "):
        load_model("")


def test_what_a_spec_gives_is_of_its_own_kind() -> None:
    assert isinstance(load_model("sim"), StandIn)
    assert isinstance(load_model("scripted:Yes"), Scripted)


@NEEDS_TORCH
@pytest.mark.parametrize("name", ["./nowhere", "nobody/no-such-model", "a/b/c"])
def test_what_is_no_model_is_refused_without_waiting_for_torch(name: str) -> None:
    code = (
        "import sys; from models.registry import load_model\n"
        f"try: load_model('hf:{name}')\n"
        "except ValueError as error: print(error)\n"
        "print('torch' in sys.modules)"
    )
    offline = {**os.environ, "HF_HUB_OFFLINE": "1"}
    said = subprocess.check_output([sys.executable, "-c", code], text=True, cwd=ROOT, env=offline).splitlines()
    assert said[0].startswith(f"hf: '{name}'")
    assert said[1:] == ["False"]
