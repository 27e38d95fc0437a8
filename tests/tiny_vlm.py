"""Tiny vision-language models made on disk: the real classes of transformers, a few thousand random weights.

They know nothing and say nonsense, but everything around them is what a real model has: a tokenizer, a chat template,
an image processor, weights in safetensors. Made in a second, loaded with the Auto classes like any other.
"""

from __future__ import annotations

import asyncio
import hashlib
import io
import os
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from models.base import Kind, Message, Model, Reply, Request

WORDS = (
    "Is the red block on top of the blue block? Yes or No. Is the block clear, in a column? Answer Yes or No.",
    "You look at one picture and answer one question about it. Reply with the single word Yes or No.",
    '{"plan": [{"action": "moveblock", "parameters": {"block": "red", "column": "c2"}}]} <answer>No</answer>',
)
TEMPLATE = """\
{% for message in messages %}{{ '<|start|>' + message['role'] + '\n' }}{% for part in message['content'] %}\
{% if part['type'] == 'image' %}IMAGE{% else %}{{ part['text'] }}{% endif %}{% endfor %}{{ '<|end|>\n' }}\
{% endfor %}{% if add_generation_prompt %}{{ '<|start|>assistant\n' }}{% endif %}"""


NEEDS_TORCH = pytest.mark.skipif(
    not (os.environ.get("CI") or (find_spec("torch") and find_spec("transformers"))),
    reason="the extra is not installed: pip install -e '.[hf]'",
)
"""Where it is missing these tests are skipped, but not by CI: there they fail."""


def torch() -> Any:
    """Torch, imported by whoever is first to use it."""
    return import_module("torch")


def transformers() -> Any:
    """The library of models, likewise."""
    return import_module("transformers")


