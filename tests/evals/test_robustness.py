"""The command that says how much of a result is owed to wording, names and looks."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evals.robustness.__main__ import main
from evals.robustness.effects import effects_of
from evals.robustness.playing import Played
from evals.run.controls import PICTURES, WORDS
from evals.viplan.__main__ import main as viplan

SMALL = ("--agent", "ground", "--split", "simple", "--limit", "2")


def run(folder: Path, *words: str) -> int:
    return main(["viplan", "--out", str(folder), *SMALL, *words])


def found(folder: Path) -> dict[str, dict[str, Any]]:
    kept = json.loads((folder / "robustness.json").read_text())
    return {effect["disturbance"]: effect for effect in kept["effects"]}


def test_a_simulated_model_shows_luck_and_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path / "a", "--model", "sim:gpt-4.1") == 0
    effects = found(tmp_path / "a")
    assert {name for name, effect in effects.items() if "success" in effect} == set(WORDS)
    assert all("does not look at pictures" in effects[name]["impossible"] for name in PICTURES)
    said = capsys.readouterr().out
    assert "SIMULATED" in said
    assert "nothing about the wording" in " ".join(said.split())
    for name in WORDS:
        config = json.loads((tmp_path / "a" / name / "run.json").read_text())
        assert config["control"] == name
    # Nothing is played twice: the same command only puts the table together.
    before = (tmp_path / "a" / "renamed" / "results.jsonl").read_bytes()
    assert run(tmp_path / "a", "--model", "sim:gpt-4.1") == 0
    assert (tmp_path / "a" / "renamed" / "results.jsonl").read_bytes() == before


def test_the_oracle_is_not_disturbed(tmp_path: Path) -> None:
    assert run(tmp_path / "a", "--model", "oracle", "--json") == 0
    effects = found(tmp_path / "a")
    assert all(effects[name]["difference"] == 0 and effects[name]["lost"] == 0 for name in WORDS)
    assert all(effects[name]["holm"] == 1 for name in WORDS)


@pytest.mark.slow
def test_a_model_that_looks_shows_what_pictures_do(tmp_path: Path) -> None:
    assert run(tmp_path / "a", "--model", "pixels", "--disturb", "dark", "renamed", "renderer blender") == 0
    effects = found(tmp_path / "a")
    assert "does not read words" in effects["renamed"]["impossible"]
    assert effects["dark"]["episodes"] == 2
    assert "impossible" in effects["renderer blender"] or "success" in effects["renderer blender"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--disturb", "nois"), "Did you mean 'noise'"),
        (("--control", "blind"), "no other can be added"),
        (("--agent", "groun"), "Did you mean 'ground'"),
    ],
    ids=["disturbance", "control", "agent"],
)
def test_what_cannot_be_played_is_named(
    words: tuple[str, ...], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tmp_path / "a", *words) == 2
    assert message in capsys.readouterr().err


def test_a_control_that_does_not_fit_is_refused_before_the_run(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, message in (
        (("--model", "sim:gpt-4.1", "--control", "noise"), "does not look at pictures"),
        (("--model", "pixels", "--control", "reworded-first"), "does not read words"),
        (("--domain", "household", "--model", "oracle", "--control", "renamed"), "stand in the pictures"),
    ):
        assert viplan([*SMALL, *words, "--out", str(tmp_path / "run")]) == 2
        assert message in capsys.readouterr().err


def test_differences_and_flips_are_counted(tmp_path: Path) -> None:
    """Against a run that solves nothing, everything is lost."""
    for name, model in (("base", "oracle"), ("other", "scripted:No")):
        assert viplan([*SMALL[:-1], "8", "--model", model, "--out", str(tmp_path / name)]) == 0
    played = Played(
        tmp_path / "base", {"noise": tmp_path / "other"}, {"noise": "pictures", "crop": "pictures"}, {"crop": "why not"}
    )
    robustness = effects_of(played)
    noise, crop = robustness.effects
    assert (noise.lost, noise.gained) == (8, 0)
    assert noise.pair is not None
    assert noise.pair.difference == -1.0
    assert noise.shown
    assert crop.pair is None
    said = list(robustness.words())
    assert said[0].startswith(
        "pictures: success from 0.00 to 1.00, a range of 1.00; 8 of 8 episodes end otherwise (100%)"
    )
    assert "not played: crop: why not" in said
