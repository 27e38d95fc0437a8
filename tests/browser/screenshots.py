"""Takes the pictures of `docs/viewer.md`: real runs are played, labelled and looked at.

python -m tests.browser.screenshots [FOLDER]
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from evals.labels import add_label, label_sets, new_label
from evals.sweep.__main__ import main as sweep
from evals.view.server import Server
from evals.view.shown import Shown, find_runs
from evals.viplan.__main__ import main as viplan

RUNS = {
    "1-ground_mem": "--agent ground_mem --model sim:gpt-4.1 --limit 10 --fail-probability 0.1",
    "2-ground_belief": "--agent ground_belief --model sim:gpt-4.1 --limit 10 --fail-probability 0.1",
    "3-action_cot": "--agent action_cot --model sim:gpt-4.1 --limit 10 --fail-probability 0.1",
    "4-control": "--agent ground --model oracle --limit 10 --fail-probability 0.1",
    "5-pixels": "--agent ground --model pixels --split simple --limit 5 --fail-probability 0.3",
}
SWEEP = """\
[grid]
agent = ["ground", "plan"]
model = ["sim:gpt-4.1", "sim:qwen2.5-vl-72b"]
[settings]
split = "simple"
limit = 5
"""


def play(folder: Path) -> list[Shown]:
    """The runs to look at."""
    folder.mkdir()
    (folder / "methods.toml").write_text(SWEEP)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        for name, words in RUNS.items():
            viplan([*words.split(), "--out", str(folder / name)])
        sweep([str(folder / "methods.toml"), "--out", str(folder / "sweep-methods")])
    return find_runs([folder])


def label(run: Shown) -> None:
    """Two people look at some failures."""
    failed = [result for result in run.contents().results if result.failure]
    for place, result in enumerate(failed[:9]):
        said = str(result.failure) if place % 4 else "effect_misjudged"
        given: dict[str, object] = {
            "episode": result.id,
            "set": "viplan",
            "label": said,
            "who": "Bea" if place % 3 else "Ada",
        }
        if place == 0:
            given |= {"comment": "The wrong turn came earlier: the effect of the last move was misread.", "step": 1}
        add_label(run.path, new_label(given, [result.id], label_sets(run.contents().config)))


def longest_failure(run: Shown) -> str:
    failed = [result for result in run.contents().results if result.failure and result.asked]
    return max(failed, key=lambda result: (result.steps, result.id)).id


class Camera:
    """Takes pictures of pages."""

    def __init__(self, browser: Any, server: Server, folder: Path) -> None:
        self.browser, self.server, self.folder = browser, server, folder

    def take(
        self, name: str, address: str, width: int, height: int, scheme: str, *keys: str, at: str = "", click: str = ""
    ) -> None:
        """One picture of a page, after some keys and a click, scrolled to something."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        page = context.new_page()
        page.goto(self.server.url + address)
        page.wait_for_load_state("networkidle")
        for key in keys:
            page.keyboard.press(key)
        if click:
            page.locator(click).first.click()
        if at:
            page.evaluate("(at) => document.querySelector(at).scrollIntoView()", at)
        page.wait_for_timeout(500)
        page.screenshot(path=self.folder / f"view_{name}.png")
        context.close()


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures").resolve()
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        os.chdir(place)  # commands on the pages name paths as a reader would
        # Playing needs an event loop of its own, which this thread does not have while Playwright is in it.
        played: list[Shown] = []
        player = threading.Thread(target=lambda: played.extend(play(Path("runs"))))
        player.start()
        player.join()
        first = next(run for run in played if run.key == "1-ground_mem")
        label(first)
        server = Server(played)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        camera, episode = Camera(browser, server, folder), longest_failure(first)
        address = f"{first.key}/episodes/{episode}.html"
        other = f"beside.html?left={first.key}/{episode}&right=2-ground_belief/{episode}"
        camera.take("runs", "", 1280, 860, "light", "j", "x", "j", "x")
        camera.take("run", f"{first.key}/index.html#outcome=failure", 1280, 1480, "light", at="#failures")
        camera.take("episode", address, 1280, 1000, "light", "n", "n")
        camera.take("belief", address, 1920, 1330, "dark", "n", "n", at=".belief", click=".answer-row.bad")
        camera.take("pictures", "5-pixels/episodes/simple_01.html", 1280, 760, "light", "j")
        camera.take("beside", other, 1280, 1000, "light")
        browser.close()
        server.shutdown()
        server.server_close()


if __name__ == "__main__":
    main()
