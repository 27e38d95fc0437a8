"""The agents for questions: right with perfect eyes in every form, never at a loss for words, each in its own way."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.base import Agent, Needs
from agents.registry import all_agents
from envs.base import Question
from envs.pictures import PictureStore
from evals.judges.question import Facts
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, always
from tests.agents.question_replies import FORMS, LETTERED, Looking, by_about
from tests.conftest import ROOT
from tests.question_sets import events, item_of, play
from tools.events import INFRASTRUCTURE, Answered, Ended, Looked, Reason
from tools.questions import named

AGENTS = sorted(name for name, agent in all_agents().items() if agent.needs is Needs.QUESTION)
NEW = ("answer_checked", "answer_marked", "answer_split", "answer_vote", "answer_zoom")
RUBBISH = {
    "a word": "banana",
    "nothing": "",
    "letters": "A, B, C or D, or perhaps Z,Z,Z",
    "yes": "Yes",
    "no": "No",
    "numbers": "[[1, 0.5, 0.5], [9, 0.5, 0.5], [1, 7, 7]]",
    "a list": "[1,0,1,0,1,0,1,0,1,0]",
    "half a list": "[[1, 0.5",
    "a big number": "1e308 and 9999999999999999",
    "an object": '{"points": {"x": null}}',
    "braces": "[" * 200 + "}" * 200,
}


def test_the_agents_for_questions_are_these() -> None:
    assert {*NEW, "answer", "answer_cot"} <= set(AGENTS)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("kind", FORMS)
def test_with_perfect_eyes_every_answer_is_right_and_in_the_form_asked_for(name: str, kind: Kind) -> None:
    item = item_of(kind)
    result, records = play(name, item, load_model("oracle"))
    (answered,) = events(records, Answered)
    assert result.success, (result.failure, answered)
    question = Question(item.text, (), item.options, item.kind, item.items)
    assert named(answered.value, question) in answered.text
    assert events(records, Ended)[-1].reason is Reason.FINISHED


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize(
    "reply", ["numbers", *(pytest.param(r, marks=pytest.mark.slow) for r in RUBBISH if r != "numbers")]
)
def test_rubbish_ends_an_episode_for_a_reason_of_the_models(name: str, reply: str) -> None:
    for kind in FORMS:
        result, records = play(name, item_of(kind), Scripted(always(RUBBISH[reply])), reask=0)
        assert result.scored, (kind, result.reason, result.detail)
        (end,) = events(records, Ended)
        assert end.reason in set(Reason) - INFRASTRUCTURE


@pytest.mark.parametrize("name", [name for name in AGENTS if name != "person"])  # whose words are never cut off
@pytest.mark.parametrize("kind", [kind for kind in FORMS if kind is not Kind.TEXT])
def test_words_of_no_form_are_unreadable_and_cut_ones_truncated(name: str, kind: Kind) -> None:
    assert play(name, item_of(kind), Scripted(always("banana")), reask=0)[0].failure == "unreadable"
    cut = Reply("The picture", truncated=True)
    assert play(name, item_of(kind), Scripted(lambda request: cut), reask=0)[0].failure == "truncated"


@pytest.mark.slow
@pytest.mark.parametrize("name", AGENTS)
@given(replies=st.lists(st.sampled_from(sorted(RUBBISH.values())) | st.text(max_size=12), min_size=1, max_size=5))
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_replies_are_scored(name: str, replies: list[str]) -> None:
    for kind in FORMS:
        said = [*replies]

        def script(request: Request, said: list[str] = said) -> str:
            said.append(said.pop(0))
            return said[-1]

        result, _ = play(name, item_of(kind), Scripted(script))
        assert result.scored, (kind, result.reason, result.detail)


@pytest.mark.parametrize("name", AGENTS)
def test_a_question_without_pictures_or_with_many_is_answered(name: str) -> None:
    for pictures in ((), tuple(map(str, range(30)))):
        for kind in (Kind.CHOICE, Kind.NUMBER):
            item = item_of(kind, pictures=pictures, facts=Facts())
            assert play(name, item, load_model("oracle"))[0].success, (kind, len(pictures))


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("kind", LETTERED)
def test_a_question_that_lists_no_options_of_its_own_is_scored(name: str, kind: Kind) -> None:
    result, _ = play(name, item_of(kind, options=(), items=()), Scripted(always("Final Answer: A,B")), reask=0)
    assert result.scored, (result.reason, result.detail)


@pytest.mark.parametrize("name", AGENTS)
def test_equal_options_do_no_harm(name: str) -> None:
    for kind in LETTERED:
        item = item_of(kind)
        result, _ = play(name, replace(item, options=(item.options[0],) * len(item.options)), Scripted(always("A")))
        assert result.scored, (kind, result.reason, result.detail)


@pytest.mark.parametrize("name", AGENTS)
def test_the_same_question_goes_the_same_way(name: str) -> None:
    def story() -> list[str]:
        _, records = play(name, item_of(Kind.ORDER), load_model("sim:gpt-5?errors=fresh"))
        return [record.model_dump_json(exclude={"event": {"seconds", "cached"}}) for record in records]

    assert story() == story()


@pytest.mark.parametrize("name", AGENTS)
def test_nodes_are_verbs_with_a_docstring_and_lead_to_an_end(name: str) -> None:
    graph = all_agents()[name].build()
    for node, build_graph in graph.builder.nodes.items():
        function = build_graph.runnable.afunc or build_graph.runnable.func
        assert node.islower()
        assert function.__doc__, node
    drawn = graph.get_graph()
    reached = {"__end__"}
    while new := {edge.source for edge in drawn.edges if edge.target in reached} - reached:
        reached |= new
    assert reached == set(drawn.nodes)


@pytest.mark.parametrize("name", AGENTS)
@pytest.mark.parametrize("looks", [False, True])
def test_pictures_are_drawn_only_for_a_model_that_looks(name: str, looks: bool) -> None:
    kind, store = (Looking if looks else Scripted), PictureStore()
    replies = {"look": "E", "point": "[[1, 0.5, 0.5]]", "option": "No", "count": "1"}
    _, records = play(name, item_of(Kind.NUMBER), kind(by_about(replies, "Final Answer: 4")), store=store)
    looked = events(records, Looked)
    assert bool(looked) == (name in ("answer_zoom", "answer_marked", "answer_split"))
    assert all((event.sha256 is not None) == looks for event in looked)
    assert bool(store._bytes) == (looks and bool(looked))


@pytest.mark.parametrize("name", NEW)
def test_it_says_what_it_asks_for(name: str) -> None:
    """A model that gives only other kinds of reply is refused before the run."""
    from evals.run.prepare import check_kinds

    agent: Agent = all_agents()[name]
    for spec in ("oracle", "sim:gpt-5", "blind"):
        check_kinds(agent, load_model(spec), spec)
    model = Scripted(always(""))
    model.kinds = frozenset({Kind.TEXT})  # type: ignore[attr-defined]
    if name == "answer_vote":  # it asks for nothing but the answer
        check_kinds(agent, model, "own")
        return
    with pytest.raises(ValueError, match=rf"agent '{name}' asks for (choice|yes_no|points)$"):
        check_kinds(agent, model, "own")


def test_the_page_shows_their_graphs() -> None:
    page = (ROOT / "docs" / "agents.md").read_text(encoding="utf-8")
    for name in NEW:
        shown = page.partition(f"```mermaid {name}\n")[2].partition("```")[0]
        assert all_agents()[name].build().get_graph().draw_mermaid().strip() == shown.strip(), name
    graphs = json.loads((ROOT / "langgraph.json").read_text())["graphs"]
    assert set(NEW) <= set(graphs)
