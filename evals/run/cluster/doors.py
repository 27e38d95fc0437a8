"""The gateway as an actor, and the way to it: the same core as behind HTTP, for the players of a cluster."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from evals.run.cluster.loading import load_ray
from models.base import Model, Reply, Transient
from models.conduct import Terms
from models.gateway.core import Gateway
from models.gateway.opening import HeldCache
from models.gateway.wire import MissingPictures, error_as_json, read_error, read_reply, reply_as_json
from models.registry import load_model

NAMESPACE = "plumbline"
PREFIX = "gateway-"


class GatewayActor:
    """Asks for all players. Ray makes a detached actor of it, on the driver's machine, which outlives the driver.

    If its process is killed, Ray starts it again with the same arguments, and the answers are still in its file.
    """

    def __init__(self, cache: str, terms: Terms, environment: Mapping[str, str], folder: str) -> None:
        os.environ.update(environment)
        if Path(folder).is_dir():
            os.chdir(folder)
        self._gateway = Gateway(lambda: HeldCache.shared(Path(cache)), terms, trusts=True, load=self._load)
        self._cache = cache

    async def join(self, run: str, caps: Mapping[str, Any], spec: str) -> dict[str, Any]:
        """What to know of a model, or why it cannot be asked."""
        try:
            return await self._gateway.join(run, caps, spec)
        except Exception as error:
            return error_as_json(error)

    async def ask(self, spec: str, content: Any) -> dict[str, Any]:
        """The reply, the pictures that are missing, or an error."""
        try:
            return {"reply": reply_as_json(await self._gateway.ask(spec, content))}
        except MissingPictures as missing:
            return {"missing": missing.hashes}
        except Exception as error:
            return error_as_json(error)

    async def keep(self, sha256: str, png: bytes) -> None:
        """Take a picture."""
        self._gateway.keep(sha256, png)

    async def status(self) -> dict[str, Any]:
        """What it has done so far."""
        return {**self._gateway.status(), "cache": self._cache, "host": socket.gethostname()}

    async def leave(self, run: str) -> int:
        """Forget a run; how many are left. Without any, everything is closed."""
        left = self._gateway.leave(run)
        if not left:
            await self._gateway.close()
        return left

    def _load(self, spec: str) -> Model:
        if spec.startswith("hf:"):
            from evals.run.cluster.weights import Pool

            return Pool(spec)
        return load_model(spec)


class ActorDoor:
    """The way to the gateway's actor, by its name: it may be another process after a fault."""

    def __init__(self, name: str) -> None:
        self.name = f"the gateway {name}"
        self._actor_name = name
        self._actor: Any = None

    async def ask(self, spec: str, content: Any) -> Reply:
        """The reply."""
        answer = await self._call("ask", spec, content)
        if "reply" in answer:
            return read_reply(answer["reply"])
        if "missing" in answer:
            raise MissingPictures(answer["missing"])
        raise read_error(answer)

    async def keep(self, sha256: str, png: bytes) -> None:
        """Send a picture."""
        await self._call("keep", sha256, png)

    async def close(self) -> None:
        """Nothing to let go of."""

    async def _call(self, method: str, *arguments: Any) -> Any:
        ray = load_ray()
        try:
            if self._actor is None:
                self._actor = await asyncio.to_thread(ray.get_actor, self._actor_name, NAMESPACE)
            return await getattr(self._actor, method).remote(*arguments)
        except (ray.exceptions.RayActorError, ValueError) as error:
            self._actor = None
            raise Transient(f"{self.name} cannot be reached: {type(error).__name__}", down=True) from None
