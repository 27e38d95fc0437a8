"""Models of transformers, with tiny ones made on disk: real classes, random weights. Torch does the rest."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from models.base import Kind, Message, ModelRefused, ModelUnavailable, Reply, Request
from models.hf import HuggingFace, load
from tests import tiny_vlm
from tests.tiny_vlm import NEEDS_TORCH, PICTURE, Drawn, question, together, torch, transformers

pytestmark = [NEEDS_TORCH, pytest.mark.slow]

QUESTIONS = [f"Is the {'red ' * (number % 5)}block {number} clear?" for number in range(100)]


def one_by_one(model: HuggingFace, requests: Sequence[Request]) -> list[Reply]:
    return [together(model, [request])[0] for request in requests]


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> Iterator[None]:
    """Matrices this small are only slowed down by more."""
    before = torch().get_num_threads()
    torch().set_num_threads(1)
    yield
    torch().set_num_threads(before)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("models") / "tiny-llava"
    tiny_vlm.llava(place)
    return place


@pytest.fixture(scope="module")
def shared_model(folder: Path) -> Iterator[HuggingFace]:
    model = load(str(folder), {"device": "cpu"})
    yield model
    asyncio.run(model.close())


@pytest.fixture
def model(shared_model: HuggingFace) -> HuggingFace:
    return shared_model


@pytest.fixture
def fresh(folder: Path) -> Iterator[HuggingFace]:
    """A model for tests that tamper with it."""
    model = load(str(folder), {"device": "cpu"})
    yield model
    asyncio.run(model.close())


def passes(model: HuggingFace) -> list[tuple[int, int]]:
    """Rows and tokens of every pass through the network from now on."""
    counted: list[tuple[int, int]] = []

    def count(_net: Any, _args: Any, kwargs: Any) -> None:
        counted.append(tuple(kwargs["input_ids"].shape))

    model.engine.net.register_forward_pre_hook(count, with_kwargs=True)
    return counted


def never_ending(model: HuggingFace) -> None:
    """Have it say no end, so that it goes on until its budget is used up."""
    model.engine.net.generation_config.suppress_tokens = [model.engine.processor.tokenizer.eos_token_id]


def test_it_is_loaded_from_disk_and_answers(model: HuggingFace) -> None:
    assert type(model.engine.net) is transformers().LlavaForConditionalGeneration
    assert type(model.engine.processor) is transformers().LlavaProcessor
    assert (model.looks, model.simulated, model.cacheable) == (True, False, True)
    (reply,) = together(model, [question("Is the red block clear?")])
    assert reply.text
    assert reply.usage.prompt_tokens > 16  # a picture of 32 by 32 is 16 patches
    assert 1 <= reply.usage.completion_tokens <= 8
    assert reply.seconds > 0


def test_the_answer_depends_on_question_and_picture(model: HuggingFace) -> None:
    requests = [question(text, picture) for text in QUESTIONS[:3] for picture in (PICTURE, Drawn(2))]
    assert len({reply.text for reply in together(model, requests)}) == 6


def test_a_batch_says_what_each_question_alone_would(model: HuggingFace) -> None:
    requests = [question(text) for text in QUESTIONS[:8]]
    for alone, among in zip(one_by_one(model, requests), together(model, requests), strict=True):
        assert among.text == alone.text
        assert (among.yes, among.no) == pytest.approx((alone.yes, alone.no), abs=1e-5)
        assert among.usage == alone.usage
        assert among.truncated == alone.truncated


def test_a_hundred_questions_about_a_picture_are_a_few_passes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kind, looks = transformers().CLIPImageProcessorPil, []
    look = kind.preprocess

    def counted_look(*args: Any, **kwargs: Any) -> Any:
        looks.append(args)
        return look(*args, **kwargs)

    monkeypatch.setattr(kind, "preprocess", counted_look)
    model, picture = load(str(folder), {"device": "cpu"}), Drawn(3)
    counted = passes(model)
    assert len(together(model, [question(text, picture) for text in QUESTIONS])) == 100
    asyncio.run(model.close())
    over_prompts = [rows for rows, tokens in counted if tokens > 1]
    assert over_prompts == [16, 16, 16, 16, 16, 16, 4]
    assert len(counted) <= 7 * 8
    assert (picture.drawn, len(looks)) == (1, 1)


def test_kinds_budgets_and_pictures_may_be_mixed(model: HuggingFace) -> None:
    pictures = [PICTURE, Drawn(2), Drawn(3, size=64)]
    requests = [
        question(text, picture, kind=kind, max_tokens=budget)
        for text in QUESTIONS[:3]
        for picture in pictures
        for kind, budget in ((Kind.YES_NO, 4), (Kind.PLAN, 12))
    ]
    mixed = [reply.text for reply in together(model, requests)]
    assert mixed == [reply.text for reply in one_by_one(model, requests)]


def test_a_conversation_with_two_pictures_or_none(model: HuggingFace) -> None:
    two = Request((Message("user", (PICTURE, "before", Drawn(2), "after. What changed?")),), max_tokens=4)
    none = Request((Message("user", ("Is it?",)), Message("assistant", ("No",)), Message("user", ("Now?",))))
    replies = together(model, [two, none, two])
    assert replies[0].text == replies[2].text
    assert all((reply.yes, reply.no) == (None, None) for reply in replies)


def test_probabilities_are_of_yes_and_no_as_first_words(model: HuggingFace) -> None:
    tokenizer = model.engine.processor.tokenizer
    words = {token: tokenizer.decode([token]) for token in range(len(tokenizer))}
    saying = {said for said in words.values() if said.strip().lower() in ("yes", "no")}
    assert {"Yes", " Yes", "No", " No"} <= saying
    requests = [question(text) for text in QUESTIONS[:20]]
    for request, reply in zip(requests, together(model, requests), strict=True):
        assert reply.yes is not None
        assert reply.no is not None
        assert 0.0 <= reply.yes <= 1.0
        assert 0.0 <= reply.no <= 1.0
        assert reply.yes + reply.no <= 1.0 + 1e-6
        tensors = model.engine.prepare(request).tensors
        with torch().inference_mode():
            chances = model.engine.net(**tensors).logits[0, -1].softmax(-1)
        yes = sum(float(chances[token]) for token, said in words.items() if said.strip().lower() == "yes")
        assert reply.yes == pytest.approx(yes, abs=1e-5)


def test_a_chain_of_thought_has_no_probabilities(model: HuggingFace) -> None:
    (reply,) = together(model, [question(QUESTIONS[0], cot=True)])
    assert (reply.yes, reply.no) == (None, None)


def test_a_budget_used_up_is_truncated_and_an_end_is_not(model: HuggingFace, folder: Path, tmp_path: Path) -> None:
    (cut,) = together(model, [question(QUESTIONS[0], max_tokens=3)])
    assert (cut.truncated, cut.usage.completion_tokens) == (True, 3)
    curt = load(str(folder), {"device": "cpu", "max_tokens": "2"})
    (cut,) = together(curt, [question(QUESTIONS[0], max_tokens=3)])
    asyncio.run(curt.close())
    assert (cut.truncated, cut.usage.completion_tokens) == (True, 2)
    brief = tmp_path / "brief"
    shutil.copytree(folder, brief)
    config = json.loads((brief / "generation_config.json").read_text())
    # With every token an end, and the tempting ways of sampling that real models come with.
    config |= {"eos_token_id": list(range(512)), "do_sample": True, "temperature": 0.7, "top_p": 0.8, "top_k": 20}
    (brief / "generation_config.json").write_text(json.dumps(config))
    ending = load(str(brief), {"device": "cpu"})
    first, again = together(ending, [question(QUESTIONS[0])] * 2)
    asyncio.run(ending.close())
    assert (first.truncated, first.usage.completion_tokens) == (False, 1)
    assert first.text == again.text


def test_the_loop_is_not_blocked(model: HuggingFace) -> None:
    async def count_while_asking() -> int:
        asking = asyncio.ensure_future(model.ask(question(QUESTIONS[0], kind=Kind.PLAN, max_tokens=100)))
        ticks = 0
        while not asking.done():
            await asyncio.sleep(0.001)
            ticks += 1
        return ticks

    assert asyncio.run(count_while_asking()) > 5


def test_one_who_gives_up_does_not_disturb_the_others(model: HuggingFace) -> None:
    requests = [question(text) for text in QUESTIONS[:8]]
    undisturbed = together(model, requests)

    async def ask_and_cancel(after: float) -> list[Any]:
        tasks = [asyncio.create_task(model.ask(request)) for request in requests]
        await asyncio.sleep(after)
        tasks[3].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    for after in (0.0, 0.02):
        replies = asyncio.run(ask_and_cancel(after))
        del replies[3]
        assert [reply.text for reply in replies] == [reply.text for reply in (*undisturbed[:3], *undisturbed[4:])]


def test_what_nobody_waits_for_is_stopped(fresh: HuggingFace) -> None:
    never_ending(fresh)
    counted = passes(fresh)

    async def give_up() -> None:
        await asyncio.wait_for(fresh.ask(question(QUESTIONS[0], kind=Kind.PLAN, max_tokens=15000)), 0.5)

    with pytest.raises(TimeoutError):
        asyncio.run(give_up())
    together(fresh, [question(QUESTIONS[0])])
    assert len(counted) < 10000


def test_closing_stops_what_is_under_way(fresh: HuggingFace) -> None:
    never_ending(fresh)

    async def close_in_the_middle() -> None:
        asking = asyncio.ensure_future(fresh.ask(question(QUESTIONS[0], kind=Kind.PLAN, max_tokens=15000)))
        await asyncio.sleep(0.2)
        await fresh.close()
        await asking

    for _ in range(2):
        with pytest.raises(ModelUnavailable, match="closed"):
            asyncio.run(close_in_the_middle())


def test_out_of_memory_halves_the_batch_and_is_remembered(
    fresh: HuggingFace, model: HuggingFace, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []
    generate = fresh.engine.net.generate

    def small_memory(**inputs: Any) -> Any:
        tried.append(len(inputs["input_ids"]))
        if tried[-1] > 5:
            raise torch().OutOfMemoryError("CUDA out of memory. Tried to allocate 2 TiB")
        return generate(**inputs)

    monkeypatch.setattr(fresh.engine.net, "generate", small_memory)
    requests = [question(text) for text in QUESTIONS[:40]]
    replies = together(fresh, requests)
    assert [reply.text for reply in replies] == [reply.text for reply in together(model, requests)]
    assert tried == [16, 8, *[4] * 10]


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (RuntimeError("MPS backend out of memory (2 GB)"), "out of memory with a single question"),
        (RuntimeError("shapes\ndo not match"), "the model failed: RuntimeError: shapes do not match"),
    ],
)
def test_what_fails_in_the_model_is_told(
    fresh: HuggingFace, monkeypatch: pytest.MonkeyPatch, error: Exception, message: str
) -> None:
    def broken(**_: Any) -> Any:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(fresh.engine.net, "generate", broken)
        with pytest.raises(ModelUnavailable, match=message):
            together(fresh, [question("Is it?"), question("Is it not?")])
    assert together(fresh, [question("Is it?")])[0].text


def test_a_picture_that_is_none_fails_alone(model: HuggingFace) -> None:
    class Torn(Drawn):
        def png(self) -> bytes:
            return b"torn"

    async def ask() -> list[Any]:
        asked = (question("a"), question("b", Torn(9, size=40)), question("c"))
        return await asyncio.gather(*map(model.ask, asked), return_exceptions=True)

    good, torn, also_good = asyncio.run(ask())
    assert good.text
    assert also_good.text
    assert isinstance(torn, ModelUnavailable)


def test_only_temperature_0(model: HuggingFace) -> None:
    with pytest.raises(ModelRefused, match=r"temperature 0 only, not at 0\.7"):
        together(model, [question("Is it?", temperature=0.7)])
