"""A run from Python: one call, with the options of the command line."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from evals.play import play_run
from evals.run.equipment import Equipment
from evals.run.options import options_of
from evals.run.playing import play
from evals.run.prepare import prepare, terms_of
from evals.run.settings import Running
from evals.viplan.__main__ import _parser
from evals.viplan.benchmark import ViPlan

SMALL = {"agent": "ground", "model": "oracle", "split": "simple", "limit": 2}


def test_one_call_plays_a_run_and_another_finishes_it(tmp_path: Path) -> None:
    told = []
    run = play_run(ViPlan(), told.append, **SMALL, out=tmp_path / "run")
    assert sorted(result.id for result in run.results()) == ["simple_00", "simple_01"] == sorted(r.id for r in told)
    assert (run.path / "report.html").is_file()
    again = play_run(ViPlan(), told.append, resume=tmp_path / "run")
    assert len(told) == 2
    assert again.results() == run.results()


def test_it_works_where_a_loop_is_running(tmp_path: Path) -> None:
    async def notebook() -> int:
        return len(play_run(ViPlan(), **SMALL, out=tmp_path / "run").results())

    assert asyncio.run(notebook()) == 2


def test_options_are_those_of_the_command_line() -> None:
    assert options_of({}, ViPlan.settings, Running).items() <= vars(_parser().parse_args([])).items()
    with pytest.raises(ValueError, match="Did you mean 'concurrency'"):
        options_of({"concurency": 3}, ViPlan.settings, Running)


@pytest.mark.slow
def test_runs_that_share_their_equipment_come_out_as_they_do_alone(tmp_path: Path) -> None:
    chosen = {**SMALL, "model": "sim:qwen2.5-vl-72b", "agent": "plan", "fail_probability": 0.2}
    options = options_of(chosen, ViPlan.settings, Running)
    equipment = Equipment(terms_of(Running()))

    async def both() -> None:
        for seed in (0, 1):
            prepared = prepare(ViPlan(), {**options, "seed": seed, "out": tmp_path / f"shared-{seed}"}, equipment)
            with prepared.closing:
                await play(prepared, lambda result: None, keep_model=True)
        assert equipment.model("sim:qwen2.5-vl-72b") is prepared.setup.model
        await equipment.release_all()

    try:
        asyncio.run(both())
    finally:
        equipment.close()
    for seed in (0, 1):
        play_run(ViPlan(), **chosen, seed=seed, out=tmp_path / f"alone-{seed}")
        lines = [
            sorted((tmp_path / f"{how}-{seed}/results.jsonl").read_text().splitlines()) for how in ("shared", "alone")
        ]
        assert lines[0] == lines[1]
