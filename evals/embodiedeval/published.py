"""What the published tables of EmbodiedEval have to add up to.

Table 2 gives, for each model and category, percentages of whole numbers of tasks. Its overall values are means of the
categories, weighted by their numbers of tasks and made from the rounded cells. One overall success and three overall
GcS do not follow.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evals.embodiedeval.categories import COUNTS, QA
from evals.questions.arithmetic import Cells, Check, Fractions, Key, Ratios, Rule, Sums
from evals.questions.published import Expected, Figures, report_figures
from evals.questions.readers.rows import BadData
from evals.questions.readers.sources import checked

COLUMNS = ("table", "model", "category", "metric", "value")
TABLES = ("table2", "devrepo_2024_09")
"""The tables with numbers; table 1 has only yes and no."""
HALF = 0.005
"""The tolerance for values that are printed with two decimals."""


@dataclass(frozen=True, slots=True)
class Overall:
    """An overall value is the mean of the printed category values; for questions, GcS is their success."""

    name: str
    metric: str

    def checks(self, cells: Cells) -> Iterator[Check]:
        """The overall cell of every model."""
        for key, value in cells.items():
            if key.table == "table2" and key.category == "overall" and key.metric == self.metric:
                yield Check(key, value, self._mean(cells, key), HALF)

    def _mean(self, cells: Cells, key: Key) -> float | None:
        total = 0.0
        for category, count in COUNTS.items():
            metric = "success" if category in QA else self.metric
            value = cells.get(key._replace(category=category, metric=metric))
            if value is None:
                return None
            total += value * count
        return total / sum(COUNTS.values())


_EVERY = [(category, "") for category in COUNTS]
RULES: tuple[Rule, ...] = (
    Fractions(
        "table 2: successes are whole",
        "table2",
        "success",
        {(category, ""): count for category, count in COUNTS.items()},
        HALF,
    ),
    Overall("table 2: overall success from the categories", "success"),
    Overall("table 2: overall GcS from the categories", "gcs"),
    *(
        Sums(f"work repository: {metric} adds up", "devrepo_2024_09", metric, ("overall", ""), _EVERY)
        for metric in ("success_count", "episodes")
    ),
    Ratios("work repository: success from counts", "devrepo_2024_09", "success", "success_count", "episodes", HALF),
)
KNOWN = {
    Key("table2", "VideoLLaMA2-7B", "overall", "", "success"): "30 of 326 tasks would be 9.20",
    Key("table2", "VideoLLaMA2-7B", "overall", "", "gcs"): "the cause is not known",
    Key("table2", "VILA-40B", "overall", "", "gcs"): "the cause is not known",
    Key("table2", "Oryx-34B", "overall", "", "gcs"): "the cause is not known",
    Key("devrepo_2024_09", "GPT-4o-Mini", "overall", "", "success"): "77 of 328 are 23.476, cut off, not rounded",
}
EXPECTED = Expected("embodiedeval", RULES, KNOWN)


def read(path: Path) -> Figures:
    """The numbers of a CSV file with the columns table, model, category, metric and value."""
    if not path.is_file():
        raise FileNotFoundError(f"{path}: there is no such file")
    found: dict[Key, str] = {}
    with checked(path).open(newline="", encoding="utf-8-sig") as file:
        try:
            rows = csv.DictReader(file)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise BadData(f"{path} has no column {missing[0]!r}; it needs {', '.join(COLUMNS)}")
            for row, fields in enumerate(rows, 2):
                if fields["table"] in TABLES:
                    key = Key(fields["table"], fields["model"], fields["category"], "", fields["metric"])
                    found[key] = _number(path, row, fields["value"])
        except (csv.Error, UnicodeDecodeError) as error:
            raise BadData(f"{path} is no CSV file: {error}") from None
    if not found:
        raise BadData(f"{path} has no row of the tables {' and '.join(TABLES)}")
    return Figures(found)


def _number(path: Path, row: int, text: str | None) -> str:
    try:
        number = float(text or "")
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise BadData(f"{path}, row {row}: the value {text!r} is no number")
    return text or ""


def report(path: Path, form: str = "terminal") -> int:
    """Print the published tables and check them; 0 if only the known cells deviate."""
    return report_figures(read(path), EXPECTED, "EmbodiedEval", form)
