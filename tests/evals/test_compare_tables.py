"""A comparison as tables, files and a page: the same figures everywhere, and no markup out of a name."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest

from evals.compare.arms import Unusable
from evals.compare.courses import Doing
from evals.compare.display import print_comparison
from evals.compare.drawings import as_file, drawings_of
from evals.compare.figures import Comparison, compare
from evals.compare.listing import tables_of
from evals.compare.writing import as_json, write
from evals.pages.tables import Table, as_csv, as_document, as_latex, uniquely_named
from evals.run.statistics import Interval
from evals.viplan.comparison.compounding import Curve, Point
from evals.viplan.comparison.paper import cot_differences
from evals.viplan.comparison.tables import compounding
from tests.evals.arms import arms, course, part, played

EVIL = "<script>alert(1)</script> & 50% of_{it}"


def comparison(name: str = "sim:gpt-4.1") -> Comparison:
    """Two methods with and without cot, two models, two domains; one episode lost, one problem that parts."""
    parts = []
    for model in (name, "other"):
        for agent in ("ground", "ground_cot", "plan"):
            for domain in ("blocksworld", "household"):
                here = [
                    replace(
                        played(
                            f"{split} {number}",
                            (number + len(agent) + len(domain)) % 3 == 0 if (agent, number) != ("plan", 4) else None,
                            split,
                        ),
                        domain=domain,
                        asks=agent != "plan",
                        course=course(Doing(0, f"move {agent}", "executed", True)),
                    )
                    for split in ("hard", "simple")
                    for number in range(5)
                ]
                parts.append(part(here, agent=agent, model=model, domain=domain))
    listed = arms(*parts)
    point = Point(10, 12, 11.0, 5, 0.4, Interval(0.1, 0.8), 0.25)
    return compare(listed, baseline=listed[0], more=[compounding([Curve(listed[0], 0.9, (point,))])], resamples=200)


@pytest.fixture(scope="module")
def compared() -> Comparison:
    return comparison()


def rows(table: Table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(as_csv(table))))


def test_all_tables_are_there_in_order(compared: Comparison) -> None:
    names = [table.name for table in tables_of(compared)]
    assert names == ["success", "success", "pairs", "methods", "splits", "cot", "ranking", "compounding"]
    assert [table.name for table in uniquely_named(tables_of(compared))][:2] == ["success", "success-2"]
    assert [table.name for table in tables_of(compared, ["problems", "cot"])] == ["cot", "problems"]


def test_csv_has_the_numbers_and_their_errors_apart(compared: Comparison) -> None:
    table = next(tables_of(compared))
    first = rows(table)[0]
    rate = compared.scores[next(iter(compared.scores))]
    assert (first["agent"], first["model"]) == ("ground", "sim:gpt-4.1")
    assert float(first["hard"]) == pytest.approx(rate.value)
    assert float(first["hard SEM"]) == pytest.approx(rate.sem)
    assert rate.interval is not None
    assert (float(first["hard low"]), float(first["hard high"])) == pytest.approx(
        (rate.interval.low, rate.interval.high)
    )
    columns = [f"{split}{what}" for split in ("simple", "hard", "mean") for what in ("", " SEM", " low", " high")]
    assert list(first)[2:] == columns


def test_pairs_tell_what_was_left_out(compared: Comparison) -> None:
    (table,) = tables_of(compared, ["pairs"])
    told = {row["with"]: row for row in rows(table)}
    assert len(told) == 5
    assert told["plan · sim:gpt-4.1"]["left out"] == "4"
    assert "cut short" in table.notes[0]
    assert "McNemar's exact test" in table.notes[0]
    for pair in compared.pairs:
        row = told[pair.right.label]
        assert float(row["right − left"]) == pytest.approx(pair.difference)
        assert float(row["Holm"]) == pytest.approx(pair.holm)


def test_the_best_of_a_column_is_bold(compared: Comparison) -> None:
    for table in tables_of(compared, ["splits"]):
        for place in range(1, len(table.head)):
            cells = [row[place] for row in table.rows if not row[0].text.startswith("mean")]
            best = max(cell.value or 0.0 for cell in cells)
            assert [cell.bold for cell in cells] == [cell.value == best != 0 for cell in cells]


def test_problems_show_both_sides(compared: Comparison) -> None:
    (table,) = tables_of(compared, ["problems"])
    row = next(row for row in rows(table) if row["right run"] == "plan · sim:gpt-4.1")
    assert (row["parts in"], row["left there"], row["right there"]) == (
        "action",
        "move ground: executed",
        "move plan: executed",
    )
    assert row["step"] == "0"


def test_latex_has_as_many_cells_as_columns_in_every_row(compared: Comparison) -> None:
    for table in tables_of(compared, ["success", "pairs", "methods", "splits", "cot", "ranking", "compounding"]):
        text = as_latex(table)
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", text)
        assert columns is not None
        lines = [line for line in text.splitlines() if line.endswith(r"\\")]
        assert len(lines) == len(table.rows) + 1
        assert {len(re.split(r"(?<!\\)&", line)) for line in lines} == {len(columns[1])}
        assert text.index(r"\toprule") < text.index(r"\midrule") < text.index(r"\bottomrule")


def test_two_tables_of_a_kind_have_labels_of_their_own(compared: Comparison) -> None:
    labels = re.findall(r"\\label\{(.*?)\}", as_document(tables_of(compared), latex=True))
    assert len(labels) == len(set(labels)) == 8


@pytest.mark.parametrize(("width", "kept"), [(200, "mid-p"), (115, "only left"), (80, "Holm")])
def test_where_it_is_narrow_the_important_columns_stay(
    width: int, kept: str, compared: Comparison, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("evals.compare.display.NARROW", width)
    print_comparison(compared, ["pairs"])
    said = capsys.readouterr().out
    assert all(len(line.rstrip()) <= width for line in said.splitlines())
    assert all(word in said for word in kept.split())
    assert f"{compared.pairs[0].holm:.3f}" in said


class Tags(HTMLParser):
    """Which elements a page has, and whether they close."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_everything_is_written_and_names_stay_text(tmp_path: Path) -> None:
    page = write(comparison(EVIL), tmp_path / "new" / "folder")
    names = {path.name for path in page.parent.iterdir()}
    assert {"index.html", "comparison.json", "tables.tex", "pairs.csv", "problems.csv", "success.csv"} <= names
    assert {"success-blocksworld.svg", "differences.svg", "cot.svg", "ranking.svg", "compounding.svg"} <= names
    tags = Tags()
    tags.feed(page.read_text())
    assert tags.open == []
    assert "script" not in tags.seen
    assert "alert(1)" in page.read_text()
    assert "<script" not in page.read_text()
    for path in page.parent.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    told = json.loads((page.parent / "comparison.json").read_text())
    assert len(told["pairs"]) == 5
    assert all(0 <= pair["p_exact"] <= pair["p_holm"] <= 1 for pair in told["pairs"])


