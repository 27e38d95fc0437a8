"""An HTTP server for a world, which handles one request at a time.

An invalid request is answered with status 400 and the reason, and does not change the world.
"""

from __future__ import annotations

import base64
import ipaddress
import json
import logging
import socket
import threading
from collections.abc import Callable, Mapping
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

from pydantic import BaseModel, ValidationError

from envs.base import Observation, World
from envs.rest.wire import (
    INFO,
    ExecuteAction,
    Reset,
    WireDone,
    WireObjects,
    WireOutcome,
    WireProblem,
    WireRequest,
    WireState,
    WireTasks,
    symbolic,
)
from planners.formula import Atom
from planners.names import unknown
from planners.task import Step

LONGEST_REQUEST = 1 << 20
SECONDS = 15.0
"""Timeout for a silent client, within a request or between two."""
MOST_CLIENTS = 64
"""How many connections are served at once; further ones are closed."""
log = logging.getLogger("plumbline.serve")
Body = TypeVar("Body", bound=WireRequest)


class Catalogue(Protocol):
    """The tasks of a world that can be reset to."""

    def tasks(self) -> list[Reset]:
        """All tasks."""
        ...

    def open_task(self, wanted: Reset, seed: int) -> World:
        """The world at the start of one of `tasks`."""
        ...


class Refused(Exception):
    """A request that cannot be served, and why."""

    def __init__(self, reason: str, status: HTTPStatus = HTTPStatus.BAD_REQUEST) -> None:
        super().__init__(reason)
        self.status = status


class WorldService:
    """Handles the requests to one world at a time. Not thread-safe."""

    def __init__(self, catalogue: Catalogue, seed: int) -> None:
        self._catalogue = catalogue
        self._seed = seed
        self._world: World | None = None

    def tasks(self) -> WireTasks:
        """All tasks to reset to."""
        return WireTasks(tasks=self._catalogue.tasks())

    def reset(self, wanted: Reset) -> WireDone:
        """Start a task. If that fails, the previous world stays."""
        known = self._catalogue.tasks()
        if wanted not in known:
            for field, choices in (
                ("task", {task.task for task in known}),
                ("scene_id", {task.scene_id for task in known if task.task == wanted.task}),
            ):
                if getattr(wanted, field) not in choices:
                    raise Refused(str(unknown(field, getattr(wanted, field), choices)))
            there = sorted(task.instance_id for task in known if _place(task) == _place(wanted))
            raise Refused(f"no instance {wanted.instance_id} of {wanted.task} in {wanted.scene_id}; there are {there}")
        self._world = self._catalogue.open_task(wanted, self._seed)
        return WireDone(success=True)

    def state(self) -> WireState:
        """The picture and the true state of the world."""
        return _state(self.world)

    def visible(self) -> WireObjects:
        """The objects in view."""
        return WireObjects(objects=sorted(_in_view(self.world, self.world.observe())))

    def execute(self, wanted: ExecuteAction) -> WireOutcome:
        """Attempt an action."""
        world, step = self.world, Step(wanted.action, tuple(wanted.params))
        if fault := world.domain.check(step, world.objects):
            raise Refused(f"Invalid action: {fault}")
        info = INFO[world.step(step).outcome]
        return WireOutcome(success=info != "not legal", info=info, **_state(world).model_dump())

    @property
    def world(self) -> World:
        """The current world."""
        if self._world is None:
            raise Refused("no task has been started yet: POST /reset first; GET /tasks lists the tasks")
        return self._world


def serve(catalogue: Catalogue, host: str, port: int, seed: int) -> ThreadingHTTPServer:
    """A server that is bound but not yet running; `serve_forever` runs it."""
    service, turn = WorldService(catalogue, seed), threading.Lock()
    routes: Mapping[tuple[str, str], Callable[[Any], BaseModel]] = {
        ("GET", "/tasks"): lambda body: service.tasks(),
        ("GET", "/get_state"): lambda body: service.state(),
        ("GET", "/get_visible_objects"): lambda body: service.visible(),
        ("POST", "/reset"): lambda body: service.reset(_read(Reset, body)),
        ("POST", "/execute_action"): lambda body: service.execute(_read(ExecuteAction, body)),
    }

    class Handler(_RequestHandler):
        def answer(self) -> BaseModel:
            path = self.path.partition("?")[0]
            if (self.command, path) not in routes:
                methods = [method for method, known in routes if known == path]
                if methods:
                    raise Refused(f"{path} takes {methods[0]}, not {self.command}", HTTPStatus.METHOD_NOT_ALLOWED)
                raise Refused(f"no such path {path}; there are {', '.join(p for _, p in routes)}", HTTPStatus.NOT_FOUND)
            body = self.body() if self.command == "POST" else None
            with turn:
                return routes[self.command, path](body)

    return _WorldServer((host, port), Handler)


