"""The published tables are checked; cells that contradict others are named."""

from __future__ import annotations

from pathlib import Path

import pytest

from evals.actioneqa.published import KNOWN, RULES, mended, read_tables, report
from evals.questions.arithmetic import examine
from evals.questions.published import unexpected
from evals.questions.readers.rows import BadData
from tests.conftest import ROOT

PUBLISHED = ROOT.parent / "shared" / "data" / "actioneqa" / "published_tables.csv"
needs_data = pytest.mark.skipif(not PUBLISHED.is_file(), reason="the shared data are not here")
HEAD = "table,model,mode,source,task,views,metric,value\n"


@needs_data
def test_only_the_known_cells_of_the_published_tables_deviate(capsys: pytest.CaptureFixture[str]) -> None:
    figures = read_tables(PUBLISHED)
    findings = examine(figures.cells, RULES)
    assert unexpected(findings, KNOWN) == []
    assert {check.key for finding in findings for check in finding.deviations} == set(KNOWN)
    assert mended(figures).startswith("overall: 34 of 35 models follow from the printed cells, 35 with")
    assert report(PUBLISHED) == 0
    out = capsys.readouterr().out
    assert "Ovis2.5-2B · droid · mean exo (accuracy): printed 38.00, follows as 33.00" in " ".join(out.split())


@needs_data
def test_a_changed_cell_is_found(tmp_path: Path) -> None:
    text = PUBLISHED.read_text(encoding="utf-8")
    changed = text.replace(
        "1,Gemini-2.5-Pro,direct,droid,H-SP,exo,accuracy,52.7", "1,Gemini-2.5-Pro,direct,droid,H-SP,exo,accuracy,53.7"
    )
    assert changed != text
    path = tmp_path / "tables.csv"
    path.write_text(changed, encoding="utf-8")
    assert report(path, "csv") == 1
    findings = examine(read_tables(path).cells, RULES)
    assert any("Gemini-2.5-Pro · droid · mean exo" in one for one in unexpected(findings, KNOWN))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("table,model\n1,x\n", "has no column 'mode'"),
        (f"{HEAD}1,x,direct,all,H-SP,1V,accuracy,much\n", "row 2: the value 'much' is no number"),
        (HEAD, "has no values"),
    ],
)
def test_a_file_that_cannot_be_used_is_one_line(tmp_path: Path, text: str, fault: str) -> None:
    path = tmp_path / "tables.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadData, match=fault):
        read_tables(path)
