"""A remote world: our server, or an iGibson server of the original.

A server has one world at a time, so episodes that share one are played one after the other; starting a task ends the
previous one. A server that cannot be reached, or sends invalid replies, raises `WorldUnavailable`: that is never the
agent's fault.
"""

from __future__ import annotations

import hashlib
import http.client
import json
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from envs.base import Observation, Outcome, Stepped, WorldUnavailable
from envs.pictures import PictureStore
from envs.rest.wire import OUTCOMES, ExecuteAction, Reset, WireDone, WireObjects, WireOutcome, WireState, true_atoms
from planners.formula import Atom, Formula, Objects, State, holds
from planners.task import Domain, Step

SECONDS = 600.0
"""Timeout of a request: loading an iGibson scene takes minutes."""
_LONGEST_ANSWER = 64 << 20

Answer = TypeVar("Answer", bound=BaseModel)


class TaskTexts(Protocol):
    """What the server does not provide: the task's domain, goal and texts."""

    @property
    def name(self) -> str: ...
    @property
    def domain(self) -> Domain: ...
    @property
    def laws(self) -> Domain: ...
    @property
    def objects(self) -> Objects: ...
    @property
    def goal(self) -> Formula: ...
    @property
    def goal_text(self) -> str: ...
    @property
    def candid(self) -> bool: ...
    @property
    def description(self) -> str: ...
    @property
    def action_help(self) -> str: ...
    @property
    def signatures(self) -> Mapping[str, tuple[str, ...]]: ...

    def question(self, atom: Atom) -> str:
        """The yes/no question that asks whether the atom is true."""
        ...

    def hints(self, truth: State) -> tuple[str, ...]:
        """The hints of an observation."""
        ...


class Server:
    """A server, by its address."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"the address of a world must start with http:// or https://, not {url!r}")
        self.url = url.rstrip("/")
        self.seconds = seconds
        self.active: object = None
        """The `RemoteWorld` whose task the server runs."""

    def get(self, path: str, kind: type[Answer]) -> Answer:
        """The reply to a GET request."""
        return self._call(urllib.request.Request(self.url + path), kind)

    def post(self, path: str, body: BaseModel, kind: type[Answer]) -> Answer:
        """The reply to a POST request."""
        content = body.model_dump_json().encode()
        request = urllib.request.Request(self.url + path, content, {"Content-Type": "application/json"})
        return self._call(request, kind)

    def _call(self, request: urllib.request.Request, kind: type[Answer]) -> Answer:
        where = f"{request.get_method()} {request.full_url}"
        try:
            with urllib.request.urlopen(request, timeout=self.seconds) as answer:
                return kind.model_validate_json(answer.read(_LONGEST_ANSWER))
        except urllib.error.HTTPError as error:
            with error:
                raise WorldUnavailable(f"{where} was answered {error.code}: {_detail(error.read(2000))}") from None
        except ValidationError as error:
            first = error.errors(include_url=False, include_context=False, include_input=False)[0]
            where_in = ".".join(map(str, first["loc"]))
            raise WorldUnavailable(f"{where} was answered with something else: {where_in} {first['msg']}") from None
        except (OSError, http.client.HTTPException) as error:
            raise WorldUnavailable(f"{where} got no answer: {getattr(error, 'reason', error)}") from None


class RemoteWorld:
    """One task on a server."""

    def __init__(self, texts: TaskTexts, task: Reset, server: Server, pictures: PictureStore | None = None) -> None:
        self.name = texts.name
        self.domain = texts.domain
        self.laws = texts.laws
        self.objects = texts.objects
        self.goal = texts.goal
        self.goal_text = texts.goal_text
        self.description = texts.description
        self.action_help = texts.action_help
        self.signatures = texts.signatures
        self.candid = texts.candid
        self._texts = texts
        # A server may report facts that the task does not have.
        self._facts = frozenset(texts.domain.atoms(texts.objects))
        self._server = server
        self._pictures = pictures or PictureStore()
        self._happened = "nothing yet"
        self._visible: frozenset[str] | None = None
        server.active = self
        if not server.post("/reset", task, WireDone).success:
            raise WorldUnavailable(f"{server.url} could not start {task}; its log may say why")
        self._update(server.get("/get_state", WireState))
        self.prior: State | None = self._truth

    def question(self, atom: Atom) -> str:
        """The yes/no question that asks whether the atom is true."""
        return self._texts.question(atom)

    def observe(self) -> Observation:
        """The server's picture, and those objects of the task that are in view."""
        if self._visible is None:
            seen = self._claimed().get("/get_visible_objects", WireObjects).objects
            self._visible = frozenset(seen) & frozenset(self.objects)
        png = self._png
        picture = self._pictures.picture(f"remote {hashlib.sha256(png).hexdigest()}", lambda: png)
        return Observation(picture, self._visible, self._texts.hints(self._truth))

    def step(self, step: Step) -> Stepped:
        """Have the server attempt an action; an invalid one is not sent."""
        if step.action not in self.domain.actions:
            return self._answer(Outcome.UNKNOWN_ACTION, "no such action")
        if self.domain.check(step, self.objects):
            return self._answer(Outcome.BAD_PARAMETERS, "no such parameters")
        request = ExecuteAction(action=step.action, params=list(step.args))
        result = self._claimed().post("/execute_action", request, WireOutcome)
        if result.info not in OUTCOMES:
            known = ", ".join(OUTCOMES)
            raise WorldUnavailable(f"{self._server.url} answered {step} with {result.info!r}, not one of {known}")
        self._update(result)
        return self._answer(OUTCOMES[result.info], result.info)

    def truth(self) -> State:
        """The atoms that are true according to the server."""
        return self._truth

    def happened(self) -> str:
        """The server's report on the last attempt."""
        return self._happened

    def _claimed(self) -> Server:
        if self._server.active is not self:
            raise WorldUnavailable(f"another episode has taken over {self._server.url}: it plays one at a time")
        return self._server

    def _update(self, state: WireState) -> None:
        self._truth = true_atoms(state.symbolic_state) & self._facts
        self._png = state.png
        self._visible = None

    def _answer(self, outcome: Outcome, happened: str) -> Stepped:
        self._happened = happened
        return Stepped(outcome, terminated=holds(self.goal, self._truth, self.objects))


def _detail(body: bytes) -> str:
    try:
        return str(json.loads(body)["detail"])
    except (ValueError, KeyError, TypeError):
        return body.decode(errors="replace")[:200] or "no reason given"
