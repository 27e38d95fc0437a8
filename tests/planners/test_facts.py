"""Facts are read however people and models write them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from planners.facts import Written, words
from planners.formula import Atom
from tests.small_home import SmallHome
from tests.small_worlds import blocksworld

BLOCKS, HOME = blocksworld(), SmallHome()
ATOMS = {world: sorted(world.domain.atoms(world.objects)) for world in (BLOCKS, HOME)}
FORMS = (
    lambda atom: str(atom),
    lambda atom: f"{atom.predicate}({', '.join(atom.args)})",
    lambda atom: f"{atom.predicate}({','.join(atom.args)})",
    lambda atom: " ".join((atom.predicate, *atom.args)),
    lambda atom: f"({' '.join((atom.predicate, *atom.args))})",
    lambda atom: f"{atom.predicate}({', '.join(map(repr, atom.args))})",
)
QUOTES = ("{}", "'{}'", '"{}"', "`{}`", "“{}”", " {}. ")


@given(st.sampled_from([BLOCKS, HOME]), st.data())
def test_every_way_to_write_a_fact_means_it(world: object, data: st.DataObject) -> None:
    atom = data.draw(st.sampled_from(ATOMS[world]))
    form, quotes, case = (data.draw(st.sampled_from(choice)) for choice in (FORMS, QUOTES, (str, str.upper, str.title)))
    written = Written(world.domain, world.objects)  # type: ignore[attr-defined]
    assert written.read(case(quotes.format(form(atom)))) == atom


@given(st.text())
def test_whatever_is_written_is_a_fact_or_there_is_a_reason(text: str) -> None:
    written = Written(BLOCKS.domain, BLOCKS.objects)
    found = written.read(text)
    assert found in ATOMS[BLOCKS] or (found is None and written.fault(text))


def test_names_keep_their_case() -> None:
    objects = BLOCKS.domain.objects({"Red": "block", "C1": "column"})
    written = Written(BLOCKS.domain, objects)
    assert written.read("incolumn(red, c1)") == Atom("incolumn", ("Red", "C1"))
    assert written.fault("on red, c1") == "'c1' is not a block"


@pytest.mark.parametrize(("text", "read"), [("", ()), ("'()'", ()), ("On(R,, b)", ("on", "r", "b"))])
def test_words_are_in_lower_case_and_without_signs(text: str, read: tuple[str, ...]) -> None:
    assert words(text) == read
