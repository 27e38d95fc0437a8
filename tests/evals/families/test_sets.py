"""Sets with an embedded and a published form: what a user may choose, and what is refused."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from pydantic import ValidationError

from evals.erqa_plus.__main__ import main
from evals.erqa_plus.benchmark import BENCHMARK
from evals.erqa_plus.settings import ErqaPlusSettings
from evals.families.base import CATEGORIES, TYPES
from evals.families.captions import captions
from evals.judges.question import CAPTIONS
from evals.run.directory import RunDirectory
from models.base import Kind
from tests.evals.families.frozen import some
from tests.evals.published_files import plus_rows, write_parquet

QUICK = {"model": "oracle"}
"""Settings that need no published accuracies."""


def settings(**chosen: object) -> ErqaPlusSettings:
    return ErqaPlusSettings(**{**QUICK, **chosen})  # type: ignore[arg-type]


def test_embedded_items_say_what_they_are() -> None:
    items = BENCHMARK.items(settings())
    assert len({item.id for item in items}) == len(items)
    subs = {sub: category for category, some in CATEGORIES.items() for sub in some}
    for item in items:
        assert item.tags["category"] == subs[item.tags["sub_category"]] == item.split
        assert item.tags["type"] in TYPES
        assert item.level == item.split.split()[0].lower()
        assert item.tags["scene"]


@pytest.mark.parametrize(("name", "tag"), [("counting", "Counting"), ("relative-DISTANCE", "Relative distance")])
def test_a_category_is_chosen_however_it_is_spelled(name: str, tag: str) -> None:
    found = BENCHMARK.items(settings(category=name))
    assert {item.tags["sub_category"] for item in found} == {tag}


def test_a_category_of_several_is_all_of_them() -> None:
    found = BENCHMARK.items(settings(category="perception"))
    assert {item.tags["category"] for item in found} == {"Perception"}


def test_category_and_type_are_chosen_together() -> None:
    found = BENCHMARK.items(settings(category="Counting", type="Composite Judgement"))
    assert {item.kind for item in found} == {Kind.JUDGEMENTS}
    assert Counter(item.tags["type"] for item in BENCHMARK.items(settings(category="Counting"))) == {
        "counting": 100, "multiple-choice": 4, "composite-judgement": 2, "open": 1
    }  # fmt: skip


def test_what_no_question_has_is_refused() -> None:
    with pytest.raises(ValueError, match=r"no category 'countin'.*Did you mean 'Counting'"):
        BENCHMARK.items(settings(category="countin"))
    with pytest.raises(ValueError, match=r"no type of question 'sort'.*'?sorting"):
        BENCHMARK.items(settings(type="sort"))


def test_a_prompt_chooses_the_agent() -> None:
    assert settings(prompt="direct").agent == "answer"
    assert settings(prompt="cot").agent == "answer_cot"
    assert settings().agent == "answer"
    assert settings(prompt="cot", agent="answer").agent == "answer_cot"
    with pytest.raises(ValidationError, match="the agent is 'answer_vote'"):
        settings(prompt="cot", agent="answer_vote")
    with pytest.raises(ValidationError):
        settings(prompt="slow")


def test_published_questions_are_read(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    write_parquet(tmp_path / "data" / "test-00000-of-00001.parquet", plus_rows())
    chosen = settings(data=str(tmp_path), partial=True)
    items = BENCHMARK.items(chosen)
    assert len(items) == len(plus_rows())
    assert {item.tags["type"] for item in items} <= set(TYPES)
    assert BENCHMARK.picture(items[-1].pictures[1], chosen).startswith(b"\x89PNG")
    assert [item.id for item in BENCHMARK.known(chosen)] == [item.id for item in items]
    one = items[0].tags["sub_category"]
    some_of_it = BENCHMARK.items(settings(data=str(tmp_path), partial=True, category=one))
    assert all(item.tags["sub_category"] == one for item in some_of_it)
    BENCHMARK.check(chosen)
    with pytest.raises(ValueError, match="published pictures have no descriptions"):
        BENCHMARK.check(settings(data=str(tmp_path), partial=True, control=CAPTIONS))


def test_data_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises((ValueError, FileNotFoundError)) as caught:
        BENCHMARK.items(settings(data=str(tmp_path / "none")))
    assert "\n" not in str(caught.value)


def test_a_set_can_have_other_questions() -> None:
    listed = some("counting", Kind.NUMBER, 2)
    mine = BENCHMARK.of(listed)
    assert [item.id for item in mine.items(settings())] == [recipe.id for recipe in listed]
    assert len(BENCHMARK.items(settings())) > 2


def test_captions_name_what_is_in_view_and_no_mark() -> None:
    (recipe,) = some("counting", Kind.NUMBER, 1)
    (item,) = BENCHMARK.of([recipe]).items(settings())
    assert item.facts.captions is not None
    described = item.facts.captions()
    assert described == captions(recipe)
    assert len(described) == len(recipe.shots)
    assert any(side in described[0] for side in ("on the left", "in the middle", "on the right"))
    assert not any(char.isdigit() for char in "".join(described))


@pytest.mark.parametrize("category", ["state-activity-understanding"])
def test_counts_say_where_what_they_count_is(category: str) -> None:
    counts = BENCHMARK.items(settings(category=category, type="counting"))
    for item in counts:
        assert len(item.facts.spots) == item.answer
        assert all(0 <= x < 1 and 0 <= y < 1 and place < len(item.pictures) for place, x, y in item.facts.spots)


@pytest.mark.slow
def test_an_oracle_counts_by_cells_and_points(tmp_path: Path) -> None:
    for agent, requests in (("answer_split", 4), ("answer_marked", 2)):
        words = f"--model oracle --agent {agent} --type counting --category state-activity-understanding".split()
        assert main([*words, "--limit", "1", "--out", str(tmp_path / agent)]) == 0
        (result,) = RunDirectory.open(tmp_path / agent).results()
        assert result.success
        assert result.asked >= requests
