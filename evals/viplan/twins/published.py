"""How often methods succeed by the published tables, for every model, world and level."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from evals.viplan.recorded.published import COLUMNS
from evals.viplan.twins.records import WORLDS, short
from models.recorded.reading import RecordError

METHODS = {"Ground": "ground", "Ground+Mem": "ground_mem", "Plan": "plan", "Action": "action"}


class Setting(NamedTuple):
    """What a published success is of."""

    model: str
    world: str
    method: str
    cot: bool
    level: str


def read_success(path: Path) -> dict[Setting, float]:
    """The published success of every setting without slips; `RecordError` if the file cannot be read."""
    found = {}
    try:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file, strict=True):
                if missing := [name for name in COLUMNS if row.get(name) is None]:
                    raise RecordError(f"{path}: no column {', '.join(missing)}; expected {','.join(COLUMNS)}")
                one_model = row["model"] and not row["model"].startswith("(")
                if row["metric"] == "success" and one_model and row["method"] in METHODS and row["domain"] in WORLDS:
                    method, cot = METHODS[row["method"]], row["cot"] == "yes"
                    setting = Setting(short(row["model"]), WORLDS[row["domain"]], method, cot, row["split"])
                    found[setting] = float(row["value"])
    except (OSError, UnicodeDecodeError) as error:
        raise RecordError(f"{path}: cannot be read: {error}") from error
    except (csv.Error, ValueError) as error:
        raise RecordError(f"{path}: broken CSV: {error}") from error
    return found
