"""A transformers model on this machine, from a local folder or by its name on the hub.

hf:Qwen/Qwen2.5-VL-7B-Instruct               on the GPU in bfloat16 if there is one, else on the CPU in float32
hf:./my-model?device=cuda:1&dtype=float16    where and how
hf:NAME?batch=4                              at most four questions at once (out of memory halves it by itself)
hf:NAME?max_tokens=256                       another budget for each reply
hf:NAME?device_map=auto                      spread over several GPUs (needs accelerate)
hf:NAME?model={"attn_implementation":"sdpa"}&processor={"max_pixels":401408}   for the two `from_pretrained`

Questions that are asked at the same time are answered in batches. torch and transformers are imported when a model
is loaded, not before.
"""

from __future__ import annotations

import asyncio

from models._hf_batches import Batches
from models._hf_engine import Engine, Prepared
from models._hf_loading import load_engine, read_options
from models.base import Options, Reply, Request

ASKS_TRUST = True
"""A name is downloaded from the hub, and weight files may contain code."""
USAGE = "hf:FOLDER_OR_NAME[?device=D&dtype=T&batch=N&…]   runs a vision-language model of transformers (docs/models.md)"


class HuggingFace:
    """Generates replies greedily in this process, with the probabilities of yes and no as the first word."""

    looks = True
    simulated = False
    cacheable = True

    def __init__(self, engine: Engine, identity: str, batch: int = 16) -> None:
        self.engine = engine
        self.identity = identity
        self._batches: Batches[Request, Prepared, Reply] = Batches(engine, batch)

    async def ask(self, request: Request) -> Reply:
        """The reply, computed in one batch with other pending questions."""
        return await asyncio.wrap_future(self._batches.ask(request))

    async def close(self) -> None:
        """Stop generating and end the thread that does it."""
        await asyncio.to_thread(self._batches.close)


def load(rest: str, options: Options) -> HuggingFace:
    """Load the model of a spec that starts with `hf:`."""
    wanted = read_options(rest, options)
    engine, identity = load_engine(wanted)
    return HuggingFace(engine, identity, wanted.batch)
