"""What every symbolic environment must do. A folder of `envs/` with a `world.py` is put through this by its name.

Its sample world comes from `tests/envs/<name>/sample.py`: `open_world(seed, pictures)`.
"""

from __future__ import annotations

import importlib.util
import inspect
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

import envs
from envs.base import (
    Environment,
    Observation,
    Outcome,
    Rewindable,
    Stating,
    Stepped,
    Symbolic,
    View,
    World,
    static_facts,
)
from envs.pictures import PictureStore
from planners.formula import Formula, Objects
from planners.static import static_part
from planners.task import Domain, Step
from tests.conftest import ROOT

OF_OPTIONS = {"embodied"}
"""Worlds that list what can be done, without a domain; their tests are in their own folders."""
WORLDS = sorted({path.parent.name for path in Path(envs.__path__[0]).glob("*/world.py")} - OF_OPTIONS)
Open = Callable[..., World]


@pytest.fixture(scope="module", params=WORLDS)
def open_world(request: pytest.FixtureRequest) -> Open:
    """Makes the sample world of an environment, with pictures in memory unless told otherwise."""
    file = ROOT / "tests" / "envs" / request.param / "sample.py"
    assert file.is_file(), f"{file.relative_to(ROOT)} is missing: def open_world(seed, pictures) -> World"
    spec = importlib.util.spec_from_file_location(f"sample_{request.param}", file)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return lambda seed=0, pictures=None: module.open_world(seed, pictures or PictureStore())


@pytest.fixture
def world(open_world: Open) -> World:
    return open_world()


def steps(world: World) -> list[Step]:
    """Every well-typed action."""
    return [
        Step(action.name, tuple(binding.values()))
        for action in world.domain.actions.values()
        for binding in world.objects.bindings(action.parameters)
    ]


def legal(world: World, step: Step) -> bool:
    return world.laws.ground(step, world.objects).applicable(world.truth())


def test_there_are_environments() -> None:
    assert "blocksworld" in WORLDS


def test_it_has_all_that_an_agent_asks_for(world: World) -> None:
    for name in vars(Environment):
        assert name.startswith("_") or hasattr(world, name), name
    assert world.name in WORLDS
    assert isinstance(world.domain, Domain)
    assert isinstance(world.objects, Objects)
    assert isinstance(world.goal, Formula)
    for text in (world.goal_text, world.description, world.action_help):
        assert text.strip()


def test_actions_are_named_as_in_the_domain(world: World) -> None:
    assert set(world.signatures) == set(world.domain.actions)
    for name, parameters in world.signatures.items():
        assert len(parameters) == len(set(parameters)) == len(world.domain.actions[name].parameters)
        assert name in world.action_help


def test_every_fact_has_a_question_of_its_own(world: World) -> None:
    questions = [world.question(atom) for atom in world.domain.atoms(world.objects)]
    assert len(set(questions)) == len(questions)
    assert all(question.endswith("?") and "\n" not in question for question in questions)


def test_what_is_true_is_said_in_the_words_of_the_domain(world: World) -> None:
    known = set(world.domain.atoms(world.objects))
    assert world.truth() <= known
    assert world.prior is None or world.prior <= known


def test_what_is_stated_never_changes_and_is_all_there_is(world: World) -> None:
    stated = static_facts(world)
    for _ in range(4):
        assert stated is None or stated == static_part(world.domain, world.truth())
        story(world, 1)


def test_what_is_not_legal_changes_nothing(world: World) -> None:
    refused = [step for step in steps(world) if not legal(world, step)][:40]
    assert refused
    for step in refused:
        before, picture = world.truth(), world.observe().picture.key
        answer = world.step(step)
        assert isinstance(answer, Stepped)
        assert answer.outcome is Outcome.NOT_LEGAL, step
        assert (world.truth(), world.observe().picture.key) == (before, picture), step


