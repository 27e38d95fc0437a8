"""Somebody looks at a run: opens it, filters, walks through an episode, labels it, and takes the pages along."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from evals.labels import add_label, label_sets, new_label, read_labels
from evals.run.directory import RunDirectory
from evals.run.trace import read_trace
from evals.view.export import export
from evals.view.server import Server
from evals.view.shown import find_runs
from tests.viewing import CONFIG, HOSTILE, LONG, write_trace
from tools.events import Began, Ended

pytestmark = pytest.mark.slow


def episode(server: Server, page: Any, name: str, at: str = "") -> None:
    page.goto(f"{server.url}run/episodes/{name}.html{at}")
    page.locator("#flow h2").wait_for()


def rows(page: Any) -> list[str]:
    return list(page.locator("#episodes-table tbody th a").all_inner_texts())


def where(page: Any) -> str:
    return str(page.locator("#bar b").inner_text())


def test_a_run_is_opened_and_filtered(server: Server, page: Any) -> None:
    page.goto(server.url)
    assert "simulated" in page.locator("#runs tbody").inner_text()
    page.locator("#runs a").click()
    page.locator("#episodes-table").wait_for()
    everything = rows(page)
    assert len(everything) == 8
    page.get_by_label("outcome").select_option("failure")
    failed = rows(page)
    assert set(failed) == {"blind", "misled", "hostile", "wordy", "home"}
    page.get_by_label("split").select_option("hard")
    assert set(rows(page)) == {"misled", "hostile", "wordy"}
    page.get_by_label("wrong about").select_option("clear")
    assert "misled" in rows(page)
    page.get_by_label("Filter by words").fill("misled")
    assert rows(page) == ["misled"]
    assert "1 of 8 episodes" in page.locator("#shown").inner_text()
    kept = page.url
    assert re.search("outcome=failure.*split=hard.*predicate=clear.*text=misled", kept)
    page.reload()
    assert rows(page) == ["misled"]
    page.get_by_role("button", name="clear").click()
    assert rows(page) == everything


def test_the_plot_of_failures_leads_to_its_episodes(server: Server, page: Any) -> None:
    page.goto(f"{server.url}run/index.html")
    page.locator("#failures .plot a", has_text="parsing").click()
    page.locator("#shown", has_text="1 of 8").wait_for()
    assert rows(page) == ["hostile"]
    assert "class=parsing" in page.url


def test_the_table_is_sorted_and_walked(server: Server, page: Any) -> None:
    page.goto(f"{server.url}run/index.html")
    page.get_by_role("button", name="questions").click()
    heads = page.locator("#episodes-table thead th").all_inner_texts()
    place = [head.strip().lower() for head in heads].index("questions") + 1
    cells = page.locator(f"#episodes-table tbody td:nth-child({place})").all_inner_texts()
    numbers = [int(cell.replace(",", "")) for cell in cells]
    assert numbers == sorted(numbers)
    page.get_by_role("button", name="questions").click()
    page.wait_for_url(re.compile("sort=-.*questions"))
    first = rows(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    page.locator("#flow h2").wait_for()
    assert page.locator("h1").inner_text().startswith(first[1])
    page.keyboard.press("]")
    page.wait_for_url(f"**/{first[2]}.html*")


def test_an_episode_is_walked_by_keyboard(server: Server, page: Any) -> None:
    episode(server, page, "solved")
    assert where(page) == "step 1 of 3"
    page.keyboard.press("j")
    assert where(page) == "step 2 of 3"
    assert page.url.endswith("#step=2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert where(page) == "step 3 of 3"
    page.keyboard.press("k")
    page.keyboard.press("ArrowLeft")
    assert where(page) == "step 1 of 3"
    assert page.locator(".frame.current").get_attribute("data-step") == "1"
    page.keyboard.press("End")
    assert where(page) == "step 3 of 3"
    page.keyboard.press("?")
    assert "next divergence" in page.locator("dialog").inner_text()
    page.keyboard.press("j")
    assert where(page) == "step 3 of 3"
    page.keyboard.press("Escape")
    assert not page.locator("dialog").is_visible()
    page.goto(f"{server.url}run/episodes/solved.html#step=2")
    page.locator("#bar b", has_text="step 2 of 3").wait_for()


def test_the_way_through_the_graph_is_lit(server: Server, page: Any) -> None:
    episode(server, page, "solved")
    lit = page.locator(".node.lit text")
    assert lit.all_text_contents() == ["start", "ground", "plan", "check", "act", "verify"]
    assert page.locator(".edge.lit").count() == 5
    page.keyboard.press("End")
    assert "end" in lit.all_text_contents()
    assert "start" not in lit.all_text_contents()


def test_the_divergence_is_seen_with_the_answer_that_caused_it(server: Server, page: Any) -> None:
    episode(server, page, "misled")
    verdict = page.locator("#verdict")
    told = " ".join(verdict.inner_text().split())
    assert "Belief and truth first parted in step 1, before it acted: not clear g was believed" in told
    assert "It cost the episode." in verdict.inner_text()
    verdict.locator("a", has_text="was answered no").first.click()
    panel = page.locator("#answer")
    panel.wait_for()  # a browser tells of a new address only after the click is over
    assert "clear g" in panel.inner_text()
    assert re.search(r"said\s+no\s+truth\s+yes", panel.inner_text())
    assert page.locator(".answer-row[aria-pressed=true] .fact").inner_text() == "clear g"
    page.keyboard.press("Escape")
    assert not panel.is_visible()


def coloured(page: Any, name: str) -> int:
    """How many pixels of the grid have a colour of the style sheet."""
    return int(
        page.evaluate(
            """(name) => {
          const canvas = document.querySelector(".grid canvas");
          const pen = document.createElement("canvas").getContext("2d");
          pen.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
          pen.fillRect(0, 0, 1, 1);
          const [r, g, b] = pen.getImageData(0, 0, 1, 1).data;
          const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4)
            count += data[at] === r && data[at + 1] === g && data[at + 2] === b;
          return count;
        }""",
            name,
        )
    )


def test_the_timeline_shows_what_was_believed_wrongly_and_leads_there(server: Server, page: Any) -> None:
    episode(server, page, "misled")
    assert coloured(page, "--cell-missed") > 100
    episode(server, page, "solved")
    page.get_by_role("button", name="all facts").click()
    assert coloured(page, "--cell-true") > 1000
    box = page.locator(".grid canvas").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 30, box["y"] + 40)
    assert where(page) != "step 1 of 3"
    page.mouse.move(box["x"] + box["width"] - 30, box["y"] + 40)
    page.locator(".tip").wait_for()


def test_divergences_are_walked(server: Server, page: Any) -> None:
    episode(server, page, "misled")
    total = page.locator(".partings").inner_text()
    assert "divergence 1 of" in total
    page.keyboard.press("End")
    page.keyboard.press("p")
    assert re.search(r"divergence \d+ of", page.locator(".partings").inner_text())
    assert page.locator(".sign.fatal").count() >= 1


def test_a_label_is_given_corrected_and_counted(server: Server, page: Any, run: Path) -> None:
    episode(server, page, "misled")
    page.keyboard.press("l")
    form = page.locator("#labels form")
    form.get_by_label("Label", exact=True).select_option("attempted_wrongly")
    form.get_by_label("Comment").fill("<i>it</i> tried in vain")
    form.get_by_label("Your name").fill("Ada")
    form.get_by_label("about this step").check()
    form.get_by_role("button", name="Keep label").click()
    given = page.locator(".given li")
    given.wait_for()
    assert "attempted wrongly" in given.inner_text()
    assert "<i>it</i> tried in vain" in given.inner_text()
    page.keyboard.press("Escape")
    page.locator("#labels summary").click()
    form.get_by_label("Label set").select_option("embodiedeval")
    form.get_by_label("Label", exact=True).select_option("hallucination_in_grounding")
    form.get_by_role("button", name="Keep label").click()
    page.locator(".given li").nth(1).wait_for()
    labels, notices = read_labels(run)
    assert notices == []
    assert [(label.set, label.label, label.who, label.step) for label in labels] == [
        ("viplan", "attempted_wrongly", "Ada", 1),
        ("embodiedeval", "hallucination_in_grounding", "Ada", None),
    ]
    page.goto(f"{server.url}run/index.html#label=attempted_wrongly")
    page.locator("#episodes-table").wait_for()
    assert rows(page) == ["misled"]
    assert "Labels given by people" in page.locator("#failures").inner_text()


def test_what_only_some_episodes_have_can_be_chosen_even_if_it_is_one_thing(
    server: Server, page: Any, run: Path
) -> None:
    given = {"episode": "misled", "set": "viplan", "label": "step_limit", "who": "Ada"}
    add_label(run, new_label(given, ["misled"], label_sets(CONFIG)))
    page.goto(f"{server.url}run/index.html")
    page.get_by_label("people say").select_option("step_limit")
    assert rows(page) == ["misled"]
    assert page.get_by_label("saved by").count() == 0


def test_an_export_opens_as_files(run: Path, page: Any, tmp_path: Path) -> None:
    export(find_runs([run]), tmp_path / "pages")
    page.goto((tmp_path / "pages" / "index.html").as_uri())
    page.locator("#runs a").click()
    page.get_by_label("outcome").select_option("failure")
    page.locator("#episodes-table a", has_text="misled").click()
    page.locator("#flow h2").wait_for()
    assert page.url.startswith("file://")
    page.locator(".frame svg.sketch").first.wait_for()
    assert "It cost the episode." in page.locator("#verdict").inner_text()
    assert page.locator("#labels form").count() == 0
    assert coloured(page, "--cell-missed") > 100
    page.goto((tmp_path / "pages" / "run" / "episodes" / "solved.html").as_uri())
    page.keyboard.press("j")
    assert where(page) == "step 2 of 3"
    page.goto((tmp_path / "pages" / "run" / "episodes" / "wordy.html").as_uri())
    page.locator(".answer-row").first.click()
    page.locator("#answer button", has_text="show all").click()
    page.locator("#answer pre", has_text="<answer>Yes</answer>").wait_for()


def test_hostile_words_are_shown_as_text(server: Server, page: Any) -> None:
    episode(server, page, "hostile")
    title = page.title()
    assert "owned" not in title
    assert "<script>" in page.locator("#verdict").inner_text()
    page.locator(".answer-row").first.click()
    shown = page.locator("#answer pre").text_content()
    assert shown == HOSTILE
    assert page.locator("img[src='x']").count() == 0
    assert page.title() == title


def test_long_replies_are_cut_until_somebody_wants_them(server: Server, page: Any) -> None:
    episode(server, page, "wordy")
    page.locator(".answer-row").first.click()
    reply = page.locator("#answer pre")
    page.locator("#answer pre", has_text=re.compile(r"[\s\S]{1000}")).wait_for()
    assert len(reply.text_content()) < 3000
    page.locator("#answer button", has_text="show all").click()
    page.locator("#answer pre", has_text="<answer>Yes</answer>").wait_for()
    assert reply.text_content() == LONG


def test_rubbish_in_a_trace_is_said(server: Server, page: Any, run: Path) -> None:
    path = run / "episodes" / "solved.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], b"\x00\xff\x80 <script>alert(1)</script>\n", lines[-1]]))
    episode(server, page, "solved")
    assert "1 line of the trace cannot be read" in page.locator("#damage").inner_text()
    assert where(page) == "step 1 of 3"


def test_an_episode_without_beliefs_and_one_without_steps_are_shown(server: Server, page: Any, run: Path) -> None:
    episode(server, page, "proposes")
    assert "keeps no belief" in page.locator("#timeline").inner_text()
    assert "Proposed" in page.locator("#flow").inner_text()
    (run / "episodes" / "solved.jsonl").write_bytes(b"")
    page.goto(f"{server.url}run/episodes/solved.html")
    assert "breaks off" in page.locator("#damage").inner_text()
    assert "No readable events are left" in page.locator("#flow").inner_text()
    assert where(page) == "no steps"


def test_what_a_tool_calling_model_did_is_shown(server: Server, page: Any) -> None:
    episode(server, page, "calls")
    told = page.locator("#flow").inner_text()
    assert "Decided" in told
    assert "Called query_predicates" in told
    assert page.locator("#flow .bad").count() == 0


def test_a_world_that_hides_things_is_shown(server: Server, page: Any) -> None:
    episode(server, page, "home")
    assert "in view:" in page.locator("#scenes").inner_text()
    page.locator("#scenes .atoms, #scenes img").first.wait_for()
    assert "open" in page.locator("#verdict").inner_text()
    assert coloured(page, "--cell-claimed") + coloured(page, "--cell-missed") > 100


def lengthened(run: Path, times: int) -> int:
    """Make an episode of a run many times as long; how many steps it has."""
    records = read_trace(run / "episodes" / "solved.jsonl")
    middle = [record for record in records if not isinstance(record.event, Began | Ended)]
    write_trace(RunDirectory.open(run), "solved", [records[0], *middle * times, records[-1]])
    return 3 * times


def test_of_thousands_of_steps_only_those_in_view_exist(server: Server, page: Any, run: Path) -> None:
    steps = lengthened(run, 350)
    episode(server, page, "solved")
    assert where(page) == f"step 1 of {steps:,}"
    assert page.locator(".frame").count() < 30
    page.keyboard.press("End")
    assert where(page) == f"step {steps:,} of {steps:,}"
    assert page.locator(".frame").count() < 30
    assert page.locator(".frame.current").get_attribute("data-step") == str(steps)
    page.get_by_role("button", name="all facts").click()
    assert page.evaluate("document.querySelector('.grid canvas').width") < 4000
    assert page.evaluate("document.querySelectorAll('*').length") < 3000


@pytest.mark.parametrize("width", [1280, 1920])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_is_wider_than_the_window(server: Server, browser: Any, width: int, scheme: str) -> None:
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    for address in ("", "run/index.html", "run/episodes/misled.html#step=1&answer=0", "run/episodes/proposes.html"):
        page.goto(server.url + address)
        page.locator("main").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
        paper, ink = page.evaluate(
            "[getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]"
        )
        dark = sum(map(int, re.findall(r"\d+", paper)[:3])) < sum(map(int, re.findall(r"\d+", ink)[:3]))
        assert dark == (scheme == "dark")
    context.close()
