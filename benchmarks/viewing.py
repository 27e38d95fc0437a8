"""Time to view an episode with very many questions.

    python -m benchmarks.viewing [QUESTIONS]

A real episode of hard Blocksworld is played by the real runner: `ground_repair`, a simulated model that errs as often
as GPT-4.1, and a hand that always slips, so that nearly every step leads to new questions about everything.
Prints the size of its trace, the response time of the viewer's server, and, with a Chromium, the time until a browser
shows the page, goes to the next step, and jumps to the end.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from agents.registry import find_agent
from benchmarks.options import at_least_one, parser
from benchmarks.playing import BENCHMARK, config, setup
from evals.run.directory import RunDirectory
from evals.run.prepare import list_episodes
from evals.run.results import EpisodeResult
from evals.run.runner import Runner
from evals.view.server import Server
from evals.view.shown import find_runs
from evals.view.site import Site
from models.registry import load_model
from planners import get_planner
from planners.cache import CachedPlanner

A_ROUND = 80
"""Typical questions per step; a little fewer than all, since not every slip is noticed."""


def play(folder: Path, questions: int) -> EpisodeResult:
    """The first problem that takes so many questions."""
    steps = -(-questions // A_ROUND)
    settings = BENCHMARK.settings(
        agent="ground_repair", model="sim:gpt-4.1", split="hard", steps=steps, fail_probability=1.0
    )
    agent, model = find_agent(settings.agent), load_model(settings.model)
    planner = CachedPlanner(get_planner("fd"))
    run = RunDirectory.create(folder, config(settings))
    runner = Runner(setup(agent, model, settings, planner, planner), run)
    try:
        for episode in list_episodes(BENCHMARK, settings, agent):
            result = asyncio.run(runner.play(episode))
            if result.asked >= questions:
                run.append(result)
                return result
    finally:
        planner.close()
        run.close()
    raise SystemExit(f"no problem took {questions:,} questions")


def timed(what: Callable[[], object]) -> float:
    started = time.perf_counter()
    what()
    return time.perf_counter() - started


def serve(path: Path, episode: str) -> None:
    """The time of the server."""
    runs = find_runs([path])
    site = Site.of(runs)
    key = runs[0].key
    page, data = f"{key}/episodes/{episode}.html", f"{key}/data/{episode}/episode.js"
    before = time.process_time()
    first = timed(lambda: (site.get(page), site.get(data)))
    worked = time.process_time() - before
    again = timed(lambda: (site.get(page), site.get(data)))
    content = site.get(data)
    assert content
    print(f"opened by the server    {first:8.2f} s, {worked:.2f} s of CPU; again {again:.3f} s")
    print(f"data of its page        {len(content.body) / 1e6:8.2f} MB")


def look(path: Path, episode: str) -> None:
    """The time of a browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no chromium here: what a browser takes was not measured")
        return
    from playwright.sync_api import sync_playwright

    server = Server(find_runs([path]))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    key = next(iter(server.site.runs))
    address = f"{server.url}{key}/episodes/{episode}.html"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(server.url)  # warm up the browser

        def opened() -> None:
            page.goto(address)
            page.locator("#flow h2").wait_for()

        first = timed(opened)
        page.goto("about:blank")
        again = timed(opened)
        script = (
            "(key) => { const start = performance.now();"
            " document.dispatchEvent(new KeyboardEvent('keydown', { key }));"
            " document.body.offsetHeight; return performance.now() - start; }"
        )
        step, end = page.evaluate(script, "j"), page.evaluate(script, "End")
        nodes = page.evaluate("document.querySelectorAll('*').length")
        browser.close()
    server.shutdown()
    server.server_close()
    print(f"shown by a browser      {first:8.2f} s, again {again:.2f} s; {nodes:,} elements")
    print(f"one step on             {step:8.0f} ms; to the end {end:.0f} ms")


def main() -> None:
    options = parser("viewing", __doc__)
    options.add_argument(
        "questions", nargs="?", type=at_least_one, default=10_000, help="about how many (default: 10000)"
    )
    questions = options.parse_args().questions
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "run"
        result = play(path, questions)
        print(f"{result.asked:,} questions, {result.steps:,} steps, {result.reason}")
        size = (path / "episodes" / f"{result.id}.jsonl").stat().st_size
        print(f"trace on the disk       {size / 1e6:8.2f} MB, {size / result.asked:.0f} bytes a question")
        serve(path, result.id)
        look(path, result.id)


if __name__ == "__main__":
    main()
