"""Write the outputs of a run: tables, a page, and the accepted questions as a data set in the published form."""

from __future__ import annotations

import argparse
import json
import shutil
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from evals.curation.outputs import (
    IMAGES,
    Made,
    calls_table,
    drafts_of,
    issues_table,
    made_by,
    published,
    rounds_table,
)
from evals.pages.tables import as_csv
from evals.run.files import writing
from evals.run.settings import fingerprint

if TYPE_CHECKING:
    from evals.run.directory import RunDirectory

QUESTIONS, VERSIONS = "questions.json", "versions.jsonl"
PARQUET = "data/train-00000-of-00001.parquet"


def conclude(run: RunDirectory) -> int:
    """Write everything beside the report, and print the rounds, or for an exam the faults that the judge noticed."""
    from evals.curation.page import write_page
    from evals.pages.tables import print_table

    made = made_by(run)
    drafts = drafts_of(made)
    exam = run.config["settings"].get("task") == "exam"
    tables = [rounds_table(drafts), issues_table(drafts), calls_table(made)]
    with writing(run.path):
        for table in tables:
            (run.path / f"{table.name}.csv").write_text(as_csv(table), encoding="utf-8")
        lines = (
            json.dumps({"set": one.set, **draft.as_json()}, ensure_ascii=False) for one in made for draft in one.drafts
        )
        (run.path / VERSIONS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        # Pictures that no model looked at are drawn only on demand: they take half a second each.
        drawn = all(name for one in made for name in one.pictures)
        count = write_dataset(run, run.path / "dataset") if drawn and not exam else None
        page = write_page(run, made_by(run))
    if exam:
        from evals.curation.examining import Exam, exam_table, of_run

        print_table(exam_table([Exam(str(run.config["settings"].get("judge", "judge")), of_run(run))]))
    else:
        print_table(tables[0])
        if count is None:
            how = f"python -m evals.curation publish {run.path} --out {run.path / 'dataset'}"
            print(f"no model looked at the pictures; a data set with them: {how}")
        else:
            print(f"{count} accepted questions: {run.path / 'dataset'}")
    print(f"questions: {page}")
    return 0


def draw_all(run: RunDirectory, made: Sequence[Made]) -> bool:
    """Draw and keep the pictures that no model has looked at; whether there were any."""
    missing = [one.set for one in made if "" in one.pictures]
    if not missing:
        return False
    from envs.pictures import PictureStore
    from evals.curation.benchmark import BENCHMARK
    from evals.run.benchmark import Supplies

    store = PictureStore(run.path / "pictures")
    settings = BENCHMARK.settings(**run.config["settings"])
    episodes = {episode.id: episode for episode in BENCHMARK.episodes(settings)}
    for name in missing:
        task, _ = BENCHMARK.open(episodes[name], settings, Supplies(store))
        for picture in task.pictures:
            _ = picture.sha256
    return True


def write_dataset(run: RunDirectory, folder: Path, *, every: bool = False) -> int:
    """Write a folder that Hugging Face's tools and `--data` can read; the number of questions in it."""
    made = made_by(run)
    wanted = [one for one in made if published([one], every=every)]
    if draw_all(run, wanted):
        made = made_by(run)
    rows = published(made, every=every)
    (folder / IMAGES).mkdir(parents=True, exist_ok=True)
    for name in sorted({Path(path).name for row in rows for path in row["image_paths"]}):
        shutil.copyfile(run.path / "pictures" / name, folder / IMAGES / name)
    text = json.dumps(rows, ensure_ascii=False, indent=1)
    (folder / QUESTIONS).write_text(f"{text}\n", encoding="utf-8")
    parquet = bool(rows) and _write_parquet(folder, rows)
    (folder / "README.md").write_text(card(run, rows, fingerprint(text.encode()), parquet=parquet), encoding="utf-8")
    return len(rows)


def _write_parquet(folder: Path, rows: Sequence[dict[str, object]]) -> bool:
    """Write a parquet file with the pictures inside, if pyarrow is installed."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        return False
    (folder / PARQUET).parent.mkdir(exist_ok=True)
    full = [
        {**row, "all_images": _images(folder, row), "image": next(iter(_images(folder, row)), None)} for row in rows
    ]
    table = pyarrow.Table.from_pylist(full)
    features = {
        "all_images": {"feature": {"_type": "Image"}, "_type": "Sequence"},
        "image": {"_type": "Image"},
    }
    names = {name: features.get(name) or {"dtype": "string", "_type": "Value"} for name in ("all_images", "image")}
    meta = {"huggingface": json.dumps({"info": {"features": names}})}
    parquet.write_table(table.replace_schema_metadata(meta), folder / PARQUET)
    return True


def _images(folder: Path, row: dict[str, object]) -> list[dict[str, object]]:
    paths = row["image_paths"]
    assert isinstance(paths, list)
    return [{"bytes": (folder / path).read_bytes(), "path": Path(path).name} for path in paths]


def card(run: RunDirectory, rows: Sequence[dict[str, object]], mark: str, *, parquet: bool) -> str:
    """The card of a data set: how it was made, by whom, and what is in it."""
    settings = run.config["settings"]
    kinds = Counter(str(row["question_type"]) for row in rows)
    files = PARQUET if parquet else QUESTIONS
    lines = [
        "---",
        "task_categories: [visual-question-answering, multiple-choice]",
        "language: [en]",
        f"size_categories: [{_size(len(rows))}]",
        f"configs: [{{config_name: default, data_files: [{{split: train, path: {files}}}]}}]",
        "---",
        "",
        f"# {run.path.name}",
        "",
        f"{len(rows)} multiple-choice questions about pictures, made by models and accepted by a judge. No person has "
        "checked them unless the list below says so.",
        "",
        *(
            f"- {name}: `{settings.get(name)}`"
            for name in ("generator", "judge", "reviser", "solver", "accept", "rounds")
        ),
        f"- own checks: {settings.get('check')}",
        f"- pictures: {settings.get('images')}",
        f"- simulated models: {'yes' if run.config.get('simulated') else 'no'}",
        f"- fingerprint of {QUESTIONS}: {mark}",
        "",
        "| sub-type | questions |",
        "| --- | --- |",
        *(f"| {name} | {count} |" for name, count in kinds.most_common()),
        "",
        f"Fields: {', '.join(rows[0]) if rows else 'none'}. `image_paths` are relative to this folder.",
        "The licence of the pictures is that of their source.",
    ]
    return "\n".join(lines) + "\n"


def _size(count: int) -> str:
    return "n<1K" if count < 1000 else "1K<n<10K" if count < 10_000 else "10K<n<100K"


def main(words: Sequence[str]) -> int:
    """Write the data set of a run."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.curation publish",
        description="Write the accepted questions of a run as a data set: questions.json in the published form, "
        "images/, a parquet file where pyarrow is installed, and a card.",
    )
    parser.add_argument("run", type=Path, metavar="RUN", help="a run of this command")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="where the data set goes")
    parser.add_argument(
        "--all",
        action="store_true",
        help="also questions that were not accepted, in their latest version: for people to score",
    )
    chosen = parser.parse_args(words)
    from evals.run.directory import RunDirectory

    run = RunDirectory.open(chosen.run)
    if run.config.get("benchmark") != "curation":
        raise ValueError(f"{chosen.run} made no questions: it is a run of {run.config.get('benchmark')}")
    count = write_dataset(run, chosen.out, every=chosen.all)
    print(f"{count} questions written to {chosen.out}")
    return 0
