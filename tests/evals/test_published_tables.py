"""Published tables that a user brings: shown, and their arithmetic checked."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.erqa import published as erqa
from evals.erqa_diagnostic import published as diagnostic
from evals.erqa_plus import published as plus
from evals.questions.arithmetic import Fractions, Key, Ratios, Rule, Sums, Total, examine
from evals.questions.published import COLUMNS, Expected, read_figures, report
from evals.run.prepare import BadInput, as_bad_input


@pytest.fixture(scope="module")
def file(shared: Path) -> Path:
    return shared / "data" / "erqa" / "published_tables.csv"


def deviations(file: Path, expected: Expected) -> dict[str, list[str]]:
    """The cells that break each rule, by its name."""
    findings = examine(read_figures(file, expected.benchmark).cells, expected.rules)
    assert all(finding.checks for finding in findings)
    return {one.rule: [str(check) for check in one.deviations] for one in findings if one.deviations}


def count(file: Path, expected: Expected, rule: str) -> tuple[int, int]:
    (found,) = [
        one for one in examine(read_figures(file, expected.benchmark).cells, expected.rules) if one.rule == rule
    ]
    return len(found.checks) - len(found.deviations), len(found.checks)


def test_erqa_plus_has_one_deviation(file: Path) -> None:
    assert count(file, plus.EXPECTED, "table 2: All from the categories") == (10, 10)
    assert count(file, plus.EXPECTED, "table 2: right answers are whole") == (50, 50)
    assert deviations(file, plus.EXPECTED) == {
        "table 3: accuracy from right answers": [
            "table 3, Gemini-3-Pro-preview · Prediction · Future prediction (accuracy): printed 75.60, follows as 74.00"
        ]
    }
    assert sum(plus.TYPES.values()) == plus.ALL == 800


def test_erqa_diagnostic_has_five(file: Path) -> None:
    assert sum(diagnostic.COUNTS.values()) == 1766
    for word in ("choice", "open"):
        assert count(file, diagnostic.EXPECTED, f"table 1: overall from sub-types, {word}") == (8, 8)
    assert count(file, diagnostic.EXPECTED, "counts of sub-types") == (12, 12)
    found = deviations(file, diagnostic.EXPECTED)
    assert list(found) == ["table 2: families from sub-types, choice"]
    assert [line.split(",")[1].split(" · ")[0].strip() for line in found.popitem()[1]] == list(diagnostic.OFF)


def test_the_counts_of_erqa_add_up(file: Path) -> None:
    assert deviations(file, erqa.EXPECTED) == {}


@pytest.mark.parametrize("module", [plus, diagnostic, erqa])
@pytest.mark.parametrize("form", ["terminal", "csv", "latex"])
def test_a_report_ends_well(module: object, form: str, file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert module.report(file, form) == 0  # type: ignore[attr-defined]
    printed = capsys.readouterr().out
    assert "rule" in printed
    assert (r"\toprule" in printed) == (form == "latex")
    assert ("\nrule,cells,hold\n" in printed) == (form == "csv")


def test_a_changed_cell_is_found(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_text(file.read_text().replace("GPT-5,All,,accuracy,45.0", "GPT-5,All,,accuracy,45.2", 1))
    assert plus.report(changed) == 1
    assert "table 2, GPT-5 · All (accuracy): printed 45.20, follows as 45.00; not known before" in " ".join(
        capsys.readouterr().out.split()
    )


def test_a_deviation_that_is_gone_is_found(file: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.csv"
    changed.write_text(file.read_text().replace("Future prediction,accuracy,75.6", "Future prediction,accuracy,74.0"))
    assert plus.report(changed) == 1


HEAD = ",".join(COLUMNS)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is empty"),
        ("benchmark,table,model\n", "has no column 'category'; it needs benchmark, table,"),
        (HEAD + "\n", "has no row of the benchmark 'mine'"),
        (HEAD + "\nmine,1,m,c,s,k,12.5\nmine,1,m,c,s,k2,many\n", "row 3: the value 'many' is no number"),
        (HEAD + "\nmine,1,m,c,s,k,nan\n", "row 2: the value 'nan' is no number"),
        (HEAD + "\nmine,1,m,c,s\n", "row 2: the value '' is no number"),
        (HEAD + "\nmine,1,m,c,s,k,1\nmine,1,m,c,s,k,2\n", "row 3: a second value of table 1, m · c · s (k)"),
        ("version https://git-lfs.github.com/spec/v1\nsize 3\n", "is a Git LFS pointer"),
        ("\x00\xff", "is no CSV file"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "tables.csv"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(BadInput) as error, as_bad_input():
        report(path, Expected("mine", (), {}), "Mine")
    assert str(error.value).startswith(str(path))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_file_that_is_missing_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        read_figures(tmp_path / "no.csv", "mine")


def holds(rule: Rule, *cells: tuple[str, str, float]) -> list[bool]:
    """Whether cells (category, metric, value) of one table and model obey a rule."""
    return [
        check.holds for check in rule.checks({Key("1", "m", name, "", metric): value for name, metric, value in cells})
    ]


@pytest.mark.parametrize(("value", "fine"), [(33.3, True), (33.34, True), (33.4, False), (66.7, True), (0.0, True)])
def test_a_fraction_of_three(value: float, fine: bool) -> None:
    assert holds(Fractions("it", "1", "a", {("c", ""): 3}, 0.05), ("c", "a", value)) == [fine]


@pytest.mark.parametrize(("value", "fine"), [(57.3, True), (57.2, True), (57.4, False), (57.1, False)])
def test_a_half_may_be_rounded_either_way(value: float, fine: bool) -> None:
    rule = Ratios("it", "1", "a", "k", "n", 0.05)
    assert holds(rule, ("c", "k", 458), ("c", "n", 800), ("c", "a", value)) == [fine]


@pytest.mark.parametrize(("whole", "value", "fine"), [(True, 50.0, True), (False, 50.0, False), (False, 49.98, True)])
def test_a_total_is_exact_or_of_printed_values(whole: bool, value: float, fine: bool) -> None:
    rule = Total("it", "a", "1", {("x", ""): 3, ("y", ""): 3}, "1", ("all", ""), 0.01, whole)
    assert holds(rule, ("x", "a", 33.3), ("y", "a", 66.66), ("all", "a", value)) == [fine]


def test_a_total_without_its_parts_does_not_hold() -> None:
    rule = Total("it", "a", "1", {("x", ""): 3}, "1", ("all", ""), 0.01)
    assert holds(rule, ("all", "a", 50)) == [False]
    assert holds(Sums("it", "1", "a", ("all", ""), [("x", "")]), ("all", "a", 50)) == [False]
    assert holds(
        Sums("it", "1", "a", ("all", ""), [("x", ""), ("y", "")]), ("x", "a", 1), ("y", "a", 2), ("all", "a", 3)
    ) == [True]
