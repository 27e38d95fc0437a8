"""Runs a loaded transformers model: requests become tensors, batches become replies."""

from __future__ import annotations

import copy
import io
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from PIL import Image

from models._hf_batches import TooLarge
from models._hf_chat import Chat
from models.base import Kind, ModelRefused, ModelUnavailable, Picture, Reply, Request, Usage

_CACHED_PICTURES = 32
"""Preprocessed pictures to keep: a few for each episode that is played at the same time."""
_SAMPLING = ("temperature", "top_p", "top_k", "min_p", "typical_p", "epsilon_cutoff", "eta_cutoff")


@dataclass(frozen=True)
class Prepared:
    """A request as tensors, with the settings that apply to its reply."""

    tensors: dict[str, Any]
    kind: Kind
    cot: bool
    budget: int

    @property
    def length(self) -> int:
        """The number of prompt tokens, pictures included."""
        return int(self.tensors["input_ids"].shape[1])

    def per_token(self, name: str) -> bool:
        """Whether a tensor has an entry for each prompt token and has to be padded like the prompt."""
        return tuple(self.tensors[name].shape[:2]) == (1, self.length)


class Engine:
    """Processor and network, used by one thread. `max_tokens` overrides the budget of the requests."""

    def __init__(self, processor: Any, net: Any, chat: Chat, max_tokens: int | None = None) -> None:
        self.net = net
        self.processor = processor
        self._torch: Any = import_module("torch")
        self._chat = chat
        self._max_tokens = max_tokens
        self._tokenizer = processor.tokenizer
        self._pictures: OrderedDict[str, Image.Image] = OrderedDict()
        # Replace the model's own configuration too: transformers would take its sampling settings from there.
        self._config = net.generation_config = _greedy(net.generation_config, self._tokenizer)
        ends = self._config.eos_token_id
        self._ends = {ends} if isinstance(ends, int) else set(ends or ())
        self._yes, self._no = (_tokens_for(word, self._tokenizer) for word in ("yes", "no"))
        _cache_preprocessing(processor)

    def prepare(self, request: Request) -> Prepared:
        """The request as tensors."""
        if request.temperature:
            raise ModelRefused(f"hf answers at temperature 0 only, not at {request.temperature:g}")
        try:
            prompt = self._chat.prompt(request.messages)
            pictures = [self._picture(picture) for picture in request.pictures]
            start = self._tokenizer.bos_token
            made = self.processor(
                text=[prompt],
                images=[pictures] if pictures else None,
                return_tensors="pt",
                # Add no first token if the template already writes one.
                add_special_tokens=not (start and prompt.startswith(start)),
            )
            tensors = {name: self._torch.as_tensor(value) for name, value in made.items()}
        except Exception as error:
            raise ModelUnavailable(f"the model's processor failed: {in_short(error)}") from error
        return Prepared(tensors, request.kind, request.cot, self._max_tokens or request.max_tokens)

    def batch_key(self, prepared: Prepared) -> Hashable:
        """Kind, budget and picture sizes: equal for all questions about one picture, and often for other pictures."""
        shapes = [
            (name, tuple(prepared.tensors[name].shape)) for name in prepared.tensors if not prepared.per_token(name)
        ]
        return (prepared.kind, prepared.cot, prepared.budget, tuple(shapes))

    def answer(self, batch: Sequence[Prepared], given_up: Callable[[], bool]) -> list[Reply]:
        """The replies to a batch: one forward pass over all prompts, then one per generated token."""
        started = time.perf_counter()
        try:
            with self._torch.inference_mode():
                tokens, first = self._generate(batch, given_up)
                chances = self._chances(first)
        except Exception as error:
            if not self._is_memory(error):
                raise ModelUnavailable(f"the model failed: {in_short(error)}") from error
        else:
            seconds = round(time.perf_counter() - started, 6)
            rows = zip(batch, tokens.tolist(), chances, strict=True)
            return [self._reply(prepared, tokens, chance, seconds) for prepared, tokens, chance in rows]
        # Outside the `except` block, the memory of the failed attempt is released.
        if self._torch.cuda.is_available():
            self._torch.cuda.empty_cache()
        raise TooLarge("out of memory with a single question; use a smaller dtype, smaller pictures or a smaller model")

    def _picture(self, picture: Picture) -> Image.Image:
        """The decoded picture. Equal pictures are the same object, so that the processor's cache recognises them."""
        if picture.sha256 not in self._pictures:
            self._pictures[picture.sha256] = Image.open(io.BytesIO(picture.png())).convert("RGB")
            if len(self._pictures) > _CACHED_PICTURES:
                self._pictures.popitem(last=False)
        self._pictures.move_to_end(picture.sha256)
        return self._pictures[picture.sha256]

    def _generate(self, batch: Sequence[Prepared], given_up: Callable[[], bool]) -> tuple[Any, Any]:
        """The new tokens of every row, and the scores of the first token."""
        inputs = self._collated(batch)
        first: list[Any] = []

        def keep_first(_net: Any, _inputs: Any, output: Any) -> None:
            if not first:
                first.append(output.logits[:, -1].float())

        def stop(tokens: Any, _scores: Any, **_: Any) -> Any:
            return self._torch.full((len(tokens),), given_up(), dtype=self._torch.bool, device=tokens.device)

        config = copy.copy(self._config)
        config.max_new_tokens = batch[0].budget
        handle = self.net.register_forward_hook(keep_first)
        try:
            tokens = self.net.generate(
                **inputs,
                generation_config=config,
                stopping_criteria=import_module("transformers").StoppingCriteriaList([stop]),
            )
        finally:
            handle.remove()
        prompt = inputs["input_ids"]
        echoed = tokens.shape[1] > prompt.shape[1] and bool((tokens[:, : prompt.shape[1]] == prompt).all())
        return tokens[:, prompt.shape[1] :] if echoed else tokens, first[0]

    def _collated(self, batch: Sequence[Prepared]) -> dict[str, Any]:
        """One tensor of each kind for all rows; prompts are padded on the left, so that they end together."""
        longest = max(prepared.length for prepared in batch)
        collated = {}
        for name in batch[0].tensors:
            filler = self._config.pad_token_id if name == "input_ids" else 0
            rows = [
                self._padded(prepared.tensors[name], longest - prepared.length, filler)
                if prepared.per_token(name)
                else prepared.tensors[name]
                for prepared in batch
            ]
            joined = self._torch.cat(rows).to(self.net.device)
            collated[name] = joined.to(self.net.dtype) if joined.is_floating_point() else joined
        return collated

    def _padded(self, tensor: Any, missing: int, filler: int) -> Any:
        return self._torch.nn.functional.pad(tensor, [0, 0] * (tensor.ndim - 2) + [missing, 0], value=filler)

    def _chances(self, first: Any) -> list[tuple[float, float]]:
        """The probabilities that each row starts with yes and with no."""
        chances = first.softmax(dim=-1)
        yes, no = (chances[:, tokens].sum(dim=-1).clamp(0.0, 1.0).tolist() for tokens in (self._yes, self._no))
        return list(zip(yes, no, strict=True))

    def _reply(self, prepared: Prepared, tokens: list[int], chance: tuple[float, float], seconds: float) -> Reply:
        """The reply of a row, up to its end token."""
        end = next((place for place, token in enumerate(tokens) if token in self._ends), None)
        used = tokens if end is None else tokens[: end + 1]
        # The first word of a chain of thought is not an answer.
        yes, no = chance if prepared.kind is Kind.YES_NO and not prepared.cot else (None, None)
        return Reply(
            self._tokenizer.decode(used, skip_special_tokens=True),
            Usage(int(prepared.tensors["attention_mask"].sum()), len(used)),
            yes,
            no,
            truncated=end is None,
            seconds=seconds,
        )

    def _is_memory(self, error: Exception) -> bool:
        words = ("out of memory", "can't allocate memory", "not enough memory")
        return isinstance(error, (MemoryError, self._torch.OutOfMemoryError)) or (
            isinstance(error, RuntimeError) and any(word in str(error) for word in words)
        )


