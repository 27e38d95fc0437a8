"""`ground_belief` where it has to look: what it asks, where it searches, and when it claims to be done."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from agents.seek import looking_for, search_steps
from evals.compare.likeness import incomparable
from evals.play import play_run
from evals.run.results import EpisodeResult
from evals.run.trace import Record
from evals.viplan.benchmark import BENCHMARK, ViPlan
from evals.viplan.settings import ViPlanSettings
from memory.whereabouts import FLOOR, Whereabouts
from models.base import Kind, Request
from models.sim import PublishedEyes, published
from planners.formula import Atom
from planners.task import Step
from tests.evals.arms import ALIKE, arms, part
from tests.memory.test_whereabouts import IN_CABINET, ON_TABLE, blank, near
from tools.events import Acted, Asked


def certain(belief_place: Atom, share: float = 0.9) -> Whereabouts:
    belief = blank()
    others = dict.fromkeys(belief.places["bowl"], (1 - share) / 10)
    return replace(belief, places={**belief.places, "bowl": {**others, belief_place: share}})


def test_it_looks_where_a_thing_is_likely_for_what_that_costs() -> None:
    assert looking_for(["bowl"], certain(ON_TABLE)) == Step("navigate-to", ("table",))
    assert looking_for(["bowl"], certain(IN_CABINET)) == Step("navigate-to", ("cabinet",))
    floor = Atom(FLOOR, ("bowl", "hall"))
    assert looking_for(["bowl"], certain(floor)) == Step("look-around", ("hall",))


def test_before_something_shut_it_opens_it_and_before_something_open_it_drives_up_to_the_thing() -> None:
    at = near(certain(IN_CABINET), "cabinet")
    assert looking_for(["bowl"], at) == Step("open-container", ("cabinet",))
    opened = replace(at, facts={**at.facts, Atom("open", ("cabinet",)): 0.99})
    assert looking_for(["bowl"], opened) == Step("navigate-to", ("bowl",))


def test_a_shut_container_costs_twice_as_much_as_a_table() -> None:
    worth = dict(search_steps(["bowl"], blank()))
    cabinet, table = worth[Step("navigate-to", ("cabinet",))], worth[Step("navigate-to", ("table",))]
    assert cabinet == pytest.approx(blank().likely(IN_CABINET) / 2)
    assert table == pytest.approx(blank().likely(ON_TABLE))
    both = dict(search_steps(["bowl", "cup"], blank()))
    assert both[Step("navigate-to", ("table",))] == pytest.approx(2 * table), "one step may show both"


SEEN = {"domain": "household", "start": "seen", "feedback": "none", "split": "medium", "limit": 1}


def played(out: Path, **other: Any) -> tuple[EpisodeResult, list[Record]]:
    run = play_run(ViPlan(), out=out, no_cache=True, **{"model": "oracle", "agent": "ground_belief", **SEEN, **other})
    (result,) = run.results()
    return result, run.records(result.id)


@pytest.mark.slow
def test_with_perfect_eyes_it_finds_everything_and_knows_that_it_is_done(tmp_path: Path) -> None:
    result, records = played(tmp_path / "run", split="simple")
    assert (result.success, result.end) == (True, "verified")
    assert all(record.event.outcome == "executed" for record in records if isinstance(record.event, Acted))
    asked = [record for record in records if isinstance(record.event, Asked)]
    views = [record for record in asked if record.event.about.startswith("visible")]
    assert views
    assert all(record.truth.right for record in asked), "the judge knows what is in view"
    assert any(not record.truth.value for record in views)
    assert {tally.by["predicate"] for tally in result.tallies} >= {"visible", "reachable"}


@pytest.mark.slow
def test_blind_it_finds_nothing(tmp_path: Path) -> None:
    result, _ = played(tmp_path / "run", control="blind")
    assert not result.success


@pytest.mark.slow
def test_methods_that_propose_say_themselves_that_they_are_done(tmp_path: Path) -> None:
    result, records = played(tmp_path / "run", agent="plan", split="simple", limit=1)
    proposed = [record.event for record in records if isinstance(record.event, Asked) and record.event.proposes]
    assert proposed
    assert result.reason in ("finished", "step_limit")
    assert result.end != "announced", "nobody announced it"


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"start": "seen"}, "--domain household"),
        ({"domain": "all", "start": "seen"}, "--domain household"),
        ({"domain": "household", "start": "seen", "rules": "official"}, "--rules mended"),
        ({"feedback": "none", "rules": "official"}, "--rules mended"),
        ({"domain": "household", "feedback": "legality", "env_url": "http://127.0.0.1:1"}, "worlds of our own"),
    ],
    ids=["blocksworld", "all", "official start", "official feedback", "server"],
)
def test_settings_that_a_world_does_not_have_are_refused(settings: dict[str, Any], why: str) -> None:
    with pytest.raises(ValueError, match=why):
        BENCHMARK.check(ViPlanSettings(**settings))


def test_the_setting_is_in_the_fingerprints_and_runs_of_another_one_are_refused() -> None:
    told, seen = (
        BENCHMARK.fingerprints(ViPlanSettings(domain="household", **more)) for more in ({}, {"start": "seen"})
    )
    assert told["setting"] == "start told, announces full"
    assert {name for name in told if told[name] != seen[name]} == {"setting"}
    parts = [part({"a": True}, prints={**ALIKE, "setting": prints["setting"]}) for prints in (told, seen)]
    (line,) = incomparable(
        arms(parts[0], replace(parts[1], name="other", settings={**parts[1].settings, "start": "seen"}))
    )
    assert line.startswith("setting: start told")


def test_prompts_say_no_more_than_the_world_announced() -> None:
    said = {value: ViPlanSettings(feedback=value).history for value in ("full", "actions", "legality", "none")}
    assert said == {"full": "full", "actions": "actions", "legality": "full", "none": "actions"}


def test_a_stand_in_sees_what_is_in_view_as_well_as_it_sees_anything() -> None:
    eyes = PublishedEyes("gpt-4.1")
    rates = {key[3]: rate for key, rate in published()["gpt-4.1"].items() if key[:3] == ("household", False, "hard")}
    witness = SimpleNamespace(tags={"world": "household", "level": "hard"})
    request = Request((), Kind.YES_NO)
    assert eyes._accuracy("visible", request, witness) == max(rates.values())  # type: ignore[arg-type]
    assert eyes._accuracy("holding", request, witness) == rates["holding"]  # type: ignore[arg-type]
