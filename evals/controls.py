"""Controls: runs in which a part of what is measured is taken away or made perfect, to see what the rest is worth.

    python -m evals.viplan --agent ground_belief --control blind

A controlled run is labelled as one in `run.json`, in every result, table and page. It is no result of the method.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from envs.base import World
from envs.pictures import PictureStore
from evals.episodes import Episode
from models.base import Kind, Message, Model, Picture, Reply, Request, Witness, Witnessing
from models.oracle import PerfectEyes
from models.sim import StandIn, chance
from models.wrapped import Wrapped
from planners.formula import Atom, State
from planners.outcome import Planner, PlanOutcome
from planners.task import Task

SIDE = 480
"""The pixels along a side of the picture that shows nothing."""


class Control(StrEnum):
    """What is taken away or made perfect."""

    BLIND = "blind"
    OTHER_ANSWERS = "other-answers"
    ORACLE_PERCEPTION = "oracle-perception"
    ORACLE_PLANNING = "oracle-planning"


MEANING = {
    Control.BLIND: "the model sees a grey picture, a simulated one tosses a coin; what is solved needs no eyes",
    Control.OTHER_ANSWERS: "the model sees the first picture of another problem; what is solved needs no right answer",
    Control.ORACLE_PERCEPTION: "questions are answered by the truth, and who plans is told it; only planning can fail",
    Control.ORACLE_PLANNING: "every plan and proposal is the planner's from the true state; only perception can fail",
}


@dataclass(frozen=True)
class Controlled:
    """A control over the episodes of a run."""

    kind: Control
    list_episodes: Callable[[], Sequence[Episode]]

    @cached_property
    def _next(self) -> Mapping[str, Episode]:
        """For each episode the one after it in its split; the last one has the first."""
        splits: dict[str, list[Episode]] = {}
        for episode in self.list_episodes():
            splits.setdefault(episode.split, []).append(episode)
        return {
            episode.id: other
            for group in splits.values()
            for episode, other in zip(group, [*group[1:], group[0]], strict=True)
        }

    def check(self, model: Model) -> None:
        """`ValueError` if the control makes no sense with the model or the problems."""
        if isinstance(model, Witnessing) and not isinstance(model, StandIn):
            raise ValueError(f"--control {self.kind}: {model.identity} answers from a record, which nothing can change")
        if self.kind is Control.OTHER_ANSWERS:
            alone = next((id for id, other in self._next.items() if other.id == id), None)
            if alone is not None:
                raise ValueError(f"--control {self.kind} needs at least two problems in a split; {alone} is alone")

    def model(self, model: Model, episode: Episode, witness: Witness) -> Model:
        """The model as it answers in a controlled episode."""
        told = f"{model.identity}, control {self.kind}"
        oracle = StandIn(PerfectEyes(), simulated=False, name="oracle").for_episode(witness)
        match self.kind:
            case Control.BLIND if isinstance(model, StandIn):
                return _with_eyes(model, Coin(told)).for_episode(witness)
            case Control.BLIND:
                return Shown(model, told, Blank())
            case Control.OTHER_ANSWERS:
                other = self._next[episode.id].open(PictureStore())
                truth = other.truth()
                picture = other.observe().picture
                if isinstance(model, StandIn):
                    model = model.for_episode(replace(witness, truth=lambda: truth))
                return Shown(model, told, picture)
            case Control.ORACLE_PERCEPTION if isinstance(model, StandIn):
                return _with_eyes(model, PerfectEyes()).for_episode(witness)
            case Control.ORACLE_PERCEPTION:
                return Split(Told(model, told, witness.truth), told, {Kind.YES_NO: oracle})
            case Control.ORACLE_PLANNING:
                seen = model.for_episode(witness) if isinstance(model, StandIn) else model
                return Split(seen, told, {Kind.PLAN: oracle, Kind.ACTION: oracle})

    def planner(self, planner: Planner, world: World) -> Planner:
        """The planner as it plans in a controlled episode."""
        return FromTruth(planner, world.truth) if self.kind is Control.ORACLE_PLANNING else planner


def control_of(kind: Control | None, list_episodes: Callable[[], Sequence[Episode]], model: Model) -> Controlled | None:
    """The control that a user chose, checked."""
    if kind is None:
        return None
    control = Controlled(kind, list_episodes)
    control.check(model)
    return control


def _with_eyes(model: StandIn, eyes: Coin | PerfectEyes) -> StandIn:
    return StandIn(eyes, blunder=model.blunder, simulated=model.simulated, name=model.identity.partition(":")[0])


class Coin:
    """Eyes that see nothing and guess: the same guess whenever the same is asked of the same picture."""

    def __init__(self, identity: str) -> None:
        self.identity = f"a coin for {identity}"

    def sees(self, atom: Atom, true: bool, request: Request, witness: Witness) -> bool:
        """Yes half the time, whatever is true."""
        return chance(self.identity, request, str(atom)) < 0.5


class Blank:
    """A grey picture."""

    key = "blank"

    @cached_property
    def sha256(self) -> str:
        """The hash of its bytes."""
        import hashlib

        return hashlib.sha256(self.png()).hexdigest()

    def png(self) -> bytes:
        """Its bytes."""
        import io

        from PIL import Image

        file = io.BytesIO()
        Image.new("RGB", (SIDE, SIDE), (128, 128, 128)).save(file, "PNG")
        return file.getvalue()


class Shown(Wrapped):
    """A model that is shown another picture than the agent's."""

    def __init__(self, model: Model, identity: str, picture: Picture) -> None:
        super().__init__(model, identity)
        self._picture = picture

    async def ask(self, request: Request) -> Reply:
        """The reply about the other picture."""
        return await self._model.ask(replace(request, messages=tuple(map(self._changed, request.messages))))

    def _changed(self, message: Message) -> Message:
        return replace(message, parts=tuple(part if isinstance(part, str) else self._picture for part in message.parts))


class Told(Wrapped):
    """A model that is told in words what is true."""

    def __init__(self, model: Model, identity: str, truth: Callable[[], State]) -> None:
        super().__init__(model, identity)
        # A plain function, as below: nothing that an agent holds leads to the world.
        self._facts: Callable[[], str] = lambda: "\n".join(f"- {atom}" for atom in sorted(truth()))

    async def ask(self, request: Request) -> Reply:
        """The reply of one who knows."""
        *others, last = request.messages
        facts = self._facts()
        words = f"All that is true now, as facts with their objects; whatever is not listed is not so:\n{facts}"
        knowing = replace(last, parts=(*last.parts, f"\n\n{words}"))
        return await self._model.ask(replace(request, messages=(*others, knowing)))


class Split(Wrapped):
    """A model some of whose requests another one answers, by their kind."""

    def __init__(self, model: Model, identity: str, others: Mapping[Kind, Model]) -> None:
        super().__init__(model, identity)
        self._others = others

    async def ask(self, request: Request) -> Reply:
        """The reply of whoever is to give it."""
        return await self._others.get(request.kind, self._model).ask(request)


class FromTruth:
    """A planner that plans from the true state, whatever is believed."""

    def __init__(self, planner: Planner, truth: Callable[[], State]) -> None:
        self.engine = f"{planner.engine} from the true state"
        self._planner = planner
        # A plain function: nothing that an agent holds leads to the world.
        self._known: Callable[[Task], Task] = lambda task: replace(task, init=truth())

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan, in the calling thread."""
        return self._planner.solve(self._known(task), timeout=timeout)

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan without blocking the event loop."""
        return await self._planner.plan(self._known(task), timeout=timeout)

    def close(self) -> None:
        """Nothing: the planner is shared."""