def test_a_domain_that_is_a_way_out_stays_in_the_folder(tmp_path: Path) -> None:
    here = [replace(played("a", number > 0), domain="../../out") for number in range(2)]
    listed = arms(part(here[:1], agent="plan"), part(here[1:]))
    write(compare(listed, baseline=listed[0], resamples=10), tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "success-.._.._out.svg").is_file()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_means_say_over_how_many_models_they_are() -> None:
    runs = [("ground", "one"), ("ground", "two"), ("plan", "one")]
    listed = arms(*(part({"a": True, "b": False}, agent=agent, model=model) for agent, model in runs))
    (table,) = tables_of(compare(listed, baseline=listed[0], resamples=10), ["methods"])
    assert "Mean over the models of each method, 1 to 2" in table.notes[0]


def test_a_difference_whose_error_is_not_known_is_not_called_one() -> None:
    several = {str(number): number < 9 for number in range(10)}
    listed = arms(part({"a": False}), part(several, agent="ground_cot"))
    (one,) = cot_differences(compare(listed, baseline=listed[0], force=True, resamples=10).scores)
    assert one.mean == pytest.approx(0.9)
    assert (one.error, one.ratio, one.beyond) == (None, None, False)


def test_a_drawing_by_itself_has_its_title_and_legend(compared: Comparison) -> None:
    drawn = {drawing.name: as_file(drawing) for drawing in drawings_of(compared)}
    assert "Success by split, blocksworld" in drawn["success-blocksworld"]
    for word in ("simple", "hard", "--s0"):
        assert word in drawn["success-blocksworld"]
    assert "ground · sim:gpt-4.1" in drawn["compounding"]


def test_json_is_plain(compared: Comparison) -> None:
    told = json.loads(json.dumps(as_json(compared)))
    assert told["baseline"] == "ground · sim:gpt-4.1"
    assert {row["domain"] for row in told["methods"]} == {"blocksworld", "household", "combined"}
    assert told["pairs"][0]["by_problem"][0]["divergence"] is not None


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path, compared: Comparison) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unusable, match="cannot write to"):
        write(compared, tmp_path / "file")


def test_a_single_problem_is_told_in_the_singular(tmp_path: Path) -> None:
    listed = arms(part({"a": True}), part({"a": False}, agent="plan"))
    page = write(compare(listed, baseline=listed[0], resamples=10), tmp_path).read_text()
    assert ": 1 problem, 1 with another outcome<" in page
