"""Models of transformers on the GPUs of a cluster: one actor for each GPU, asked by the gateway."""

from __future__ import annotations

import asyncio
from typing import Any

from evals.run.cluster.loading import load_ray
from models.base import ModelUnavailable, Reply, Request
from models.gateway.wire import SentPicture, error_as_json, read_error, read_reply, read_request, reply_as_json
from models.gateway.wire import request_as_json as as_json
from models.registry import load_model


class Weights:
    """One copy of a model. Ray makes an actor of it, on a GPU if the cluster has one."""

    def __init__(self, spec: str) -> None:
        self._model = load_model(spec)

    def traits(self) -> dict[str, str]:
        """What the model is."""
        return {"identity": self._model.identity}

    async def ask(self, content: Any, pictures: dict[str, bytes]) -> dict[str, Any]:
        """The reply, or an error."""
        try:
            return {"reply": reply_as_json(await self._model.ask(read_request(content, pictures.get)))}
        except Exception as error:
            return error_as_json(error)


class Pool:
    """All copies of a model, as one model: a question goes to the copy with the fewest under way."""

    looks = True
    simulated = False
    cacheable = True

    def __init__(self, spec: str) -> None:
        ray = load_ray()
        self._spec = spec
        self._gpus = int(ray.cluster_resources().get("GPU", 0))
        self._copies = [self._start() for _ in range(max(1, self._gpus))]
        self._under_way = [0] * len(self._copies)
        self.identity = str(ray.get(self._copies[0].traits.remote())["identity"])

    async def ask(self, request: Request) -> Reply:
        """The reply of one copy."""
        self._grow()
        place = min(range(len(self._copies)), key=self._under_way.__getitem__)
        pictures = {part.sha256: part.png() for part in request.pictures if isinstance(part, SentPicture)}
        self._under_way[place] += 1
        try:
            answer = await self._copies[place].ask.remote(as_json(request), pictures)
        except load_ray().exceptions.RayActorError as error:
            self._copies[place] = self._start()
            raise ModelUnavailable(f"{self._spec} broke down on its machine: {type(error).__name__}") from None
        finally:
            self._under_way[place] -= 1
        if "reply" in answer:
            return read_reply(answer["reply"])
        raise read_error(answer)

    async def close(self) -> None:
        """End all copies."""
        for copy in self._copies:
            await asyncio.to_thread(load_ray().kill, copy)

    def _grow(self) -> None:
        """Use GPUs that have joined the cluster."""
        while len(self._copies) < int(load_ray().cluster_resources().get("GPU", 0)):
            self._copies.append(self._start())
            self._under_way.append(0)

    def _start(self) -> Any:
        kind = load_ray().remote(num_cpus=0, num_gpus=min(1, self._gpus), max_concurrency=1000)(Weights)
        return kind.remote(self._spec)