def tokenizer(*special: str) -> Any:
    """A byte-level tokenizer trained on a few sentences: any text goes in, and Yes and No are words of it."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    inner = Tokenizer(models.BPE())
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    named = ["<|pad|>", "<|end|>", "<|start|>", *special]
    trainer = trainers.BpeTrainer(
        vocab_size=512,
        special_tokens=named,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    inner.train_from_iterator([*WORDS] * 4, trainer)
    return PreTrainedTokenizerFast(
        tokenizer_object=inner, pad_token="<|pad|>", eos_token="<|end|>", extra_special_tokens=named[2:]
    )


def language(vocabulary: int) -> dict[str, Any]:
    """What the language half of every tiny model is like."""
    return {
        "hidden_size": 64,
        "intermediate_size": 96,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "vocab_size": vocabulary,
        "max_position_embeddings": 16384,
        "pad_token_id": 0,
        "eos_token_id": 1,
        "bos_token_id": None,
        # Large enough for what is said to depend on what was asked.
        "initializer_range": 0.4,
    }


def llava(folder: Path) -> None:
    """A Llava: one square of patches per picture."""
    from transformers import (
        CLIPImageProcessorPil,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )

    words = tokenizer("<image>")
    eyes = CLIPVisionConfig(
        hidden_size=64,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        image_size=32,
        patch_size=8,
        projection_dim=64,
    )
    config = LlavaConfig(
        vision_config=eyes,
        text_config=LlamaConfig(**language(len(words))),
        image_token_index=words.convert_tokens_to_ids("<image>"),
    )
    looks = CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    processor = LlavaProcessor(
        looks,
        words,
        patch_size=8,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=TEMPLATE.replace("IMAGE", "<image>"),
    )
    save(folder, LlavaForConditionalGeneration, config, processor)


def save(folder: Path, kind: Callable[[Any], Any], config: Any, processor: Any = None) -> None:
    """Random weights that are the same every time, and all that belongs to them."""
    import torch

    config.pad_token_id, config.eos_token_id = 0, 1
    with torch.random.fork_rng():
        torch.manual_seed(7)
        kind(config).save_pretrained(folder)
    if processor is not None:
        processor.save_pretrained(folder)


def qwen(folder: Path) -> Any:
    """A Qwen2.5-VL: as many patches as the picture is large, positions in three dimensions.

    Only the weights are in the folder. The processor is given back: its half for videos needs torchvision.
    """
    from transformers import (
        Qwen2_5_VLConfig,
        Qwen2_5_VLForConditionalGeneration,
        Qwen2_5_VLProcessor,
        Qwen2VLImageProcessorPil,
    )

    named = ("<|vision_start|>", "<|vision_end|>", "<|image_pad|>", "<|video_pad|>")
    words = tokenizer(*named)
    start, end, image, video = words.convert_tokens_to_ids(list(named))
    config = Qwen2_5_VLConfig(
        text_config={
            **language(len(words)),
            "rope_parameters": {"rope_type": "default", "rope_theta": 10000.0, "mrope_section": [2, 3, 3]},
        },
        vision_config={
            "depth": 2,
            "hidden_size": 64,
            "intermediate_size": 96,
            "num_heads": 4,
            "out_hidden_size": 64,
            "fullatt_block_indexes": [1],
        },
        image_token_id=image,
        video_token_id=video,
        vision_start_token_id=start,
        vision_end_token_id=end,
    )
    looks = Qwen2VLImageProcessorPil(size={"shortest_edge": 56 * 56, "longest_edge": 112 * 112})

    class WithoutVideos(Qwen2_5_VLProcessor):
        def check_argument_for_proper_class(self, argument_name: str, argument: Any) -> Any:
            return None if argument is None else super().check_argument_for_proper_class(argument_name, argument)

    template = TEMPLATE.replace("IMAGE", "".join((named[0], named[2], named[1])))
    save(folder, Qwen2_5_VLForConditionalGeneration, config)
    return WithoutVideos(looks, words, chat_template=template)


def smol(folder: Path) -> None:
    """A SmolVLM: the picture and tiles of it, each with a frame of its own."""
    from transformers import (
        Idefics3Config,
        Idefics3ForConditionalGeneration,
        Idefics3ImageProcessorPil,
        Idefics3Processor,
    )

    named = ("<image>", "<fake_token_around_image>", "<global-img>", "<end_of_utterance>")
    words = tokenizer(*named)
    config = Idefics3Config(
        text_config={"model_type": "llama", **language(len(words))},
        vision_config={
            "hidden_size": 64,
            "intermediate_size": 96,
            "num_hidden_layers": 2,
            "num_attention_heads": 4,
            "image_size": 32,
            "patch_size": 8,
        },
        image_token_id=words.convert_tokens_to_ids("<image>"),
        scale_factor=2,
    )
    looks = Idefics3ImageProcessorPil(size={"longest_edge": 64}, max_image_size={"longest_edge": 32})
    processor = Idefics3Processor(looks, words, image_seq_len=4, chat_template=TEMPLATE.replace("IMAGE", "<image>"))
    save(folder, Idefics3ForConditionalGeneration, config, processor)


class Drawn:
    """A picture of coloured stripes that counts how often it is drawn."""

    def __init__(self, seed: int, size: int = 96) -> None:
        stripes = Image.linear_gradient("L").resize((size, size)).rotate(37 * seed)
        buffer = io.BytesIO()
        Image.merge("RGB", (stripes, stripes.rotate(90), stripes.rotate(180))).save(buffer, "PNG")
        self._png = buffer.getvalue()
        self.key = self.sha256 = hashlib.sha256(self._png).hexdigest()
        self.drawn = 0

    def png(self) -> bytes:
        self.drawn += 1
        return self._png


PICTURE = Drawn(1)


def question(text: str, picture: Any = PICTURE, **changes: Any) -> Request:
    told = (Message("system", ("Reply Yes or No.",)), Message("user", ("There are blocks.", picture, text)))
    return Request(told, **{"kind": Kind.YES_NO, "max_tokens": 8, **changes})


def together(model: Model, requests: Sequence[Request]) -> list[Reply]:
    async def ask() -> list[Reply]:
        return await asyncio.gather(*(model.ask(request) for request in requests))

    return asyncio.run(ask())
