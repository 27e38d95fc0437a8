"""Splits and episodes come in the order that people expect, whichever ended first."""

from __future__ import annotations

from pathlib import Path

from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.results import unplayed
from evals.viplan.splits import ordered


def test_splits_go_from_easy_to_hard_domain_by_domain() -> None:
    splits = [f"{domain}{level}" for domain in ("", "a ", "b ") for level in ("simple", "medium", "hard", "other")]
    assert ordered(reversed(splits)) == splits


def test_results_come_in_one_order_whichever_episode_ended_first(tmp_path: Path) -> None:
    wanted = ["simple_2", "simple_10", "medium_01", "medium_1", "hard_0", "hard_3"]
    for number, ids in enumerate((wanted, wanted[::-1], sorted(wanted))):
        run = RunDirectory.create(tmp_path / str(number), {"settings": {}, "splits": ["simple", "medium", "hard"]})
        for id in ids:
            run.append(unplayed(Episode(id, id.partition("_")[0]), "nothing"))
        assert [result.id for result in run.results()] == wanted
        run.close()
