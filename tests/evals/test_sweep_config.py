"""What a file asks for, and what is said of one that cannot be used."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from evals.run.equipment import Equipment
from evals.run.prepare import terms_of
from evals.run.settings import Running
from evals.sweep.config import OWN, POSSIBLE, BadConfig, Plan, plan_of, read_plan
from evals.sweep.job import Episodes, check
from evals.viplan.benchmark import ViPlan
from tests.conftest import ROOT

SMALL = """
[grid]
agent = ["ground", "plan"]
model = ["sim:gpt-4.1", "oracle"]
seed = [0, 1]
[settings]
limit = 2
split = "simple"
"""


def plan(text: str) -> Plan:
    return plan_of(tomllib.loads(text))


def names(text: str) -> list[str]:
    return [cell.name for cell in plan(text).cells]


def test_every_combination_is_a_cell_and_models_stay_together() -> None:
    cells = plan(SMALL).cells
    assert len(cells) == 8
    assert [cell.settings.model for cell in cells] == ["sim:gpt-4.1"] * 4 + ["oracle"] * 4
    assert cells[0].name == "ground-sim_gpt-4.1-seed0"
    assert {cell.settings.limit for cell in cells} == {2}
    assert len({cell.name for cell in cells}) == 8


def test_a_single_value_is_a_list_of_one() -> None:
    assert names('[grid]\nagent = "ground"\nsplit = ["simple", "hard"]') == ["ground-simple", "ground-hard"]


def test_combinations_can_be_left_out() -> None:
    assert names(SMALL + '[[exclude]]\nagent = "pl*"\nseed = 1\n[[exclude]]\nmodel = ["oracle"]') == [
        "ground-sim_gpt-4.1-seed0",
        "ground-sim_gpt-4.1-seed1",
        "plan-sim_gpt-4.1-seed0",
    ]


def test_settings_can_be_other_where_something_fits() -> None:
    cells = plan(SMALL + '[[override]]\nwhere = {agent = "plan", seed = 1}\nsteps = 7').cells
    assert {cell.name: cell.settings.steps for cell in cells if cell.settings.steps} == {
        "plan-sim_gpt-4.1-seed1": 7,
        "plan-oracle-seed1": 7,
    }


def test_any_setting_of_the_benchmark_can_be_swept() -> None:
    cells = plan('[grid]\nfail_probability = [0.0, 0.1]\nrules = ["mended", "official"]').cells
    assert [cell.name for cell in cells][1] == "fail_probability0.0-rulesofficial"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("grid = 3", "grid is a table"),
        ("", "[grid] is missing"),
        ("[gird]\nagent = []", "Did you mean 'grid'"),
        ("[grid]\nagnet = ['ground']", "[grid] no setting 'agnet'. Did you mean 'agent'?"),
        ("[grid]\nagent = []", "[grid] agent is an empty list"),
        ("[grid]\nagent = ['ground', 'ground']", "[grid] agent has 'ground' twice"),
        ("[grid]\nlimit = [0]", "limit: input should be greater than or equal to 1, not 0"),
        ("[grid]\nsplit = ['easy']", "split: input should be 'simple', 'medium', 'hard' or 'all', not 'easy'"),
        ("[grid]\nseed = [1]\n[settings]\nseed = 2", "seed is both in [grid] and in [settings]"),
        ("[grid]\nseed = [1]\n[settings]\nsede = 2", "[settings] no setting 'sede'. Did you mean 'seed'?"),
        ("[grid]\nseed = [1]\n[exclude]\nseed = 1", "exclude is a list of tables"),
        ("[grid]\nseed = [1]\n[[exclude]]\nseed = 2", "[[exclude]] 1 fits no combination: seed = 2"),
        ("[grid]\nseed = [1]\n[[exclude]]\nseed = 1", "every combination is excluded"),
        ("[grid]\nseed = [1]\n[[override]]\nseed = 1", "[[override]] 1 needs where"),
        ("[grid]\nseed = [1]\n[[override]]\nwhere = {sed = 1}\nlimit = 1", "where: no setting 'sed'"),
        ("[grid]\nseed = [1, 2]\n[[override]]\nwhere = {seed = 1}\nseed = 2", "two cells are the same"),
        ("[grid]\nseed = [1]\n[run]\nmax_cots = 1", "[run] no option 'max_cots'. Did you mean 'max_cost'?"),
        ("[grid]\nseed = [1]\n[run]\nout = 'here'", "[run] no option 'out'"),
        ("[grid]\nseed = [1]\n[run]\nmax_cost = -1", "[run] max_cost: input should be greater than 0, not -1"),
        ("benchmark = 'viplam'\n[grid]\nseed = [1]", "no benchmark 'viplam'. Did you mean 'viplan'?"),
    ],
)
def test_what_is_wrong_is_said(text: str, said: str) -> None:
    with pytest.raises(BadConfig) as error:
        plan(text)
    assert said in str(error.value)


def test_a_file_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match="cannot be read"):
        read_plan(tmp_path / "nowhere.toml")
    (tmp_path / "broken.toml").write_text("[grid\n")
    with pytest.raises(BadConfig, match=r"broken\.toml: not TOML"):
        read_plan(tmp_path / "broken.toml")
    (tmp_path / "wrong.toml").write_text("[gird]\n")
    with pytest.raises(BadConfig, match=r"wrong\.toml: no table 'gird'"):
        read_plan(tmp_path / "wrong.toml")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[grid]\nagent = ['groundmem']", "no agent 'groundmem'. Did you mean 'ground_mem'?"),
        ("[grid]\nmodel = ['smi:gpt-4.1']", "no model 'smi'. Did you mean 'sim'?"),
        ("[grid]\nmodel = ['sim:gpt-4']", "no published model 'gpt-4'"),
        ("[grid]\nagent = ['tools']\nmodel = ['oracle']", "needs a model that can call tools"),
        ("[grid]\nplanner = ['fast']", "no planner 'fast'"),
        ("[grid]\ncontrol = ['blnd']", "no control 'blnd'. Did you mean 'blind'?"),
        ("[grid]\nagent = ['answer']", "agent 'answer' is for questions, and this benchmark has symbolic worlds"),
        ("[grid]\nagent = ['answer']\nmodel = ['hf:nowhere']", "agent 'answer' is for questions"),
        ("[grid]\nagent = ['groundmem']\nmodel = ['hf:nowhere']", "no agent 'groundmem'"),
    ],
)
def test_cells_are_tried_before_any_is_played(text: str, said: str) -> None:
    equipment = Equipment()
    try:
        with pytest.raises(BadConfig) as error:
            check(plan(text), equipment)
    finally:
        equipment.close()
    assert said in str(error.value)


def test_a_missing_address_for_spans_is_found_before_any_cell_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OTEL_EXPORTER_OTLP_ENDPOINT", raising=False)
    equipment = Equipment()
    with pytest.raises(BadConfig, match=r"\[run\] otel: (no endpoint for spans|spans need OpenTelemetry)"):
        check(plan("[grid]\nseed = [1]\n[run]\notel = true"), equipment)
    equipment.close()


def test_heavy_models_are_not_loaded_to_see_whether_they_can_be() -> None:
    equipment = Equipment()
    check(plan("[grid]\nmodel = ['hf:there/is/no/such/model']"), equipment)
    equipment.close()


def test_options_are_those_of_a_single_run() -> None:
    assert {*POSSIBLE, *OWN} == {*Running.model_fields, "cells"}
    found = plan("[grid]\nseed = [1]\n[run]\nmax_cost = 2.0\nper_minute = 9\nrequests = 3\ncells = 4")
    terms = terms_of(found.running)
    assert (terms.budget.max_cost, terms.limits.per_minute, terms.limits.in_flight) == (2.0, 9, 3)
    assert found.running.cells == 4


def test_controls_repeats_and_temperatures_can_be_swept() -> None:
    cells = plan(
        '[grid]\ncontrol = ["blind", "other-answers"]\ntemperature = [0.0, 0.7]\n[settings]\nrepeats = 3'
    ).cells
    assert [(cell.settings.control, cell.settings.temperature, cell.settings.repeats) for cell in cells] == [
        ("blind", 0.0, 3),
        ("blind", 0.7, 3),
        ("other-answers", 0.0, 3),
        ("other-answers", 0.7, 3),
    ]
    assert cells[1].name == "controlblind-temperature0.7"


def test_episodes_are_counted_without_playing() -> None:
    count = Episodes(ViPlan())
    sizes: list[Any] = [count(cell.settings) for cell in plan(SMALL).cells]
    assert sizes == [2] * 8
    (all_of_them,) = plan("[grid]\nseed = [0]").cells
    assert count(all_of_them.settings) == 75
    (repeated,) = plan("[grid]\nseed = [0]\n[settings]\nrepeats = 2").cells
    assert count(repeated.settings) == 150


def test_the_example_is_a_plan() -> None:
    found = read_plan(ROOT / "examples" / "sweep.toml")
    assert len(found.cells) == 24
