import json
from collections import Counter
from dataclasses import replace
from itertools import groupby
from pathlib import Path

import pytest

from envs.arm import check, recipes
from envs.arm.check import faults_of, gates_of, picture_hashes, unbalanced
from envs.arm.recipes import CONFIGURATIONS, core

HASHES = json.loads((Path(check.__file__).parent / "core.json").read_text())["pictures"]


def test_there_are_sixty_questions_of_every_configuration() -> None:
    counts = Counter(recipe.configuration for recipe in core())
    assert counts == {"-".join(one): 60 for one in CONFIGURATIONS}
    assert len({recipe.id for recipe in core()}) == 840


def test_letters_and_cells_are_balanced() -> None:
    for _, group in groupby(core(), key=lambda recipe: recipe.configuration):
        assert list(unbalanced(list(group))) == []


def test_a_sample_has_no_fault_and_passes_every_gate() -> None:
    for recipe in core()[::30]:
        assert list(faults_of(recipe)) == [], recipe.id
    for recipe in core()[17::420]:
        assert list(gates_of(recipe)) == [], recipe.id


def test_a_picture_of_the_frozen_set_is_bit_for_bit_the_same() -> None:
    recipe = next(one for one in core() if one.configuration == "rt1-high-ai")
    assert picture_hashes(recipe) == HASHES[recipe.id]


def test_a_wrong_state_a_weak_motion_and_a_repeated_option_are_found() -> None:
    recipe = core()[130]
    first = recipe.outcomes[0]
    moved = replace(first.after, state=first.after.state._replace(z=first.after.state.z + 0.001))
    wrong = replace(recipe, outcomes=(replace(first, after=moved), *recipe.outcomes[1:]))
    assert any("second model" in fault for fault in faults_of(wrong))
    still = replace(first.after, state=recipe.before.state, joints=recipe.before.joints)
    weak = replace(recipe, outcomes=(replace(first, after=still), *recipe.outcomes[1:]))
    assert any("too little" in fault for fault in faults_of(weak))
    twice = replace(recipe, outcomes=(recipe.outcomes[1], *recipe.outcomes[1:]))
    assert any("read the same" in fault for fault in faults_of(twice))
    assert list(unbalanced([recipe, recipe]))


def test_check_is_a_command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    some = core()[:2]
    monkeypatch.setattr(check, "core", lambda: some)
    assert check.check("", 0) == 1
    out = capsys.readouterr().out
    assert "bridge-high-sp: letters of the truth are not balanced" in out
    assert out.splitlines()[-1].startswith("2 questions, ")


@pytest.mark.slow
def test_two_pictures_of_every_configuration_are_bit_for_bit_the_same() -> None:
    for identity, hashes in list(HASHES.items())[::2]:
        recipe = next(one for one in core() if one.id == identity)
        assert picture_hashes(recipe) == hashes, identity


def test_the_core_is_small() -> None:
    assert Path(recipes.__file__).with_name("core.jsonl.gz").stat().st_size < 1_500_000
