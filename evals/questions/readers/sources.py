"""Locates published data: a file, a folder, or the Hugging Face hub's cache. Nothing is downloaded."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from evals.questions.readers.rows import BadData

_HUB_NAME = re.compile(r"[\w.-]+/[\w.-]+")
_POINTER = b"version https://git-lfs.github.com/spec/"
_SHARD = re.compile(r"(.*)-(\d{5})-of-(\d{5})(\.\w+)$")


def find(where: str | Path, patterns: Sequence[str]) -> tuple[Path, ...]:
    """The files of a set: the named file, or the files in a folder that match the first pattern with matches.

    `where` may also be the name of a data set in the hub's cache, such as `owner/name`.
    """
    path = Path(where)
    if path.is_file():
        return (checked(path),)
    if path.is_dir():
        return _in_folder(path, patterns)
    if path.exists() or not _HUB_NAME.fullmatch(str(where)):
        raise FileNotFoundError(f"{where}: there is no such file or folder")
    return _in_cache(str(where), patterns)


def checked(path: Path) -> Path:
    """The file itself; `BadData` if it is empty or only a Git LFS pointer."""
    with path.open("rb") as file:
        start = file.read(200)
    if start.startswith(_POINTER):
        size = re.search(rb"^size (\d+)", start, re.MULTILINE)
        much = f"the {int(size[1]):,} bytes it stands for" if size else "what it stands for"
        raise BadData(f"{path} is a Git LFS pointer, not the data: `git lfs pull` gets {much}")
    if not start:
        raise BadData(f"{path} is empty")
    return path


def hub_cache() -> Path:
    """The cache folder of the hub's tools."""
    for name in ("HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        if os.environ.get(name):
            return Path(os.environ[name]).expanduser()
    caches = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    home = os.environ.get("HF_HOME") or f"{caches}/huggingface"
    return Path(home).expanduser() / "hub"


def _in_folder(folder: Path, patterns: Sequence[str]) -> tuple[Path, ...]:
    for pattern in patterns:
        files = sorted(folder.glob(pattern))
        if files:
            return tuple(checked(file) for file in _all_parts(files))
    raise FileNotFoundError(f"{folder} has no {' and no '.join(patterns)}")


def _all_parts(files: list[Path]) -> list[Path]:
    """The files, after checking that no part such as `…-00000-of-00002` is missing."""
    parts = [_SHARD.fullmatch(file.name) for file in files]
    if all(parts):
        first = parts[0]
        assert first is not None
        names = {file.name for file in files}
        for number in range(int(first[3])):
            name = f"{first[1]}-{number:05d}-of-{first[3]}{first[4]}"
            if name not in names:
                raise FileNotFoundError(f"{files[0].parent / name} is missing: the data set has {int(first[3])} parts")
    return files


def _in_cache(name: str, patterns: Sequence[str]) -> tuple[Path, ...]:
    cache = hub_cache()
    folder = cache / f"datasets--{name.replace('/', '--')}"
    get = f"get it with: hf download {name} --repo-type dataset"
    snapshot = _snapshot(folder)
    if snapshot is None:
        raise FileNotFoundError(f"{name} is neither a folder nor in the Hugging Face hub's cache ({cache}); {get}")
    try:
        return _in_folder(snapshot, patterns)
    except FileNotFoundError as error:
        # A broken link counts as missing.
        raise FileNotFoundError(f"{name} is not complete in the Hugging Face hub's cache: {error}; {get}") from None


def _snapshot(folder: Path) -> Path | None:
    """The snapshot of `main`, else the newest."""
    main = folder / "refs" / "main"
    if main.is_file():
        snapshot = folder / "snapshots" / main.read_text(encoding="utf-8").strip()
        if snapshot.is_dir():
            return snapshot
    found = [path for path in (folder / "snapshots").glob("*") if path.is_dir()]
    return max(found, key=lambda path: path.stat().st_mtime, default=None)
