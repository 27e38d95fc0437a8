"""Connect to a Ray cluster, or start one on this machine, and find or start the gateway of a run.

Nothing is left behind: a cluster that was started here ends with this process, even if it is killed. In a cluster that
was there before, the gateway is detached. It outlives a driver that is killed, so that a resumed one goes on with it.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from evals.guard import ROOT
from evals.run.cluster.doors import NAMESPACE, PREFIX, GatewayActor
from evals.run.cluster.loading import load_ray, on_node
from evals.run.cluster.orders import Order, working_folder
from evals.run.cluster.player import Player
from evals.run.settings import Running, Settings
from models.base import Model, RunMustStop
from models.budget import Budget
from models.conduct import Terms
from models.gateway.caps import Caps
from models.gateway.remote import Remote, RemoteModel
from models.gateway.wire import read_error
from models.registry import goes_over_network

CONNECT_SECONDS = 120.0
"""How long the gateway may take to start and to load a model."""
KEYS = ("OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_")
"""The environment variables that the gateway gets: keys and addresses of providers."""


@dataclass
class Cluster:
    """A cluster with the gateway of one run. `remote` has what is known of the models that the gateway asks."""

    running: Running
    run: str
    gateway: Any
    gateway_name: str
    caps: Caps
    shown: Terms
    remote: dict[str, Mapping[str, Any]] = field(default_factory=dict)
    order: Order | None = None

    def route(self, terms: Terms) -> Callable[[str], Model | None]:
        """For a spec, the model behind the gateway; None for one that answers where the episode is played."""
        from evals.run.cluster.doors import ActorDoor

        ray = load_ray()

        def model(spec: str) -> Model | None:
            if not goes_over_network(spec) and not spec.startswith(("hf:", "serve:")):
                return None
            asked = self.gateway.join.remote(self.run, self.caps.as_json(), spec)
            try:
                traits = ray.get(asked, timeout=None if spec.startswith(("hf:", "serve:")) else CONNECT_SECONDS)
            except ray.exceptions.RayError as error:
                raise ValueError(f"--engine ray: the gateway does not start: {_reason(error)}") from None
            if "error" in traits:
                raise ValueError(str(read_error(traits)))
            self.remote[spec] = traits
            return RemoteModel(Remote(spec, traits, [ActorDoor(self.gateway_name)]), terms)

        return model

    def order_of(self, benchmark: str, settings: Settings) -> Order:
        """What players get, once it is known which models the gateway asks."""
        running = self.running.model_dump(mode="json", exclude={"out", "resume", "json_"})
        return Order(
            benchmark, settings.model_dump(mode="json"), running, self.remote, self.gateway_name, working_folder()
        )

    def nodes(self) -> dict[str, int]:
        """The machines of the cluster that are alive, with their processors."""
        ray = load_ray()
        return {
            node["NodeID"]: max(1, int(node["Resources"].get("CPU", 0)))
            for node in ray.nodes()
            if node["Alive"] and node["Resources"].get("CPU", 0) >= 1
        }

    def places(self, nodes: Mapping[str, int], seated: Mapping[str, int]) -> list[str]:
        """Where to start players: one for each processor, or `--players` in all, spread over the machines."""
        most = self.running.players or sum(nodes.values())
        count, taken, found = sum(seated.values()), dict(seated), list[str]()
        while count < most:
            free = [node for node, room in nodes.items() if taken.get(node, 0) < room]
            if not free:
                break
            node = min(free, key=lambda node: taken.get(node, 0) / nodes[node])
            taken[node] = taken.get(node, 0) + 1
            found.append(node)
            count += 1
        return found

    def start_player(self, node: str) -> Any:
        """A player on this machine."""
        kind = load_ray().remote(
            num_cpus=1,
            max_restarts=0,
            max_task_retries=0,
            max_concurrency=1000,
            scheduling_strategy=on_node(node),
        )(Player)
        return kind.remote(self.order)

    def end_player(self, player: Any) -> None:
        """End a player, if it is still there."""
        with suppress(Exception):
            load_ray().kill(player)

    async def gateway_status(self) -> dict[str, Any] | None:
        """What the gateway has done; None while it is away."""
        try:
            async with asyncio.timeout(5.0):
                found: dict[str, Any] = await self.gateway.status.remote()
                return found
        except Exception:
            return None

    def is_loss(self, error: Exception) -> bool:
        """Whether an error says that a player is gone, and not that it failed."""
        exceptions = load_ray().exceptions
        return isinstance(
            error,
            exceptions.RayActorError
            | exceptions.ObjectLostError
            | exceptions.NodeDiedError
            | exceptions.ActorUnschedulableError
            | exceptions.WorkerCrashedError
            | exceptions.RpcError,
        )

    def broken(self, error: Exception) -> Exception:
        """What stops a run whose players cannot load it."""
        return RunMustStop(f"a player cannot load the run: {_reason(error)} (machines need the same checkout and data)")

    def leave(self) -> None:
        """End the gateway, unless other runs use it."""
        ray = load_ray()
        with suppress(Exception):
            # A run that was refused leaves alone what an earlier driver of it has joined.
            if not ray.get(self.gateway.leave.remote(self.run if self.remote else ""), timeout=20.0):
                ray.kill(self.gateway)


def _reason(error: Exception) -> str:
    """The last line of an error of Ray, which ends with what was raised."""
    return (str(error).strip().splitlines() or [type(error).__name__])[-1][:300]


@contextmanager
def connected(running: Running, folder: Path, terms: Terms) -> Iterator[Cluster]:
    """A cluster for a run in this folder, and its gateway; `ValueError` says why there is none."""
    if _address(running) is None:
        # A token of its own, which is never written: otherwise every process here could run code in the cluster.
        # Ray reads it when it is imported.
        os.environ["RAY_AUTH_MODE"], os.environ["RAY_AUTH_TOKEN"] = "token", secrets.token_hex(32)
    ray = load_ray()
    _connect(ray, _address(running), running.players)
    try:
        cache = (running.cache or folder / "answers.sqlite").resolve()
        name = f"{PREFIX}{hashlib.sha256(str(cache).encode()).hexdigest()[:12]}"
        gateway = _gateway(ray, name, cache, terms)
        # The caps hold in the gateway; here the cost is only shown.
        shown = replace(terms, budget=Budget())
        cluster = Cluster(running, str(folder.resolve()), gateway, name, Caps.of(terms), shown)
        shown.route = cluster.route(shown)
        try:
            yield cluster
        finally:
            cluster.leave()
    finally:
        ray.shutdown()


def _address(running: Running) -> str | None:
    """The cluster to play on; None for one of our own."""
    return running.ray_address or os.environ.get("RAY_ADDRESS")


@contextmanager
def attached(address: str) -> Iterator[Any]:
    """Ray, connected to a cluster that is there; `ValueError` says why not."""
    ray = load_ray()
    _connect(ray, address, None)
    try:
        yield ray
    finally:
        ray.shutdown()


def _connect(ray: Any, address: str | None, players: int | None) -> None:
    common: dict[str, Any] = {
        "namespace": NAMESPACE,
        "logging_level": logging.ERROR,
        "log_to_driver": False,
        "configure_logging": False,
        "runtime_env": {"env_vars": {"PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])}},
    }
    if address is not None and address.startswith("ray://"):
        raise ValueError(
            "--ray-address: the driver writes the run, so it runs on a machine of the cluster: use HOST:PORT or auto, "
            "not ray://"
        )
    if ray.is_initialized():
        raise ValueError("--engine ray: this process is connected to a cluster already")
    try:
        if address is None:
            room = players or os.cpu_count()
            ray.init(address="local", num_cpus=room, include_dashboard=False, _node_ip_address="127.0.0.1", **common)
        else:
            ray.init(address=address, **common)
    except Exception as error:  # Ray raises plain exceptions, too
        reason = str(error).strip().splitlines() or [type(error).__name__]
        where = f"no cluster at {address}" if address else "no cluster could be started here"
        raise ValueError(f"--ray-address: {where}: {reason[0][:200]}") from None


def _gateway(ray: Any, name: str, cache: Path, terms: Terms) -> Any:
    """The run's gateway, on this machine because the file of answers is here."""
    here = on_node(ray.get_runtime_context().get_node_id())
    kind = ray.remote(num_cpus=0, max_restarts=-1, max_task_retries=0, max_concurrency=100_000)(GatewayActor)
    environment = {key: value for key, value in os.environ.items() if key.startswith(KEYS) or key.endswith("_KEY")}
    own = replace(terms, notify=_said, route=None)
    options = kind.options(
        name=name, namespace=NAMESPACE, lifetime="detached", get_if_exists=True, scheduling_strategy=here
    )
    return options.remote(str(cache), own, environment, working_folder())


def _said(text: str) -> None:
    """Notices of the gateway go into its log, and to the driver with its status."""
    print(text, file=sys.stderr, flush=True)
