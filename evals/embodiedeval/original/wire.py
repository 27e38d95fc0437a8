"""The protocol between the original's Python side and its game: gRPC, with the game as the client.

The Python side listens. The game sends an observation and gets an action back, again and again. This module has both
ends: `Listener` is the Python side, `connect` the game's. Needs the extra `game`.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

from envs.base import WorldUnavailable

METHOD = "/communicator.Communicator/GetAction"
MISSING = "the original's game speaks gRPC, which is not installed: pip install -e '.[game]'"
LARGEST = 64 * 2**20
"""The most bytes of a message: a clip of a few seconds has a few megabytes."""
_OBSERVATION = (
    ("type", "string", False),
    ("image", "bytes", False),
    ("text", "string", False),
    ("game_states", "string", False),
    ("float_observations", "float", True),
    ("int_observations", "int32", True),
    ("api_returns", "string", False),
)
_ACTION = (
    ("type", "string", False),
    ("text", "string", False),
    ("json_actions", "string", False),
    ("float_actions", "float", True),
    ("int_actions", "int32", True),
    ("api_calls", "string", False),
)


@cache
def messages() -> tuple[type[Any], type[Any]]:
    """The classes of observations and actions."""
    try:
        from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
    except ImportError:
        raise ImportError(MISSING) from None
    file = descriptor_pb2.FileDescriptorProto(
        name="plumbline/communicator.proto", package="communicator", syntax="proto3"
    )
    kinds = descriptor_pb2.FieldDescriptorProto
    for name, fields in (("ObservationProto", _OBSERVATION), ("ActionProto", _ACTION)):
        message = file.message_type.add(name=name)
        for number, (field, kind, repeated) in enumerate(fields, 1):
            label = kinds.LABEL_REPEATED if repeated else kinds.LABEL_OPTIONAL
            message.field.add(name=field, number=number, label=label, type=getattr(kinds, f"TYPE_{kind.upper()}"))
    # A separate pool, because the original's client library registers the same names if it is loaded, too.
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    found = message_factory.GetMessages([file], pool=pool)
    return found["communicator.ObservationProto"], found["communicator.ActionProto"]


class Listener:
    """The Python side: waits for the game on a port, and exchanges actions for observations."""

    def __init__(self, port: int, *, seconds: float = 600.0, host: str = "127.0.0.1") -> None:
        try:
            import grpc
        except ImportError:
            raise ImportError(MISSING) from None
        observation, action = messages()
        self._seen: queue.Queue[Any] = queue.Queue()
        self._todo: queue.Queue[Any] = queue.Queue()
        self._seconds, self._closed = seconds, threading.Event()
        self.lost = False
        """Whether an answer did not come in time: later ones would be taken for answers to other actions."""
        handler = grpc.unary_unary_rpc_method_handler(
            self._serve, request_deserializer=observation.FromString, response_serializer=action.SerializeToString
        )
        service, _, method = METHOD[1:].partition("/")
        self._server = grpc.server(
            ThreadPoolExecutor(max_workers=2),
            options=(("grpc.so_reuseport", 0), ("grpc.max_receive_message_length", LARGEST)),
        )
        self._server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(service, {method: handler}),))
        try:
            self.port = self._server.add_insecure_port(f"{host}:{port}")
        except RuntimeError:
            raise WorldUnavailable(f"port {port} is taken: another program listens there") from None
        self._server.start()

    def _serve(self, observation: Any, context: Any) -> Any:
        """One call of the game: its observation, and the action that follows."""
        self._seen.put(observation)
        while context.is_active() and not self._closed.is_set():
            try:
                return self._todo.get(timeout=0.05)
            except queue.Empty:
                continue
        return messages()[1](type="CLOSE")

    def first(self, seconds: float | None = None) -> Any:
        """The first observation of the game; `WorldUnavailable` if it does not connect in time."""
        return self._next(seconds or self._seconds, "the game did not connect to port {port} within {seconds:g} s")

    def exchange(self, action: Any, seconds: float | None = None) -> Any:
        """Send an action; the observation after it. `WorldUnavailable` if the game is silent for too long.

        A game that was silent once cannot be asked again: its late answer would pass for the next one.
        """
        if self.lost:
            raise WorldUnavailable("the connection to the game was lost; listen for it anew")
        self._todo.put(action)
        return self._next(seconds or self._seconds, "the game has not answered for {seconds:g} s")

    def _next(self, seconds: float, fault: str) -> Any:
        try:
            return self._seen.get(timeout=seconds)
        except queue.Empty:
            self.lost = True
            raise WorldUnavailable(fault.format(port=self.port, seconds=seconds)) from None

    def close(self) -> None:
        """Tell the game to close, and stop listening."""
        if not self._closed.is_set():
            if not self.lost:
                self._todo.put(messages()[1](type="CLOSE"))
                deadline = time.monotonic() + 1.0
                while not self._todo.empty() and time.monotonic() < deadline:
                    time.sleep(0.01)
            self._closed.set()
            self._server.stop(0.5).wait()


def connect(address: str, respond: Callable[[Any], Any | None], *, seconds: float = 600.0) -> None:
    """The game's side: send observations to a Python side and respond to its actions until one says to close.

    `respond` gets an action and returns the next observation, or None to stop. The first observation says only that
    the game is there.
    """
    try:
        import grpc
    except ImportError:
        raise ImportError(MISSING) from None
    observation, action = messages()
    options = (("grpc.max_send_message_length", LARGEST), ("grpc.max_receive_message_length", LARGEST))
    with grpc.insecure_channel(address, options=options) as channel:
        call = channel.unary_unary(
            METHOD, request_serializer=observation.SerializeToString, response_deserializer=action.FromString
        )
        try:
            grpc.channel_ready_future(channel).result(timeout=seconds)
        except grpc.FutureTimeoutError:
            raise WorldUnavailable(f"nothing answers at {address} within {seconds:g} s") from None
        seen = observation(type="STEP")
        while True:
            try:
                wanted = call(seen, timeout=seconds)
            except grpc.RpcError as error:
                raise WorldUnavailable(f"{address} stopped answering: {error.code().name.lower()}") from None
            if wanted.type == "CLOSE":
                return
            answer = respond(wanted)
            if answer is None:
                return
            seen = answer
