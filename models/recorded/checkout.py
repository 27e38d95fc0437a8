"""Finds the result files in a checkout of the original ViPlan.

    results/final/{domain}/{setting}/{method}/{split}/{model}/results_*.json

If a folder has several files, the one with the last name counts: the others are earlier runs that were repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from models.recorded.reading import RecordError, read_run
from models.recorded.records import RecordedRun, Setting

DOMAINS = {"blocksworld": "BW", "igibson": "HH"}
METHODS = {"predicates": "ground", "vila": "plan"}
SPLITS = ("simple", "medium", "hard")

# Whether chain of thought was used, and the chance that a move fails. Only settings that the original publishes.
_PLAIN = {"final_no_cot": (False, 0.0), "final_cot": (True, 0.0)}
SETTINGS = {"BW": {**_PLAIN, "final_fail01_no_cot": (False, 0.1)}, "HH": _PLAIN}

# Model names of the paper's table 2, without owners and without the dates of closed models.
MODEL_NAMES = {
    "aya-vision-8b": "AyaVision 8B",
    "aya-vision-32b": "AyaVision 32B",
    "cosmos-reason2-8b": "Cosmos-Reason2 8B",
    "deepseek-vl2": "DeepSeek-VL2",
    "gpt-5.2": "GPT-5.2",
    "gpt-4.1-nano": "GPT-4.1 Nano",
    "gpt-4.1": "GPT-4.1",
    "gemma-3-12b-it": "Gemma-3 12B",
    "gemma-3-27b-it": "Gemma-3 27B",
    "internvl3-8b": "InternVL3 8B",
    "internvl3-78b": "InternVL3 78B",
    "internvl3_5-8b-hf": "InternVL3.5 8B",
    "internvl3_5-38b-hf": "InternVL3.5 38B",
    "internvl3_5-30b-a3b-hf": "InternVL3.5 30B A3B",
    "llava-onevision-qwen2-7b-ov-hf": "LLaVA-Onevision 7B",
    "llava-onevision-qwen2-72b-ov-hf": "LLaVA-Onevision 72B",
    "mistral-small-3.1-24b-instruct-2503": "Mistral-Small-3.1 24B",
    "molmo-7b-d-0924": "Molmo 7B",
    "phi-4-multimodal-instruct": "Phi-4 Multimodal",
    "qwen2.5-vl-7b-instruct": "Qwen2.5-VL 7B",
    "qwen2.5-vl-72b-instruct": "Qwen2.5-VL 72B",
    "qwen3-vl-8b-instruct": "Qwen3-VL 8B",
    "qwen3-vl-32b-instruct": "Qwen3-VL 32B",
    "qwen3-vl-30b-a3b-instruct": "Qwen3-VL 30B A3B",
}
Meaning = TypeVar("Meaning")
_DATE = re.compile(r"-\d{4}-\d{2}-\d{2}$")


@dataclass(frozen=True, slots=True)
class RunFile:
    """A file of results that was not read yet, with the setting that its folders give."""

    setting: Setting
    path: Path

    def read(self) -> RecordedRun:
        """Read the file."""
        return read_run(self.path, self.setting)


@dataclass(frozen=True, slots=True)
class Checkout:
    """The results of a checkout: the files that count, and folders with unknown names."""

    root: Path
    files: tuple[RunFile, ...]
    unknown: tuple[Path, ...]

    def runs(self) -> Iterator[RecordedRun]:
        """Every run, read one at a time, because a full checkout needs much memory."""
        return (file.read() for file in self.files)


def open_checkout(path: Path) -> Checkout:
    """Find the results under a checkout, its `results` folder, or `results/final` itself."""
    root = _results_root(path)
    files: list[RunFile] = []
    unknown: list[Path] = []
    for domain_folder, domain in _known(root, DOMAINS, unknown):
        for folder, (cot, fail) in _known(domain_folder, SETTINGS[domain], unknown):
            files += _files_of_setting(folder, domain, cot, fail, unknown)
    if not files:
        raise RecordError(f"{root}: no results_*.json in folders {{domain}}/{{setting}}/{{method}}/{{split}}/{{model}}")
    return Checkout(root, tuple(files), tuple(unknown))


def model_name(folder: str) -> str:
    """The paper's short name for a model, or the name of the folder if the paper has none."""
    bare = _DATE.sub("", folder.rpartition("/")[2].lower())
    return MODEL_NAMES.get(bare, folder)


def problems_beside(path: Path) -> Path:
    """The folder of the Blocksworld problems of a record: beside the record, or above the results."""
    if not path.is_dir():
        raise RecordError(f"{path}: no such folder")
    for folder in (path, *path.absolute().parents[:3]):
        for place in (folder / "data" / "planning" / "blocksworld" / "problems", folder / "problems"):
            if place.is_dir():
                return place
    raise RecordError(f"{path}: no problems were found near it; give their folder with --problems")


def contradiction(run: RecordedRun) -> str | None:
    """How the content of a file contradicts its folder; some runs used the prompt of another setting."""
    prompt, fail = run.metadata.get("prompt_path"), run.metadata.get("fail_probability")
    if isinstance(prompt, str) and ("cot" in Path(prompt).stem.split("_")) != run.setting.cot:
        return f"its folder says {'cot' if run.setting.cot else 'no cot'}, its prompt was {prompt}"
    if isinstance(fail, float) and fail != run.setting.fail:
        return f"its folder says that moves fail with {run.setting.fail}, the file says {fail}"
    return None


def _results_root(path: Path) -> Path:
    if not path.exists():
        raise RecordError(f"{path}: no such folder; give a checkout of the original or its results/final")
    for root in (path / "results" / "final", path / "final", path):
        if any((root / domain).is_dir() for domain in DOMAINS):
            return root
    raise RecordError(f"{path}: no results/final with a folder {' or '.join(DOMAINS)} in it")


def _files_of_setting(folder: Path, domain: str, cot: bool, fail: float, unknown: list[Path]) -> Iterator[RunFile]:
    for method_folder, method in _known(folder, METHODS, unknown):
        for split_folder, split in _known(method_folder, {name: name for name in SPLITS}, unknown):
            for model_folder in _folders(split_folder):
                found = sorted(model_folder.glob("results_*.json"))
                if found:
                    setting = Setting(domain, method, cot, fail, split, model_folder.name)
                    yield RunFile(setting, found[-1])


def _known(folder: Path, names: Mapping[str, Meaning], unknown: list[Path]) -> Iterator[tuple[Path, Meaning]]:
    """Folders with known names, in the order of the names. The others are added to `unknown`."""
    present = {child.name: child for child in _folders(folder)}
    unknown += [child for name, child in present.items() if name not in names]
    return ((present[name], meaning) for name, meaning in names.items() if name in present)


def _folders(folder: Path) -> list[Path]:
    return sorted(child for child in folder.iterdir() if child.is_dir() and not child.name.startswith("."))