class _WorldServer(ThreadingHTTPServer):
    """Limits the number of clients, and serves requests to its own host names only."""

    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self._room = threading.BoundedSemaphore(MOST_CLIENTS)

    def answers_to(self, host: str) -> bool:
        """Whether the Host header names this server, which guards against DNS rebinding."""
        bound = str(self.server_address[0])
        try:
            name = urlsplit(f"//{host}").hostname or ""
            if name in ("localhost", bound):
                return True
            found = ipaddress.ip_address(name)
        except ValueError:
            return not _is_loopback(bound) and name in {socket.gethostname().lower(), socket.getfqdn().lower()}
        return found.is_loopback or not _is_loopback(bound)

    def process_request(self, request: Any, client_address: Any) -> None:
        """Serve a client in a new thread, if there is capacity."""
        if not self._room.acquire(blocking=False):
            self.shutdown_request(request)
            return
        try:
            super().process_request(request, client_address)
        except BaseException:
            self._room.release()
            raise

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        """Serve a client, then release its slot."""
        try:
            super().process_request_thread(request, client_address)
        finally:
            self._room.release()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Log a broken connection without an error."""
        log.info("the connection to %s broke", client_address, exc_info=True)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


class _RequestHandler(BaseHTTPRequestHandler):
    """Reads requests and writes responses; `answer` computes them."""

    protocol_version = "HTTP/1.1"
    timeout = SECONDS
    server: _WorldServer

    def answer(self) -> BaseModel:
        raise NotImplementedError

    def body(self) -> Any:
        """The JSON of a request. Its content type is required, since other sites cannot send it without CORS."""
        if self.headers.get_content_type() != "application/json":
            raise Refused("the body has to be JSON, with Content-Type: application/json")
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LONGEST_REQUEST:
            self.close_connection = True
            raise Refused(f"the request needs a Content-Length of at most {LONGEST_REQUEST}")
        content = self.rfile.read(int(length))
        try:
            return json.loads(content)
        except (ValueError, RecursionError) as error:
            raise Refused(f"the body is not JSON: {error}") from None

    def _respond(self) -> None:
        status = HTTPStatus.OK
        try:
            if not self.server.answers_to(self.headers.get("Host", "")):
                raise Refused("this server answers to its own names only", HTTPStatus.MISDIRECTED_REQUEST)
            answer = self.answer()
        except Refused as refusal:
            answer, status = WireProblem(detail=str(refusal)), refusal.status
        except TimeoutError:
            self.close_connection = True
            return
        except Exception:
            log.exception("%s %s failed", self.command, self.path)
            answer, status = WireProblem(detail="the server failed; its log says why"), HTTPStatus.INTERNAL_SERVER_ERROR
        written = answer.model_dump_json().encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(written)))
        if status is not HTTPStatus.OK:
            # The body of a refused request may be unread: it must not be taken for the next request.
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(written)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _respond  # noqa: N815

    def log_message(self, format: str, *args: Any) -> None:
        log.info(format, *args)


def _read(kind: type[Body], body: object) -> Body:
    try:
        return kind.model_validate(body)
    except ValidationError as error:
        first = error.errors(include_url=False, include_context=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the body"
        raise Refused(f"{where}: {first['msg']}") from None


def _place(task: Reset) -> tuple[str, str]:
    return task.task, task.scene_id


def _state(world: World) -> WireState:
    image = base64.b64encode(world.observe().picture.png()).decode()
    return WireState(symbolic_state=symbolic(_atoms(world), world.truth()), image=image)


def _atoms(world: World) -> list[Atom]:
    """All atoms but reflexive ones, which the original does not report."""
    return [atom for atom in world.domain.atoms(world.objects) if len(set(atom.args)) == len(atom.args)]


def _in_view(world: World, seen: Observation) -> frozenset[str]:
    return frozenset(world.objects) if seen.visible is None else seen.visible
