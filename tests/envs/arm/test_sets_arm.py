from collections import Counter

import numpy as np
import pytest

from envs.arm import gates, sets
from envs.arm.check import faults_of, unbalanced
from envs.arm.generate import FROZEN
from envs.arm.labels import DIMENSIONS
from envs.arm.motions import CELLS
from envs.arm.recipes import Factor, Moment, Recipe, core
from envs.arm.scenes import SIZES, VIEWS, table
from envs.arm.sets import Options, attempt, fresh, questions
from envs.arm.solvers import best
from envs.arm.states import State
from envs.arm.worlds import World


@pytest.fixture(scope="module")
def made() -> dict[str, Recipe]:
    """One question of each level, one of each source."""
    wanted = {"bridge-low-ai": "low", "droid-mid-sp": "mid", "rt1-high-ai": "high"}
    found = [next(recipe for recipe in core() if recipe.configuration == name) for name in wanted]
    return dict(zip(wanted.values(), found, strict=True))


def test_the_same_seed_gives_the_same_set_and_the_same_bytes(made: dict[str, Recipe]) -> None:
    recipe = made["low"]
    (again,) = fresh(("bridge", "low", "ai"), FROZEN, 1, pictures=True)
    assert (again.scene, again.before, again.factors) == (recipe.scene, recipe.before, recipe.factors)
    assert set(again.outcomes) == set(recipe.outcomes)
    first = World(recipe).picture("exo_1", "before")
    table.cache_clear()
    assert World(recipe).picture("exo_1", "before") == first
    assert World(recipe).key(["exo_1"], 0) != World(recipe).key(["exo_1"], 1)


def test_every_option_is_a_combination_of_the_factors_of_its_level(made: dict[str, Recipe]) -> None:
    for recipe in made.values():
        assert sorted(outcome.bits for outcome in recipe.outcomes) == list(CELLS)
        assert len({recipe.text(number) for number in range(4)}) == 4
    mid = made["mid"]
    first = next(number for number in mid.dimensions if mid.factors[0].about == (DIMENSIONS[number],))
    assert {mid.motion(k)[first] > 0.0 for k in range(4) if mid.outcomes[k].bits[0] == 0} == {True}


def test_geometry_finds_every_outcome_in_its_own_mask(made: dict[str, Recipe]) -> None:
    for level in ("low", "mid"):
        world = World(made[level])
        view = world.views[0]
        states = [world.state(number) for number in range(4)]
        for number in range(4):
            assert best(world.arm, states, [world.camera(view, number)], [world.mask(view, number)]) == number


def test_views_have_their_sizes_and_stand_side_by_side(made: dict[str, Recipe]) -> None:
    from io import BytesIO

    from PIL import Image

    world = World(made["mid"])
    assert world.views == VIEWS["droid"]
    width, height = SIZES["droid"]
    assert Image.open(BytesIO(world.strip(["exo_1", "ego"], 2))).size == (2 * width, height)
    with pytest.raises(ValueError, match="exo_3"):
        world.picture("exo_3", "before")


def test_letters_and_cells_of_the_truth_are_balanced() -> None:
    moment = Moment((0.0,), State(0, 0, 0, 0, 0, 0, 0))
    factor = Factor("sign", ("x",))
    options = [Options(number, "", moment, (factor, factor), (moment,) * 4) for number in range(61)]
    made = questions(("bridge", "mid", "sp"), 1, options)
    assert list(unbalanced(made)) == []
    assert Counter(recipe.truth for recipe in made) != Counter(recipe.truth for recipe in made[:4])
    assert list(unbalanced(made[:2]))
    assert [recipe.truth for recipe in made] != [
        recipe.truth for recipe in questions(("bridge", "mid", "sp"), 2, options)
    ]


def test_a_dropped_draft_names_its_gate() -> None:
    results = [attempt("bridge", "low", 1, number, pictures=False) for number in range(12)]
    assert any(isinstance(one, str) for one in results)
    assert any(isinstance(one, Options) for one in results)


def test_a_gripper_in_the_table_or_in_a_thing_is_found() -> None:
    from envs.arm.arms import matrix_of
    from envs.arm.inverse import solve

    scene = table("bridge", 2)

    def moment(x: float, y: float, z: float) -> Moment:
        joints = solve(scene.arm, matrix_of(State(x, y, z, 0, 0, 0, 1.0)), scene.arm.rest)
        assert joints is not None
        return Moment(joints, scene.arm.state(joints, 1.0))

    assert not sets.touches(scene, moment(0.28, 0.0, 0.25))
    assert sets.touches(scene, moment(0.28, 0.0, 0.01))
    thing = next(placed for placed in scene.home.placed if placed.thing.name.startswith("bottle"))
    assert sets.touches(scene, moment(thing.pose.position[0], thing.pose.position[1], 0.06))


def test_gates_see_blur_darkness_glare_and_cover() -> None:
    random = np.random.default_rng(1)
    clean = random.integers(60, 190, (64, 64, 3)).astype(np.uint8)
    smooth = np.full_like(clean, 120)
    assert gates.blurred(gates.sharpness(smooth), [gates.sharpness(clean)] * 3)
    assert not gates.blurred(gates.sharpness(clean), [gates.sharpness(clean)] * 3)
    assert not gates.badly_lit(clean)
    assert gates.badly_lit((clean // 4).astype(np.uint8))
    glare = clean.copy()
    glare[:20] = 255
    assert gates.badly_lit(glare)
    assert gates.light_changes(clean, np.clip(clean.astype(int) + 25, 0, 255).astype(np.uint8))
    assert not gates.light_changes(clean, np.clip(clean.astype(int) + 15, 0, 255).astype(np.uint8))
    assert gates.gripper_hidden(149, 200, 256)
    assert not gates.gripper_hidden(150, 500, 256)
    assert gates.gripper_hidden(150, 501, 256)
    assert gates.gripper_hidden(119, 200, 180)
    one, other = np.zeros((10, 20), bool), np.zeros((10, 20), bool)
    other.flat[:80] = True
    assert not gates.alike([one, other])
    other.flat[0] = False
    assert gates.alike([one, other])


def test_the_wrist_camera_turns_with_the_gripper() -> None:
    from envs.arm.arms import ARMS, matrix_of
    from envs.arm.pictures import wrist

    scene = table("droid", 1)
    level, turned = (wrist(scene, matrix_of(State(0.5, 0, 0.3, 0, 0, yaw, 1.0))) for yaw in (0.0, 90.0))
    assert level.up == (1.0, 0.0, 0.0)
    assert turned.up is not None
    assert np.allclose(turned.up, (0.0, 1.0, 0.0))
    assert scene.arm is ARMS["panda"]


def test_texts_alone_are_made_without_pictures() -> None:
    made = fresh(("droid", "low", "sp"), 9, 8)
    assert set(Counter(recipe.truth for recipe in made).values()) == {2}
    assert all(list(faults_of(recipe)) == [] for recipe in made)