def _greedy(config: Any, tokenizer: Any) -> Any:
    """The model's generation settings, with sampling switched off."""
    config = copy.deepcopy(config)
    for name in _SAMPLING:
        setattr(config, name, None)
    config.do_sample = False
    config.num_beams = 1
    config.max_length = None
    if config.eos_token_id is None:
        config.eos_token_id = tokenizer.eos_token_id
    if config.pad_token_id is None:
        ends = config.eos_token_id
        first_end = ends[0] if isinstance(ends, list) else ends
        config.pad_token_id = first_end if tokenizer.pad_token_id is None else tokenizer.pad_token_id
    return config


def _tokens_for(word: str, tokenizer: Any) -> list[int]:
    """The tokens for a word, with any spacing and capitalisation."""
    near = [number for text, number in tokenizer.get_vocab().items() if word in text.lower() and len(text) < 10]
    return sorted(number for number in near if tokenizer.decode([number]).strip().lower() == word)


def _cache_preprocessing(processor: Any) -> None:
    """Make the image processor cache its results for the last pictures, for further questions about them."""
    original = processor.image_processor.preprocess
    seen: OrderedDict[Hashable, tuple[Any, Any]] = OrderedDict()

    def preprocess(images: Any, *args: Any, **kwargs: Any) -> Any:
        key = (tuple(map(id, _flat(images))), repr((args, kwargs)))
        if key not in seen:
            # The entry keeps the pictures alive, so that no other picture can get the same id.
            seen[key] = images, original(images, *args, **kwargs)
            if len(seen) > _CACHED_PICTURES:
                seen.popitem(last=False)
        return copy.copy(seen[key][1])

    processor.image_processor.preprocess = preprocess


def _flat(images: Any) -> list[Any]:
    return [one for some in images for one in _flat(some)] if isinstance(images, (list, tuple)) else [images]


def in_short(error: Exception) -> str:
    """An error on one line."""
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
