"""The pieces that pages are made of: sketches, markup and plots."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from envs.blocksworld.problems import Columns, atoms_of
from evals.pages import viewer
from evals.pages.markup import el, joined, write_atomically
from evals.pages.plots import Axis, Mark, plot
from evals.view import scenes
from evals.view.__main__ import PORT
from evals.viplan.sketch import sketch
from tests.small_worlds import arrangements, column_names


@given(arrangements())
def test_blocks_are_sketched_where_they_stand(arrangement: Columns) -> None:
    columns = column_names(len(arrangement))
    drawing = sketch(tuple(sorted(map(str, atoms_of(arrangement, columns)))))
    stacks = (f"{column}: {' '.join(stack) or 'empty'}" for column, stack in zip(columns, arrangement, strict=True))
    assert f"<title>{'; '.join(stacks)}</title>" in drawing


@pytest.mark.parametrize("atoms", [(), ("open door",), ("incolumn a,c1", "on a,<b>"), ("handempty", "leftof <i>")])
def test_what_cannot_be_sketched_is_listed(atoms: tuple[str, ...]) -> None:
    assert sketch(atoms) is None
    listed = scenes.listed(atoms)
    assert listed.startswith("<dl")
    assert "<i>" not in listed
    assert "<b>" not in listed


def test_text_is_escaped_and_markup_is_not() -> None:
    assert (
        el("p", "<", el("b", '"'), title='"', hidden=False, open=True) == '<p title="&quot;" open>&lt;<b>&quot;</b></p>'
    )
    assert joined("a", None, "<") == "a&lt;"


def test_halves_of_characters_can_be_written(tmp_path: Path) -> None:
    assert write_atomically(tmp_path / "page.html", "\ud800").read_text() == "?"


def test_axes_are_round_and_hold_everything() -> None:
    assert Axis.of_shares("", 0.84).top == 1.0
    assert Axis.of_shares("", 0.04).ticks[-1] == (0.05, "5%")
    assert Axis.of_rates("", 0.93).low == 0.8
    assert Axis.of_rates("").ticks[0] == (0.0, "0.0")
    for smallest in (-0.1, 0.0, 0.35, 0.5, 0.99, 1.0):
        axis = Axis.of_rates("", smallest)
        assert axis.ticks[0][0] == axis.low
        assert axis.ticks[-1][0] == axis.top == 1.0


def test_a_plot_can_be_read_aloud() -> None:
    drawn = plot("Title", "Description", [("a", [Mark(0.5, "0.50", 0.1)])], ["one"], Axis.of_rates("rate"))
    assert "<title>Title</title><desc>Description</desc>" in drawn
    assert 'role="img"' in drawn
    assert plot("Title", "", [], ["one"], Axis.of_rates("rate")) == ""


def test_pages_link_to_where_the_viewer_listens() -> None:
    assert PORT == viewer.PORT
    assert viewer.url_key("20260101-viplan-sim_gpt-4.1") == "20260101-viplan-sim_gpt-4.1"
    assert viewer.url_key("..") == "run"
    assert viewer.url_key("a b/ü") == "a_b__"
