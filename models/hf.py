"""A model of transformers on this machine: a folder on disk, or a name on the hub.

hf:Qwen/Qwen2.5-VL-7B-Instruct               on the GPU in bfloat16 if there is one, else on the CPU in float32
hf:./my-model?device=cuda:1&dtype=float16    where and how
hf:NAME?batch=4                              at most four questions at once (out of memory halves it by itself)
hf:NAME?max_tokens=256                       another budget for each reply
hf:NAME?device_map=auto                      spread over several GPUs (needs accelerate)
hf:NAME?model={"attn_implementation":"sdpa"}&processor={"max_pixels":401408}   for the two `from_pretrained`

Questions that are under way at the same time are answered in batches. torch and transformers are imported when a model
is loaded, not before.
"""

from __future__ import annotations

import asyncio

from models._hf_batches import Batches
from models._hf_engine import Engine, Prepared
from models._hf_loading import load_engine, read_options
from models.base import Options, Reply, Request

ASKS_TRUST = True
"""A name is fetched from the hub, and weights are more than data to those who read them."""
USAGE = "hf:FOLDER_OR_NAME[?device=D&dtype=T&batch=N&…]   runs a vision-language model of transformers (docs/models.md)"


class HuggingFace:
    """Answers from weights in this process, greedily, with the probabilities of yes and no as the first word."""

    looks = True
    simulated = False
    cacheable = True

    def __init__(self, engine: Engine, identity: str, batch: int = 16) -> None:
        self.engine = engine
        self.identity = identity
        self._batches: Batches[Request, Prepared, Reply] = Batches(engine, batch)

    async def ask(self, request: Request) -> Reply:
        """The reply, worked out together with those of other questions under way."""
        return await asyncio.wrap_future(self._batches.ask(request))

    async def close(self) -> None:
        """Stop generating and end the thread that does it."""
        await asyncio.to_thread(self._batches.close)


def load(rest: str, options: Options) -> HuggingFace:
    """The model for what stands behind `hf:`, in memory and ready."""
    wanted = read_options(rest, options)
    engine, identity = load_engine(wanted)
    return HuggingFace(engine, identity, wanted.batch)
