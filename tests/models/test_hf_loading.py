"""Which models of transformers can be loaded, what they are called, and what is said about those that cannot."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest

from evals.viplan.__main__ import main
from models._hf_chat import Chat, find_chat
from models._hf_engine import Engine
from models.base import Message, Reply
from models.hf import HuggingFace, load
from models.registry import load_model
from tests import tiny_vlm
from tests.conftest import ROOT
from tests.tiny_vlm import NEEDS_TORCH, PICTURE, question, together, torch, transformers

pytestmark = [NEEDS_TORCH, pytest.mark.slow]

METHODS = [f"{method}{cot}" for method in ("plan", "action", "ground", "ground_mem") for cot in ("", "_cot")]


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


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    """The model once more, to be tampered with."""
    return Path(shutil.copytree(folder, tmp_path / "elsewhere" / folder.name))


def test_its_identity_is_its_files_and_how_it_is_run(folder: Path, copy: Path) -> None:
    identity = load(str(folder), {}).identity
    assert identity.startswith("hf:tiny-llava@")
    assert str(folder.parent) not in identity
    assert load(f"{copy}/", {"batch": "3", "device": "cpu"}).identity == identity
    assert load(str(copy), {"dtype": "bfloat16"}).identity == identity.replace("float32", "bfloat16")
    assert load(str(copy), {"max_tokens": "3"}).identity == f"{identity}, max_tokens 3"
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1] + b"\x07")
    assert load(str(copy), {}).identity != identity


@pytest.mark.parametrize("kind", [tiny_vlm.smol, tiny_vlm.qwen])
def test_other_kinds_of_models_answer_in_batches_as_alone(kind: Any, tmp_path: Path) -> None:
    try:
        processor = kind(tmp_path)
    except ImportError as error:  # of older versions of transformers
        pytest.skip(f"it cannot be made without torchvision: {error}")
    if processor is None:
        model = load(str(tmp_path), {"device": "cpu"})
    else:
        net = transformers().AutoModelForImageTextToText.from_pretrained(tmp_path, dtype=torch().float32).eval()
        model = HuggingFace(Engine(processor, net, find_chat(processor)), "without videos")
    requests = [question(f"Is the {'red ' * number}block clear?") for number in range(8)]
    among = together(model, requests)
    assert len({reply.text for reply in among}) > 4
    for request, reply in zip(requests, among, strict=True):
        (alone,) = together(model, [request])
        assert reply.text == alone.text
        assert reply.yes == pytest.approx(alone.yes, abs=1e-5)
    asyncio.run(model.close())


def test_half_precision_answers_too(folder: Path) -> None:
    model = load(str(folder), {"device": "cpu", "dtype": "bfloat16"})
    assert model.engine.net.dtype is torch().bfloat16
    (reply,) = together(model, [question("Is it?")])
    assert reply.text
    asyncio.run(model.close())


def test_it_may_be_spread_over_devices(folder: Path) -> None:
    pytest.importorskip("accelerate", reason="device_map needs accelerate: pip install accelerate")
    model = load(str(folder), {"device_map": "cpu"})
    (reply,) = together(model, [question("Is it?")])
    assert reply.text
    asyncio.run(model.close())


def test_what_is_given_for_model_and_processor_reaches_them(folder: Path) -> None:
    model = load(str(folder), {"model": '{"attn_implementation": "eager"}', "processor": '{"padding_side": "left"}'})
    assert model.engine.net.config._attn_implementation == "eager"
    assert model.engine.processor.tokenizer.padding_side == "left"
    assert model.identity.endswith('greedy, model {"attn_implementation": "eager"}, processor {"padding_side": "left"}')


def refused(place: Path | str, **options: str) -> str:
    with pytest.raises(ValueError, match=r"^hf") as error:
        load(str(place), options)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_what_is_no_model_is_refused(tmp_path: Path) -> None:
    assert "no config.json" in refused(tmp_path)
    assert "no config.json" in refused("./nowhere")
    assert "it is no folder here, and the hub does not give it" in refused("nowhere/at/all")
    (tmp_path / "config.json").write_text("{}")
    assert "cannot be loaded" in refused(tmp_path)


def test_a_name_that_the_hub_cannot_be_asked_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    said = refused("nobody/no-such-model")
    assert "`hf download nobody/no-such-model` fetches it ahead" in said


def test_what_was_fetched_before_is_loaded_without_the_hub(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    commit = "0123456789abcdef0123456789abcdef01234567"
    kept = tmp_path / "models--somebody--tiny"
    shutil.copytree(folder, kept / "snapshots" / commit)
    (kept / "refs").mkdir()
    (kept / "refs" / "main").write_text(commit)
    where = json.dumps({"cache_dir": str(tmp_path)})
    model = load("somebody/tiny", {"model": where, "processor": where})
    assert model.identity == f"hf:somebody/tiny@{commit[:12]}, float32, greedy"


@pytest.mark.skipif(find_spec("torchvision") is not None, reason="torchvision is installed")
def test_a_package_that_a_model_needs_is_named(tmp_path: Path) -> None:
    processor = tiny_vlm.qwen(tmp_path)
    processor.tokenizer.save_pretrained(tmp_path)
    looks = {**processor.image_processor.to_dict(), "processor_class": "Qwen2_5_VLProcessor"}
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(looks))
    assert "it needs torchvision: pip install torchvision" in refused(tmp_path)


def test_damaged_weights_are_refused(copy: Path) -> None:
    weights = copy / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:1000])
    assert "cannot be loaded" in refused(copy)


def test_a_device_that_is_not_there_is_refused(folder: Path) -> None:
    assert "cannot be loaded" in refused(folder, device="cuda:99")
    assert "cannot be loaded" in refused(folder, device="abacus")


def test_a_model_without_eyes_is_refused(tmp_path: Path) -> None:
    words = tiny_vlm.tokenizer()
    tiny_vlm.save(
        tmp_path, transformers().LlamaForCausalLM, transformers().LlamaConfig(**tiny_vlm.language(len(words))), words
    )
    assert "use a vision-language model" in refused(tmp_path)


def test_a_model_without_chat_template_is_refused_and_can_be_given_one(copy: Path, folder: Path) -> None:
    template = copy / "chat_template.jinja"
    given = Path(shutil.move(template, copy.parent / "mine.jinja"))
    assert "no chat template; pass one with template=FILE.jinja" in refused(copy)
    (copy.parent / "silent.jinja").write_text("Hello.")
    assert "does not accept a picture and text" in refused(copy, template=str(copy.parent / "silent.jinja"))
    model = load(str(copy), {"template": str(given)})
    assert ", greedy, template " in model.identity
    (reply,) = together(model, [question("Is it?")])
    assert reply.text
    asyncio.run(model.close())


class Templated:
    """A processor of which only the chat template is needed."""

    image_token = "<image>"

    def __init__(self, template: str) -> None:
        self.tokenizer = tiny_vlm.tokenizer()
        self.chat_template = template

    def apply_chat_template(self, chat: Any, **options: Any) -> Any:
        return self.tokenizer.apply_chat_template(chat, chat_template=self.chat_template, **options)


SAID = (Message("system", ("Be brief.",)), Message("user", ("Before", PICTURE, "after", "and last.")))
NO_SYSTEM = "{% if messages[0]['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
STRINGS = "{% for message in messages %}[{{ message['role'] }}] {{ message['content'] }}{% endfor %}"


@pytest.mark.parametrize(
    ("template", "prompt"),
    [
        (
            tiny_vlm.TEMPLATE.replace("IMAGE", "<image>"),
            "<|start|>system\nBe brief.<|end|>\n<|start|>user\nBefore<image>after\n\nand last.<|end|>\n"
            "<|start|>assistant\n",
        ),
        (
            NO_SYSTEM + tiny_vlm.TEMPLATE.replace("IMAGE", "<image>"),
            "<|start|>user\nBe brief.\n\nBefore<image>after\n\nand last.<|end|>\n<|start|>assistant\n",
        ),
        (STRINGS, "[system] Be brief.[user] Before\n<image>\nafter\n\nand last."),
        (NO_SYSTEM + STRINGS, "[user] Be brief.\n\nBefore\n<image>\nafter\n\nand last."),
    ],
)
def test_templates_get_messages_as_they_take_them(template: str, prompt: str) -> None:
    chat: Chat = find_chat(Templated(template))
    assert chat.prompt(SAID) == prompt


@pytest.mark.parametrize("method", METHODS)
def test_every_method_completes(method: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    # It would reason to the end of its budget each time, without saying anything.
    model = f"hf:{folder}?device=cpu&max_tokens=32"
    options = ["--agent", method, "--model", model, "--split", "simple", "--limit", "1", "--json"]
    assert main([*options, "--out", str(tmp_path / "run")]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    assert json.loads(line)["simulated"] is False


def test_the_command_ends_cleanly(folder: Path, tmp_path: Path) -> None:
    command = f"-m evals.viplan --agent ground --split simple --limit 1 --out {tmp_path / 'run'} --model"
    ran = subprocess.run(
        [sys.executable, *command.split(), f"hf:{folder}?device=cpu&batch=8"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr
    traces = "".join(path.read_text() for path in (tmp_path / "run").rglob("*.jsonl"))
    assert traces.count('"asked"') > 20 or traces.count("Asked") > 20


@pytest.fixture
def server(folder: Path, tmp_path: Path) -> Iterator[str]:
    """The address of `transformers serve` with the tiny model."""
    command = Path(sys.executable).with_name("transformers")
    if not all(map(find_spec, ("fastapi", "uvicorn"))) or not command.exists():
        pytest.skip("`transformers serve` is not installed: pip install 'transformers[serving]'")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    words = ["serve", str(folder), "--host", "127.0.0.1", "--port", str(port), "--device", "cpu"]
    quiet = {"OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1"}
    log = tmp_path / "serve.log"
    with log.open("wb") as output:
        serving = subprocess.Popen([command, *words], env={**os.environ, **quiet}, stdout=output, stderr=output)
    try:
        for _ in range(600):
            with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health", timeout=1):
                break
            assert serving.poll() is None, log.read_text()
            time.sleep(0.2)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        serving.terminate()
        serving.wait(30)


def test_the_server_of_transformers_says_the_same(
    server: str, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    spec = f"openai:{folder}@{server}"
    options = ["--agent", "ground", "--split", "simple", "--limit", "1", "--out", str(tmp_path / "run")]
    assert main([*options, "--model", spec]) == 0
    requests = [question(f"Is the {'red ' * number}block clear?") for number in range(4)]
    here = load(str(folder), {"device": "cpu"})

    async def ask_there() -> list[Reply]:
        there = load_model(spec)
        try:
            return [await there.ask(request) for request in requests]
        finally:
            await there.close()  # type: ignore[attr-defined]

    for mine, served in zip(together(here, requests), asyncio.run(ask_there()), strict=True):
        assert served.text == mine.text
        assert served.truncated == mine.truncated
        assert served.usage.prompt_tokens == mine.usage.prompt_tokens
    asyncio.run(here.close())
