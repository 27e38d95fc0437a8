"""Our own questions: what they consist of, who can solve them, and who cannot."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from envs.pictures import PictureStore
from evals.actioneqa.__main__ import main
from evals.actioneqa.benchmark import BENCHMARK
from evals.actioneqa.entries import CONFIGURATIONS
from evals.actioneqa.results import tables_of
from evals.actioneqa.settings import ActionSettings
from evals.actioneqa.study.checks import blurred, synthesis
from evals.actioneqa.study.learning import by_hand, cross_validated, text_features
from evals.actioneqa.study.runs import agreement_table, views_table
from evals.run.benchmark import Supplies
from evals.run.directory import RunDirectory


def settings(**chosen: Any) -> ActionSettings:
    return ActionSettings(**{"model": "oracle", **chosen})


def test_core_has_sixty_of_each_configuration_with_balanced_letters() -> None:
    items = BENCHMARK.items(settings())
    assert Counter(item.split for item in items) == dict.fromkeys(CONFIGURATIONS, 60)
    for name in CONFIGURATIONS:
        letters = Counter(item.tags["letter"] for item in items if item.split == name)
        assert max(letters.values()) - min(letters.values()) <= 1


def test_options_differ_in_two_factors() -> None:
    for entry in BENCHMARK.entries(settings(limit=3)):
        assert len(set(entry.options)) == 4
        assert sorted(entry.bits) == [(0, 0), (0, 1), (1, 0), (1, 1)]
        assert len(entry.factors) == 2


def test_the_official_rule_can_be_solved_from_texts_and_ours_cannot() -> None:
    rights = {}
    for rule in ("factors", "official"):
        entries = BENCHMARK.entries(settings(level="low", direction="inverse", distractors=rule))
        rights[rule] = sum(by_hand(entry.options) == entry.right for entry in entries) / len(entries)
        assert {entry.configuration.direction for entry in entries} == {"inverse"}
    assert rights["official"] > 0.9
    assert rights["factors"] < 0.4


@pytest.mark.slow
def test_a_learner_of_texts_solves_what_texts_tell() -> None:
    texts = [[f"[0.{n % 7 + 1}00, {'0.9' if n % 4 == place else '0.1'}00, 0, 0, 0, 0, 0]" for place in range(4)]
             for n in range(80)]  # fmt: skip
    features = [text_features(options, "bridge") for options in texts]
    groups = [str(n % 20) for n in range(80)]
    assert cross_validated(features, [n % 4 for n in range(80)], groups) > 0.95
    assert cross_validated(features, [n * n // 7 % 4 for n in range(80)], groups) < 0.6


@pytest.mark.parametrize("name", ["bridge_low_inverse", "droid_mid_forward"])
def test_geometry_is_right_where_the_gripper_can_be_measured(name: str, tmp_path: Path) -> None:
    one = CONFIGURATIONS[name]
    words = ["--source", one.source, "--level", one.level, "--direction", one.direction, "--limit", "3"]
    assert main(["--model", "geometry", "--out", str(tmp_path / "run"), *words]) == 0
    results = RunDirectory.open(tmp_path / "run").results()
    assert [result.success for result in results] == [True] * 3
    assert "factors" in [table.name for table in tables_of(results)]


def test_geometry_says_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "run"
    assert main(["--model", "geometry", "--source", "rt1", "--limit", "1", "--out", str(out)]) == 1
    assert "about things, not about the gripper's pose" in capsys.readouterr().err
    assert not any(result.scored for result in RunDirectory.open(out).results())


def test_axes_are_drawn_from_the_gripper() -> None:
    chosen = settings(source="bridge", level="mid", views="2", limit=1)
    question, _ = BENCHMARK.open(BENCHMARK.episodes(chosen)[0], chosen, Supplies(PictureStore()))
    assert question.arrows is not None
    arrows = question.arrows()[0]
    assert [arrow.name for arrow in arrows] == ["+X", "+Y", "+Z"] * 2
    for place, arrow in enumerate(arrows):
        assert place // 3 / 2 <= arrow.x <= (place // 3 + 1) / 2
        if arrow.name == "+Z":
            assert arrow.to_y < arrow.y


@pytest.mark.slow
def test_drawing_the_outcomes_finds_the_truth() -> None:
    from envs.arm.recipes import core

    for recipe in core()[::120]:
        assert synthesis(recipe) == recipe.truth


def test_a_blurred_picture_has_fewer_edges() -> None:
    import numpy as np

    from envs.arm.gates import sharpness

    frame = np.random.default_rng(0).integers(0, 255, (40, 50, 3)).astype(np.uint8)
    soft = blurred(frame)
    assert soft.shape == frame.shape
    assert abs(int(soft.mean()) - int(frame.mean())) <= 1
    assert sharpness(soft) < sharpness(frame) / 20


def test_people_agree_as_published() -> None:
    table = agreement_table(115, 120)
    shown = [str(row[1].text) for row in table.rows]
    assert shown[0] == "0.958"
    assert shown[2] == "0.944"
    with pytest.raises(ValueError, match="121 of 120"):
        agreement_table(121, 120)


def test_views_are_compared_in_pairs(tmp_path: Path) -> None:
    runs = []
    for views in ("1", "2"):
        runs.append(tmp_path / views)
        words = ["--source", "bridge", "--level", "low", "--views", views, "--limit", "4", "--out", str(runs[-1])]
        assert main(["--model", "sim:gpt-4.1", *words]) == 0
    table = views_table(runs)
    assert [row[1].text for row in table.rows] == ["8", "8"]
    assert table.rows[1][-1].text == "1.000"  # the same errors in both
    with pytest.raises(ValueError, match="at least two"):
        views_table(runs[:1])


def test_a_blind_model_is_at_chance(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert main(["--model", "oracle", "--control", "blind", "--limit", "20", "--out", str(out), "--no-cache"]) == 0
    results = RunDirectory.open(out).results()
    assert 0.15 < sum(result.success for result in results) / len(results) < 0.35
