"""The agents for questions: right with perfect eyes in every form, never at a loss for words, each in its own way."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agents.base import Agent, Needs
from agents.checked import Checker
from agents.posing import question_agent
from agents.registry import all_agents
from agents.split import Splitter
from agents.vote import Voter, ballots
from agents.zoom import Zoomer
from envs.base import Question
from envs.pictures import PictureStore
from evals.judges.question import Facts
from models.base import Kind, Reply, Request
from models.registry import load_model
from models.scripted import Scripted, always
from tests.conftest import ROOT
from tests.question_sets import events, item_of, play, questions
from tools.events import INFRASTRUCTURE, Answered, Asked, Ended, Looked, Reason
from tools.questions import named, written

FORMS = [item.kind for item in questions(1)]
LETTERED = [Kind.CHOICE, Kind.CHOICES, Kind.ORDER, Kind.MATCHING, Kind.JUDGEMENTS]
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


class Looking(Scripted):
    """A scripted model that needs the pictures themselves."""

    looks = True


def by_about(replies: dict[str, str], otherwise: str) -> Callable[[Request], str]:
    """Replies by the first words of what is asked about."""

    def script(request: Request) -> str:
        about = str(request.about or "")
        return next((reply for start, reply in replies.items() if about.startswith(start)), otherwise)

    return script


def asked_about(records: list[Any]) -> list[str]:
    return [event.about for event in events(records, Asked)]


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


# Voting


def test_a_vote_asks_for_other_orders_of_the_options_and_reads_them_back() -> None:
    item = item_of(Kind.ORDER)
    model = Scripted(always("A,B,C,D" if len(item.options) == 4 else "A,B,C,D,E"))
    _, records = play("answer_vote", item, model)
    orders = [event.options for event in events(records, Asked)]
    assert len(set(orders)) == 5
    assert orders[0] == item.options
    # Whoever always names the letters in order says something else each time.
    truths = [record.truth.right for record in records if isinstance(record.event, Asked)]
    restored = [tuple(item.options.index(option) for option in order) for order in orders]
    right = tuple("ABCDE".index(letter) for letter in item.answer)  # type: ignore[union-attr]
    assert truths == [order == right for order in restored]


@pytest.mark.parametrize(("options", "votes"), [(4, 4), (8, 5), (5, 5), (2, 9), (1, 3), (0, 12)])
def test_no_two_ballots_are_the_same_and_places_are_shared_out(options: int, votes: int) -> None:
    names = tuple(f"thing {number}" for number in range(options))
    ways = ballots(Question("Which?", (), names), votes)
    assert len(set(ways)) == votes
    assert ways[0] == (names, "")
    assert all(sorted(order) == sorted(names) for order, _ in ways)
    if 0 < options <= votes:
        assert len({order[0] for order, _ in ways[:options]}) == options


def test_votes_that_cannot_be_read_do_not_count() -> None:
    item = item_of(Kind.CHOICE)
    replies = iter(["?", "?", "?", "?"])

    def script(request: Request) -> str:
        return next(replies, "ABCDE"[request.options.index(str(item.answer))])

    result, records = play("answer_vote", item, Scripted(script), reask=0)
    assert result.success
    assert events(records, Ended)[0].detail == "1 of 1 votes"


def test_more_votes_are_a_parameter() -> None:
    agent = question_agent("nine", "nine votes", Voter(votes=9).graph)
    assert play(agent, item_of(Kind.CHOICE), load_model("oracle"))[0].asked == 9


def test_no_votes_are_refused() -> None:
    with pytest.raises(ValueError, match="votes is at least 1, not 0"):
        Voter(votes=0)


def test_the_same_wrong_answer_in_every_order_is_reported() -> None:
    item = item_of(Kind.CHOICE)
    wrong = next(option for option in item.options if option != item.answer)
    stubborn = Scripted(lambda request: "ABCDE"[request.options.index(wrong)])
    result, _ = play("answer_vote", item, stubborn)
    assert not result.success
    assert (result.measures["votes"], result.measures["wrong_pairs"], result.measures["wrong_pairs_alike"]) == (
        5,
        10,
        10,
    )
    first, _ = play("answer_vote", item, Scripted(always("A")))  # a habit of letters, not an error about the picture
    assert first.measures["wrong_pairs_alike"] < first.measures["wrong_pairs"]
    assert "votes" not in play("answer", item, stubborn)[0].measures


def test_fresh_errors_in_counting_are_different_numbers_and_shared_ones_the_same() -> None:
    wrong: dict[str, set[Any]] = {}
    for errors in ("fresh", "shared"):
        _, records = play("answer_vote", item_of(Kind.NUMBER), load_model(f"sim:phi-4-multimodal?errors={errors}"))
        wrong[errors] = {event.value for event in events(records, Asked)} - {item_of(Kind.NUMBER).answer}
    assert len(wrong["fresh"]) > 1
    assert len(wrong["shared"]) == 1


# Looking closer


def test_a_part_that_is_chosen_is_shown_enlarged_and_at_most_four_are() -> None:
    letters = iter("AEIC")
    model = Looking(lambda request: next(letters) if request.about == "look" else "Final Answer: A")
    _, records = play("answer_zoom", item_of(Kind.CHOICE), model)
    looked = [event.what for event in events(records, Looked)]
    assert looked[0] == "picture 1 with a grid"
    assert [what.partition(":")[0] for what in looked[1:]] == ["part of picture 1"] * 4
    last = model.asked[-1]
    assert len(last.pictures) == 5
    assert "Picture 5 is a part of picture 1, enlarged." in last.text
    assert [event.phase for event in events(records, Asked)] == ["look"] * 4 + ["question"]


@pytest.mark.parametrize("reply", ["J", "none", "banana", ""])
def test_who_has_seen_enough_answers(reply: str) -> None:
    model = Scripted(by_about({"look": reply}, "Final Answer: A"))
    _, records = play("answer_zoom", item_of(Kind.CHOICE), model, reask=0)
    assert asked_about(records) == ["look", ""]


def test_looking_at_the_same_part_again_ends_the_looking() -> None:
    _, records = play("answer_zoom", item_of(Kind.CHOICE), Scripted(by_about({"look": "E"}, "Final Answer: A")))
    assert asked_about(records) == ["look", "look", ""]


def test_of_several_pictures_one_is_chosen_first() -> None:
    letters = iter("BEC")
    model = Scripted(lambda request: next(letters) if request.about == "look" else "Final Answer: A")
    _, records = play("answer_zoom", item_of(Kind.CHOICE, pictures=("1", "2")), model)
    assert [event.what.partition(":")[0] for event in events(records, Looked)] == [
        "picture 2 with a grid",
        "part of picture 2",
    ]
    assert len(model.asked[-1].pictures) == 3


def test_how_often_it_looks_and_at_what_are_parameters() -> None:
    letters = iter("ABCDABCD")
    agent = question_agent("twice", "two looks", Zoomer(looks=2, rows=2).graph)
    model = Scripted(lambda request: next(letters) if request.about == "look" else "Final Answer: A")
    _, records = play(agent, item_of(Kind.CHOICE), model)
    assert asked_about(records) == ["look", "look", ""]
    assert [len(event.options) for event in events(records, Asked)[:2]] == [5, 5]


# Taking apart


@pytest.mark.parametrize("kind", [*LETTERED, Kind.NUMBER])
def test_a_question_is_taken_apart_by_its_form(kind: Kind) -> None:
    item = item_of(kind)
    count = len(item.options)
    _, records = play("answer_split", item, load_model("oracle"))
    parts = {
        Kind.CHOICE: count,
        Kind.CHOICES: count,
        Kind.JUDGEMENTS: count,
        Kind.ORDER: count * (count - 1) // 2,
        Kind.MATCHING: count * len(item.items),
        Kind.NUMBER: 4,
    }
    assert [event.phase for event in events(records, Asked)] == ["part"] * parts[kind]


class Sure(Scripted):
    """A model that gives probabilities of yes by what is asked about."""

    def __init__(self, chances: dict[str, float], plain: str = "") -> None:
        def script(request: Request) -> Reply:
            if request.kind is not Kind.YES_NO:
                return Reply(plain)
            yes = chances.get(str(request.about), 0.5)
            return Reply("Yes" if yes > 0.5 else "No", yes=yes, no=1 - yes)

        super().__init__(script)


def test_the_most_probable_option_wins_although_several_are_yes() -> None:
    _, records = play("answer_split", item_of(Kind.CHOICE), Sure({"option A": 0.6, "option C": 0.9, "option D": 0.8}))
    assert events(records, Answered)[0].text == "Final Answer: C"


def test_several_letters_are_those_above_one_half_and_at_least_one() -> None:
    several, _ = (
        events(play("answer_split", item_of(Kind.CHOICES), Sure(chances))[1], Answered)[0].value
        for chances in ({"option A": 0.51, "option D": 0.9, "option B": 0.4}, {})
    )
    assert several == ("A", "D")
    chances = {f"option {letter}": 0.1 for letter in "ABCDE"} | {"option B": 0.4}
    assert events(play("answer_split", item_of(Kind.CHOICES), Sure(chances))[1], Answered)[0].value == ("B",)


def test_doubtful_pairs_yield_to_certain_ones() -> None:
    """B before C before A before D is certain but for one doubtful answer that makes a circle of it."""
    order = "BCADE"
    item = item_of(Kind.ORDER)
    letters = "ABCDE"[: len(item.options)]
    chances = {
        f"before {one} {other}": 0.95 if order.index(one) < order.index(other) else 0.05
        for one in letters
        for other in letters
    }
    chances["before B D"] = 0.4
    _, records = play("answer_split", item, Sure(chances))
    assert events(records, Answered)[0].value == tuple(letter for letter in order if letter in letters)


def test_of_equally_probable_options_the_plain_answer_counts() -> None:
    equal = {"option B": 0.7, "option D": 0.7}
    plain = Sure(equal, "Final Answer: D")
    _, records = play("answer_split", item_of(Kind.CHOICE), plain)
    assert events(records, Answered)[0].text == "Final Answer: D"
    _, records = play("answer_split", item_of(Kind.CHOICE), Sure(equal, "Final Answer: A"))
    assert events(records, Answered)[0].text == "Final Answer: B"


def test_what_is_no_count_or_has_several_pictures_is_not_counted_in_parts() -> None:
    for item in (
        item_of(Kind.NUMBER, text="What is the number on the door?"),
        item_of(Kind.NUMBER, pictures=("1", "2")),
    ):
        assert asked_about(play("answer_split", item, load_model("oracle"))[1]) == [""]


def test_who_does_not_know_where_things_are_counts_as_a_whole() -> None:
    result, records = play("answer_split", item_of(Kind.NUMBER, facts=Facts()), load_model("oracle"), reask=0)
    assert result.success
    assert [event.phase for event in events(records, Asked)] == ["part"] * 4 + ["question"]


def test_the_rows_to_count_in_are_a_parameter() -> None:
    agent = question_agent("nine", "nine cells", Splitter(rows=3).graph)
    result, records = play(agent, item_of(Kind.NUMBER), load_model("oracle"))
    assert result.success
    assert len(events(records, Looked)) == 9


# Pointing


def test_what_is_pointed_to_is_numbered_in_a_picture_beside_the_own_one() -> None:
    model = Looking(by_about({"point": "```json\n[[1, 0.2, 0.3], [2, 0.5, 0.5]]\n```"}, "Final Answer: 2"))
    _, records = play("answer_marked", item_of(Kind.NUMBER, pictures=("1", "2", "3")), model)
    assert [event.what for event in events(records, Looked)] == [
        "picture 1 with numbers: 1 0.2 0.3",
        "picture 2 with numbers: 2 0.5 0.5",
    ]
    last = model.asked[-1]
    assert len(last.pictures) == 5
    assert "Picture 5 is picture 2 with pink numbers" in last.text


@pytest.mark.parametrize("said", ["I see none.", "[]", "[[7, 0.5, 0.5]]", "[[1, 40, 60]]"])
def test_without_points_it_goes_on(said: str) -> None:
    _, records = play("answer_marked", item_of(Kind.NUMBER), Scripted(by_about({"point": said}, "4")), reask=0)
    assert asked_about(records) == ["point", ""]
    assert not events(records, Looked)
    assert events(records, Answered)[0].value == 4.0


def test_a_stand_in_that_does_not_know_where_things_are_points_nowhere() -> None:
    result, records = play("answer_marked", item_of(Kind.NUMBER, facts=Facts()), load_model("oracle"), reask=0)
    assert result.success
    assert events(records, Asked)[0].fault


# Checking


def test_what_is_refuted_is_ruled_out_and_at_most_twice() -> None:
    letters = iter("ABC")
    model = Scripted(lambda request: "Yes" if request.kind is Kind.YES_NO else f"Final Answer: {next(letters)}")
    _, records = play("answer_checked", item_of(Kind.CHOICE), model)
    assert asked_about(records) == ["", "refute A", "", "refute B", ""]
    assert "ruled out: A; B." in model.asked[-1].text
    assert events(records, Answered)[0].text == "Final Answer: C"


def test_an_answer_that_stands_or_is_insisted_on_is_final() -> None:
    for refuted, asked in (("No", ["", "refute A"]), ("Yes", ["", "refute A", ""]), ("perhaps", ["", "refute A"])):
        model = Scripted(lambda request, refuted=refuted: refuted if request.about else "Final Answer: A")
        _, records = play("answer_checked", item_of(Kind.CHOICE), model, reask=0)
        assert asked_about(records) == asked
        assert events(records, Answered)[0].text == "Final Answer: A"


def test_a_refuted_answer_is_better_than_none() -> None:
    replies = iter(["Final Answer: A", "Yes", "no idea"])
    _, records = play("answer_checked", item_of(Kind.CHOICE), Scripted(lambda request: next(replies)), reask=0)
    assert events(records, Answered)[0].text == "Final Answer: A"


@pytest.mark.parametrize("kind", FORMS)
def test_the_oracle_refutes_a_wrong_answer_of_every_form_and_no_right_one(kind: Kind) -> None:
    item = item_of(kind)
    question = Question(item.text, (), item.options, item.kind, item.items)
    wrong = {
        Kind.CHOICE: next((option for option in item.options if option != item.answer), ""),
        Kind.NUMBER: 99.0,
        Kind.YES_NO: not item.answer,
        Kind.TEXT: "grey",
        Kind.JUDGEMENTS: ("0",) * len(item.options),
    }
    given = wrong[kind] if kind in wrong else tuple(reversed(item.answer))  # type: ignore[arg-type]
    first = iter([written(given, question)])

    class Corrected(Scripted):
        """Wrong at first, and then an oracle."""

        def for_episode(self, witness: Any) -> Any:
            oracle = load_model("oracle").for_episode(witness)  # type: ignore[attr-defined]
            said = next(first)

            async def ask(request: Request) -> Reply:
                return Reply(said) if request.about is None and not self.asked else await oracle.ask(request)

            async def kept(request: Request) -> Reply:
                reply = await ask(request)
                self.asked.append(request)
                return reply

            self.ask = kept  # type: ignore[method-assign]
            return self

    result, records = play("answer_checked", item, Corrected(always("")))
    assert result.success
    assert [about.partition(" ")[0] for about in asked_about(records)] == ["", "refute", "", "refute"]


def test_the_rounds_are_a_parameter() -> None:
    agent = question_agent("once", "one round", Checker(rounds=1).graph)
    letters = iter("ABC")
    model = Scripted(lambda request: "Yes" if request.kind is Kind.YES_NO else f"Final Answer: {next(letters)}")
    assert asked_about(play(agent, item_of(Kind.CHOICE), model)[1]) == ["", "refute A", ""]


# What models can do


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
