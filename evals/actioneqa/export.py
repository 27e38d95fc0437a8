"""Export questions: parquet files in the published form, an lmms-eval task, or a VLMEvalKit table.

python -m evals.actioneqa export --form hub --out DIR
"""

from __future__ import annotations

import base64
import csv
import json
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from evals.actioneqa.entries import LETTERS, Configuration, Entry, views_of
from evals.actioneqa.hub import ORDER, columns_of
from evals.actioneqa.wording import labels_of, replies, text_of

GROUP = 100
"""Rows in a row group: readers decode one group at a time."""


def all_views(source: str) -> tuple[str, ...]:
    """The views of a published picture of a source, in their order."""
    return ORDER[source]


def write_hub(folder: Path, entries: Sequence[Entry], report: Callable[[str], None] = lambda line: None) -> list[Path]:
    """Write a folder with a parquet file for each configuration, like the data set on the hub."""
    by_configuration: defaultdict[Configuration, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_configuration[entry.configuration].append(entry)
    return [_write_parquet(folder, one, some, report) for one, some in by_configuration.items()]


def _write_parquet(
    folder: Path, configuration: Configuration, entries: Sequence[Entry], report: Callable[[str], None]
) -> Path:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ValueError("parquet files need pyarrow: pip install -e '.[data]'") from None
    path = folder / configuration.name / "train-00000-of-00001.parquet"
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = _schema(configuration)
    part = path.with_name(f".{path.name}.part")
    # Checksums cover only pages of data: no dictionaries or statistics, where damage would go unnoticed.
    with pq.ParquetWriter(
        part, schema, write_page_checksum=True, use_dictionary=False, write_statistics=False
    ) as writer:
        for start in range(0, len(entries), GROUP):
            rows = [_row(entry) for entry in entries[start : start + GROUP]]
            writer.write_table(pa.Table.from_pylist(rows, schema), row_group_size=GROUP)
            report(f"{configuration.name}: {start + len(rows)} of {len(entries)}")
    part.replace(path)
    return path


def _schema(configuration: Configuration) -> Any:
    """The columns, with the metadata by which the `datasets` package recognises pictures and letters."""
    import pyarrow as pa

    pictures, texts = columns_of(configuration)
    picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
    features: dict[str, Any] = {name: {"_type": "Image"} for name in pictures}
    features |= {name: {"dtype": "string", "_type": "Value"} for name in texts[:-1]}
    features["correct_ans"] = {"names": list(LETTERS), "_type": "ClassLabel"}
    fields = [(name, picture if name in pictures else pa.string()) for name in _in_order(configuration)]
    note = json.dumps({"info": {"features": features}})
    return pa.schema([*fields, ("correct_ans", pa.int64())], metadata={"huggingface": note})


def _in_order(configuration: Configuration) -> list[str]:
    pictures, texts = columns_of(configuration)
    middle = ["action"] if configuration.direction == "forward" else ["frame2"]
    return ["frame1", *middle, *(name for name in (*pictures, *texts[:-1]) if name.startswith("option_"))]


def _row(entry: Entry) -> dict[str, Any]:
    pictures, _ = columns_of(entry.configuration)
    views = all_views(entry.configuration.source)
    row: dict[str, Any] = {
        name: {"bytes": shot(views), "path": f"{place}.png"}
        for place, (name, shot) in enumerate(zip(pictures, entry.shots, strict=True))
    }
    if entry.forward:
        row["action"] = entry.action
    else:
        row |= {f"option_{letter}": option for letter, option in zip(LETTERS, entry.options, strict=True)}
    return {**row, "correct_ans": entry.right}


def write_lmms_eval(folder: Path, entries: Sequence[Entry], views: str = "1") -> list[Path]:
    """Write a task folder of lmms-eval: a YAML file, its functions, and the questions with their pictures."""
    task = folder / "actioneqa"
    pictures = task / "pictures"
    pictures.mkdir(parents=True, exist_ok=True)
    lines = []
    for entry in entries:
        shown = _views(entry, views)
        names = []
        for number, shot in enumerate(entry.shots):
            name = f"{entry.id}_{number}.png"
            (pictures / name).write_bytes(shot(shown))
            names.append(f"pictures/{name}")
        lines.append(json.dumps(_lmms_row(entry, names, shown), ensure_ascii=False))
    (task / "questions.jsonl").write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    (task / "actioneqa.yaml").write_text(_YAML, encoding="utf-8")
    (task / "utils.py").write_text(_UTILS, encoding="utf-8")
    return [task / "actioneqa.yaml", task / "utils.py", task / "questions.jsonl"]


def _lmms_row(entry: Entry, names: Sequence[str], views: Sequence[str]) -> dict[str, Any]:
    configuration = entry.configuration
    options = [f"{letter}. {option}" for letter, option in zip(LETTERS, entry.options, strict=True)]
    text = "\n".join([text_of(entry, views), *options, "", replies()[0]])
    return {
        "id": entry.id,
        "source": configuration.source,
        "task": configuration.task,
        "images": list(names),
        "labels": list(labels_of(entry)),
        "question": text,
        "answer": LETTERS[entry.right],
    }


_YAML = """\
task: actioneqa
dataset_path: json
dataset_kwargs:
  data_files:
    test: questions.jsonl
test_split: test
output_type: generate_until
doc_to_visual: !function utils.doc_to_visual
doc_to_text: !function utils.doc_to_text
doc_to_target: answer
process_results: !function utils.process_results
generation_kwargs:
  max_new_tokens: 2048
  temperature: 0
metric_list:
  - metric: accuracy
    aggregation: !function utils.overall
    higher_is_better: true
metadata:
  version: 1.0
"""
_UTILS = '''\
"""Functions of the ActionEQA task: pictures, prompt, the letter in a reply, and the mean over tasks and sources."""

import re
from collections import defaultdict
from pathlib import Path
from statistics import fmean

from PIL import Image

HERE = Path(__file__).parent


def doc_to_visual(doc):
    return [Image.open(HERE / name).convert("RGB") for name in doc["images"]]


def doc_to_text(doc, lmms_eval_specific_kwargs=None):
    return doc["question"]


def letter(reply):
    tagged = re.search(r"<answer>\\s*\\(?([A-D])", reply)
    if tagged:
        return tagged[1]
    alone = dict.fromkeys(re.findall(r"\\b[ABCD]\\b", reply.rpartition("</think>")[2]))
    return next(iter(alone)) if len(alone) == 1 else ""


def process_results(doc, results):
    right = float(letter(results[0]) == doc["answer"])
    return {"accuracy": {"task": doc["task"], "source": doc["source"], "right": right}}


def overall(results):
    """The mean over tasks of the mean over sources."""
    groups = defaultdict(lambda: defaultdict(list))
    for one in results:
        groups[one["task"]][one["source"]].append(one["right"])
    return fmean(fmean(fmean(some) for some in sources.values()) for sources in groups.values())
'''


def write_vlmevalkit(path: Path, entries: Sequence[Entry], views: str = "1") -> Path:
    """Write a TSV table of VLMEvalKit: multiple choice with pictures in base64.

    The pictures of a question are a list in the column `image`; options that are pictures name them.
    """
    columns = ("index", "image", "question", *LETTERS, "answer", "category", "l2-category", "split")
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, columns, delimiter="\t", lineterminator="\n")
        table.writeheader()
        for entry in entries:
            shown = _views(entry, views)
            encoded = [base64.b64encode(shot(shown)).decode() for shot in entry.shots]
            table.writerow(
                {
                    "index": entry.id,
                    "image": json.dumps(encoded),
                    "question": text_of(entry, shown),
                    **dict(zip(LETTERS, entry.options, strict=True)),
                    "answer": LETTERS[entry.right],
                    "category": entry.configuration.task,
                    "l2-category": entry.configuration.source,
                    "split": "test",
                }
            )
    return path


def _views(entry: Entry, views: str) -> tuple[str, ...]:
    found = views_of(entry.configuration.source, views)
    if found is None:
        raise ValueError(f"{entry.configuration.source} has no views {views!r}")
    return found


FORMS: Mapping[str, str] = {
    "hub": "parquet files in folders, as the data set on the Hugging Face hub",
    "lmms-eval": "a task folder of lmms-eval",
    "vlmevalkit": "a TSV file of VLMEvalKit",
}
