"""What of `hf` needs no torch: how questions are put together, what its options mean, and that nothing is imported."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence

import pytest

from models._hf_batches import Batches, TooLarge
from models._hf_loading import read_options
from models.base import ModelUnavailable
from models.hf import load
from tests.conftest import ROOT


class Echo:
    """Answers with the question in capitals; questions with the same first letter go together."""

    def __init__(self, fits: int = 100) -> None:
        self.fits = fits
        self.batches: list[list[str]] = []
        self.started = threading.Event()
        self.go_on = threading.Event()
        self.go_on.set()

    def prepare(self, asked: str) -> str:
        if asked == "bad":
            raise ValueError("bad")
        return asked

    def batch_key(self, ready: str) -> str:
        return ready[0]

    def answer(self, batch: Sequence[str], given_up: Callable[[], bool]) -> list[str]:
        self.batches.append(list(batch))
        self.started.set()
        while not self.go_on.wait(0.01):
            if given_up():
                break
        if len(batch) > self.fits:
            raise TooLarge("too large")
        if "boom" in batch:
            raise RuntimeError("boom")
        return [question.upper() for question in batch]


def ask_all(batches: Batches[str, str, str], questions: Sequence[str]) -> list[str | BaseException]:
    async def together() -> list[str | BaseException]:
        futures = [asyncio.wrap_future(batches.ask(question)) for question in questions]
        return await asyncio.gather(*futures, return_exceptions=True)

    return asyncio.run(asyncio.wait_for(together(), 30))


def test_questions_of_a_kind_go_together_and_each_gets_its_own_answer() -> None:
    echo = Echo()
    batches = Batches(echo, 4, wait=0.5)
    questions = [f"{kind}{number}" for number in range(6) for kind in "ab"]
    assert ask_all(batches, questions) == [question.upper() for question in questions]
    assert all(len({question[0] for question in batch}) == 1 for batch in echo.batches)
    assert len(echo.batches) == 4
    batches.close()


def test_a_batch_that_is_too_large_is_halved_once_and_for_all() -> None:
    echo = Echo(fits=3)
    batches = Batches(echo, 16, wait=0.5)
    questions = [f"a{number}" for number in range(40)]
    assert ask_all(batches, questions) == [question.upper() for question in questions]
    assert [len(batch) for batch in echo.batches] == [16, 8, 4, *[2] * 20]
    batches.close()


def test_one_question_that_is_too_large_fails_alone() -> None:
    batches = Batches(Echo(fits=0), 4)
    answers = ask_all(batches, ["a", "a"])
    assert [str(answer) for answer in answers] == ["too large"] * 2
    assert all(isinstance(answer, ModelUnavailable) for answer in answers)
    batches.close()


def test_a_question_that_cannot_be_prepared_fails_alone() -> None:
    batches = Batches(Echo(), 4)
    answers = ask_all(batches, ["b1", "bad", "b2"])
    assert [str(answer) for answer in answers] == ["B1", "bad", "B2"]
    batches.close()


def test_a_batch_that_fails_does_not_end_the_work() -> None:
    batches = Batches(Echo(), 4, wait=0.5)
    assert [type(answer) for answer in ask_all(batches, ["b1", "boom"])] == [RuntimeError] * 2
    assert ask_all(batches, ["b1"]) == ["B1"]
    batches.close()


def test_who_gives_up_is_left_out_and_the_others_are_answered() -> None:
    echo = Echo()
    batches = Batches(echo, 4, wait=0.5)

    async def one_gives_up() -> list[str]:
        futures = [asyncio.wrap_future(batches.ask(f"a{number}")) for number in range(3)]
        futures[1].cancel()
        return await asyncio.gather(futures[0], futures[2])

    assert asyncio.run(one_gives_up()) == ["A0", "A2"]
    assert echo.batches == [["a0", "a2"]]
    batches.close()


def test_giving_up_in_the_middle_of_a_batch_leaves_the_others_alone() -> None:
    echo = Echo()
    echo.go_on.clear()
    batches = Batches(echo, 4)

    async def one_gives_up() -> list[str]:
        futures = [asyncio.wrap_future(batches.ask(f"a{number}")) for number in range(3)]
        await asyncio.to_thread(echo.started.wait)
        futures[1].cancel()
        await asyncio.sleep(0.03)
        echo.go_on.set()
        return await asyncio.gather(futures[0], futures[2])

    assert asyncio.run(one_gives_up()) == ["A0", "A2"]
    batches.close()


def test_work_that_nobody_waits_for_is_stopped() -> None:
    echo = Echo()
    echo.go_on.clear()
    batches = Batches(echo, 4)

    async def never_answered() -> str:
        return await asyncio.wait_for(asyncio.wrap_future(batches.ask("a")), 0.1)

    with pytest.raises(TimeoutError):
        asyncio.run(never_answered())
    assert not echo.go_on.is_set()
    later = batches.ask("b")
    while len(echo.batches) < 2:
        time.sleep(0.001)
    echo.go_on.set()
    assert later.result(timeout=10) == "B"
    batches.close()


def test_closing_ends_the_thread_and_fails_what_waits() -> None:
    echo = Echo()
    echo.go_on.clear()
    batches = Batches(echo, 1)
    futures = [batches.ask("a"), batches.ask("a"), batches.ask("b")]
    echo.started.wait()
    threads = {thread for thread in threading.enumerate() if thread.name == "hf"}
    batches.close()
    assert len(threads - set(threading.enumerate())) == 1
    for future in (*futures, batches.ask("a")):
        with pytest.raises(ModelUnavailable, match="closed"):
            future.result(timeout=10)
    batches.close()


@pytest.mark.parametrize(
    ("rest", "options", "message"),
    [
        ("", {}, "hf needs a model"),
        ("x", {"batch": "0"}, "batch is a positive whole number, not '0'"),
        ("x", {"max_tokens": "many"}, "max_tokens is a positive whole number, not 'many'"),
        ("x", {"batch": "many"}, "not 'many'"),
        ("x", {"dtype": "float23"}, "no dtype 'float23'. Did you mean 'float32'"),
        ("x", {"devise": "cpu"}, "no option of hf 'devise'. Did you mean 'device'"),
        ("x", {"device": "cpu", "device_map": "auto"}, "not both"),
        ("x", {"model": "[1]"}, "model is a JSON object"),
        ("x", {"processor": "{"}, "processor is a JSON object"),
        ("x", {"model": '{"token": "secret"}'}, "set HF_TOKEN instead"),
        ("x", {"template": "nowhere.jinja"}, "the template 'nowhere.jinja' cannot be read"),
        ("x", {"trust_remote_code": "perhaps"}, "true or false"),
    ],
)
def test_options_that_cannot_be_used_are_named(rest: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message.replace("[", r"\[")):
        load(rest, options)


def test_what_decides_replies_is_told_and_what_does_not_is_not() -> None:
    wanted = read_options("x", {"model": '{"cache_dir": "/data", "attn_implementation": "sdpa"}', "device": "cpu"})
    assert wanted.about_generation == 'greedy, model {"attn_implementation": "sdpa"}'


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(ValueError, match=r"pip install -e '\.\[hf\]'"):
        load("x", {})


def test_torch_is_imported_only_with_a_model() -> None:
    program = (
        "import sys; from models.registry import providers; assert 'hf' in providers(); "
        "assert not {'torch', 'transformers'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=True, timeout=60)
