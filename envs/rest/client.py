"""A world that stands behind a server: ours, or a running iGibson server of the original.

A server has one world at a time, so episodes that share one are played one after the other: a task that is started
takes the server from the one before. A server that cannot be reached, or answers what nobody understands, raises
`WorldUnavailable`: that is never the agent's fault.
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
"""How long a server may take: loading a scene of iGibson takes minutes."""
_LONGEST_ANSWER = 64 << 20

Answer = TypeVar("Answer", bound=BaseModel)


class Script(Protocol):
    """What the server does not tell: what the task is about, and how to speak of it."""

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
        """The text of an observation, besides its picture."""
        ...


class Server:
    """The other side, by its address."""

    def __init__(self, url: str, seconds: float = SECONDS) -> None:
        if not url.startswith(("http://", "https://")):
            raise ValueError(f"the address of a world starts with http:// or https://, unlike {url!r}")
        self.url = url.rstrip("/")
        self.seconds = seconds
        self.player: object = None
        """Whose task the server plays."""

    def get(self, path: str, kind: type[Answer]) -> Answer:
        """The answer to a question."""
        return self._call(urllib.request.Request(self.url + path), kind)

    def post(self, path: str, body: BaseModel, kind: type[Answer]) -> Answer:
        """The answer to a command."""
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

    def __init__(self, script: Script, task: Reset, server: Server, pictures: PictureStore | None = None) -> None:
        self.name = script.name
        self.domain = script.domain
        self.laws = script.laws
        self.objects = script.objects
        self.goal = script.goal
        self.goal_text = script.goal_text
        self.description = script.description
        self.action_help = script.action_help
        self.signatures = script.signatures
        self.candid = script.candid
        self._script = script
        # A server may speak of more than the task does.
        self._facts = frozenset(script.domain.atoms(script.objects))
        self._server = server
        self._pictures = pictures or PictureStore()
        self._happened = "nothing yet"
        self._visible: frozenset[str] | None = None
        server.player = self
        if not server.post("/reset", task, WireDone).success:
            raise WorldUnavailable(f"{server.url} could not start {task}; its log may say why")
        self._believe(server.get("/get_state", WireState))
        self.prior: State | None = self._truth

    def question(self, atom: Atom) -> str:
        """The yes/no question that asks whether the atom is true."""
        return self._script.question(atom)

    def observe(self) -> Observation:
        """The server's picture, and what it says is in view of what the task is about."""
        if self._visible is None:
            seen = self._mine().get("/get_visible_objects", WireObjects).objects
            self._visible = frozenset(seen) & frozenset(self.objects)
        png = self._png
        picture = self._pictures.picture(f"remote {hashlib.sha256(png).hexdigest()}", lambda: png)
        return Observation(picture, self._visible, self._script.hints(self._truth))

    def step(self, step: Step) -> Stepped:
        """Have the server attempt an action; one that makes no sense is not sent."""
        if step.action not in self.domain.actions:
            return self._answer(Outcome.UNKNOWN_ACTION, "no such action")
        if self.domain.check(step, self.objects):
            return self._answer(Outcome.BAD_PARAMETERS, "no such parameters")
        wanted = ExecuteAction(action=step.action, params=list(step.args))
        came = self._mine().post("/execute_action", wanted, WireOutcome)
        if came.info not in OUTCOMES:
            raise WorldUnavailable(f"{self._server.url} says of {step} {came.info!r}, not one of {', '.join(OUTCOMES)}")
        self._believe(came)
        return self._answer(OUTCOMES[came.info], came.info)

    def truth(self) -> State:
        """The atoms that the server says are true."""
        return self._truth

    def happened(self) -> str:
        """What the server said of the last attempt."""
        return self._happened

    def _mine(self) -> Server:
        if self._server.player is not self:
            raise WorldUnavailable(f"another episode has taken over {self._server.url}: it plays one at a time")
        return self._server

    def _believe(self, state: WireState) -> None:
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