@pytest.mark.parametrize("arguments", [(), ("nobody",), ("nobody", "nowhere"), ("a",) * 9])
def test_what_makes_no_sense_changes_nothing(world: World, arguments: tuple[str, ...]) -> None:
    before = world.truth()
    assert world.step(Step("levitate", arguments)).outcome is Outcome.UNKNOWN_ACTION
    for action in world.domain.actions:
        assert world.step(Step(action, arguments)).outcome is Outcome.BAD_PARAMETERS
    assert world.truth() == before


def test_what_is_legal_is_attempted(world: World) -> None:
    step = next(step for step in steps(world) if legal(world, step))
    answer = world.step(step)
    assert answer.outcome in (Outcome.EXECUTED, Outcome.FAILED)
    assert isinstance(answer.terminated, bool)
    assert world.happened()


def test_the_same_seed_gives_the_same_story_and_the_same_pictures(open_world: Open) -> None:
    one, other = open_world(3), open_world(3)
    for _ in range(4):
        assert one.truth() == other.truth()
        assert one.observe().picture.key == other.observe().picture.key
        step = next((step for step in steps(one) if legal(one, step)), steps(one)[0])
        assert one.step(step) == other.step(step)
    assert one.observe().picture.png() == other.observe().picture.png()


def story(world: World, length: int = 4) -> list[object]:
    """What comes of a few legal attempts, with all that can be known of the world after each."""
    told: list[object] = []
    for _ in range(length):
        step = next((step for step in steps(world) if legal(world, step)), steps(world)[0])
        told.append((world.step(step), world.happened(), world.truth(), world.observe().picture.key))
    return told


def test_a_world_that_is_put_back_does_the_same_again(world: World) -> None:
    if not isinstance(world, Rewindable):
        pytest.skip("this world cannot be put back")
    story(world, 1)
    saved, truth, picture = world.save(), world.truth(), world.observe().picture.key
    first = story(world)
    for _ in range(2):
        world.restore(saved)
        assert (world.truth(), world.observe().picture.key) == (truth, picture)
        assert story(world) == first


def test_another_seed_of_chance_changes_nothing_at_once(world: World) -> None:
    if not isinstance(world, Rewindable):
        pytest.skip("this world cannot be put back")
    saved, truth, picture = world.save(), world.truth(), world.observe().picture.key
    world.reseed(7)
    assert (world.truth(), world.observe().picture.key) == (truth, picture)
    first = story(world)
    world.restore(saved)
    world.reseed(7)
    assert story(world) == first


def test_a_picture_is_drawn_when_someone_looks(open_world: Open, tmp_path: Path) -> None:
    pictures = PictureStore(tmp_path)
    seen = open_world(0, pictures).observe()
    assert isinstance(seen, Observation)
    assert pictures.known(seen.picture.key) is None
    with Image.open(io.BytesIO(seen.picture.png())) as image:
        assert image.format == "PNG"
        assert min(image.size) >= 16
    assert pictures.known(seen.picture.key) == seen.picture.sha256


def test_what_is_seen_are_objects_of_the_world(world: World) -> None:
    visible = world.observe().visible
    assert visible is None or visible <= set(world.objects)


def test_what_is_said_to_be_impossible_is_not_so(world: World) -> None:
    for _ in range(4):
        seen = world.observe()
        assert not seen.impossible & world.truth()
        assert not any(seen.shows(atom) for atom in seen.impossible)
        story(world, 1)


def test_looking_changes_nothing(world: World) -> None:
    before = world.truth()
    assert world.observe().picture.key == world.observe().picture.key
    assert world.truth() == before


def test_through_a_view_there_is_no_truth(world: World) -> None:
    view = View(world)
    asked = {name for name in (*vars(Environment), *vars(Symbolic), *vars(Stating)) if not name.startswith("_")}
    assert {name for name in dir(view) if not name.startswith("_")} == asked
    for name in asked:
        assert not hasattr(getattr(view, name), "truth"), name


def test_its_module_says_how_the_world_works(world: World) -> None:
    described = inspect.getmodule(type(world)).__doc__ or ""  # type: ignore[union-attr]
    for heading in ("Observation", "Actions", "Termination"):
        assert heading in described
