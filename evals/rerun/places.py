"""Where reruns may read and write: in the run and in what a user names, never through a link that came with the run."""

from __future__ import annotations

from pathlib import Path

from evals.run.files import no_link, no_links


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
