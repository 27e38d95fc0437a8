"""Where reruns may read and write: in the run and in what a user names, never through a link that came with the run."""

from __future__ import annotations

import os
from pathlib import Path

from evals.run.directory import RunError


def no_link(path: Path) -> None:
    """`RunError` if the path is a link."""
    if path.is_symlink():
        raise RunError(
            f"{path} is a link; in a run nothing is read or written through links. Put the file itself there"
        )


def no_links(folder: Path) -> None:
    """`RunError` if a folder is a link, or holds one at any depth."""
    no_link(folder)
    for where, folders, files in os.walk(folder):
        for name in (*folders, *files):
            no_link(Path(where) / name)


def writable(out: Path, run: Path) -> Path:
    """A folder to write to. Below the run no part of its path may be a link, and nothing in it anywhere."""
    if out.is_relative_to(run):
        for part in (out, *out.parents):
            if part == run:
                break
            no_link(part)
        no_links(out)
    elif out.exists():
        no_links(out.resolve())
    return out
