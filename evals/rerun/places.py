"""Where reruns may write: in the run or a directory of the user's, never through links inside the run."""

from __future__ import annotations

from pathlib import Path

from evals.run.files import no_link, no_links


def writable(out: Path, run: Path) -> Path:
    """The folder, after checking for links: inside the run, neither its path nor its contents may have any."""
    if out.is_relative_to(run):
        for part in (out, *out.parents):
            if part == run:
                break
            no_link(part)
        no_links(out)
    elif out.exists():
        no_links(out.resolve())
    return out
