"""Export runs as static pages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote, unquote

from evals.pages.wording import plural
from evals.run.directory import RunError
from evals.view.redrawing import CannotDraw
from evals.view.shown import Shown
from evals.view.site import Site


def export(
    runs: Sequence[Shown],
    folder: Path,
    *,
    draw: bool = False,
    reads: Sequence[str] = (),
    tell: Callable[[str], None] = print,
) -> int:
    """Write all pages into an empty folder; the number of files.

    `draw` also draws pictures that are missing; `reads` are files and folders that runs may read for it.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is a file"
        raise RunError(f"{folder} {what}; choose another --export, so that nothing gets mixed up")
    site = Site.of(runs)
    site.stages.reads = reads
    try:
        pictures: list[str] = []
        for number, run in enumerate(runs if draw else (), 1):
            tell(f"drawing run {number} of {len(runs)}, {run.key}: {plural(len(run.contents().results), 'episode')}")
            pictures += _draw(site, run, folder, tell)
        count = sum(_write(site, address, folder) for address in site.addresses())
    except OSError as error:
        raise RunError(f"cannot write to {folder}: {error.strerror or error}") from None
    return count + len(pictures)


def _write(site: Site, address: str, folder: Path) -> bool:
    content = site.get(address)
    if content is None:  # it disappeared meanwhile
        return False
    _keep(folder, address, content.body)
    return True


def _keep(folder: Path, address: str, body: bytes) -> None:
    path = folder.joinpath(*map(unquote, address.split("/")))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(body)


def _draw(site: Site, run: Shown, folder: Path, tell: Callable[[str], None]) -> list[str]:
    """Draw the pictures that no model asked for; their addresses."""
    addresses: list[str] = []
    for result in run.contents().results:
        played = site.played(run, result.id)
        numbers: list[int] = []
        for number, scene in enumerate(played.scenes[0] if played else ()):
            if played is None or scene.sha256:
                continue
            try:
                png = site.stages.png(run, played, scene.record)
            except CannotDraw as error:
                tell(f"{run.key}: {result.id} cannot be drawn: {error}")
                break
            address = f"{quote(run.key)}/data/{quote(result.id)}/drawn-{number}.png"
            _keep(folder, address, png)
            addresses.append(address)
            numbers.append(number)
        site.drawn[run.key, result.id] = numbers
    return addresses
