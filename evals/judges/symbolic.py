"""The judge of symbolic worlds: reads the true state, and checks answers, beliefs and actions against it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import replace
from enum import StrEnum

from envs.base import Announcing, Outcome, Rewindable, World, announced, search_of
from envs.quiet import DONE
from evals.judges import symbolic_changes
from evals.judges.changes import RerunContext, RerunSetup
from evals.judges.controlled import MEANING as CONTROLS
from evals.judges.controlled import (
    OtherPictures,
    RoutedByKind,
    StateInWords,
    TruthInPrompt,
    blinded,
    oracle,
    with_eyes,
)
from evals.judges.disturbed import disturbed
from evals.judges.ends import MEANING as ENDS
from evals.judges.ends import end_of
from evals.judges.failures import MEANING, classify, misjudgements
from evals.judges.recall import Recall
from evals.run.controls import PICTURES, WORDS
from evals.run.judging import Judge, Judging, Measure, Score, Tally
from evals.run.trace import NOTHING, Record, Truth
from models.base import Kind, Mind, Model, ModelUnavailable, Request, Unanswerable
from models.oracle import PerfectEyes
from models.sim import StandIn
from planners.drafts import GOAL, draft_lines
from planners.formula import Atom, State, holds
from planners.outcome import Planner, PlanOutcome, Status
from planners.task import Domain, Step, Task
from planners.write import problem_text
from tools.events import PROBLEMS, Acted, Asked, CalledOff, Ended, Event, Observed, Planned, Replanned
from tools.facts import open_facts


class Control(StrEnum):
    """The controls of symbolic worlds."""

    BLIND = "blind"
    OTHER_ANSWERS = "other-answers"
    ORACLE_PERCEPTION = "oracle-perception"
    ORACLE_PLANNING = "oracle-planning"
    STATE_TEXT = "state-text"


REFUSED = (Outcome.NOT_LEGAL, Outcome.UNKNOWN_ACTION, Outcome.BAD_PARAMETERS)
"""Outcomes of attempts that are not executed."""

JUDGING = Judging(
    classes={str(failure): meaning for failure, meaning in MEANING.items()},
    ends={str(end): meaning for end, meaning in ENDS.items()},
    measures=(
        Measure("predicate_accuracy", "accuracy", "accuracy", "all answers", column=1),
        Measure(
            "official_accuracy", "accuracy", "official", "enumeration only", where={"phase": "enumeration"}, column=5
        ),
        Measure("macro_accuracy", "accuracy", "accuracy, mean of predicates", macro="predicate"),
        Measure("questions", "mean", of=("questions",), column=3),
        Measure("proposals", "mean", of=("proposals",), column=6),
        Measure("replans", "mean", of=("replans",), column=4),
        Measure("formalizations", "mean", meaning="problems in PDDL asked for", of=("formalizations",)),
        Measure(
            "illegal",
            "mean",
            meaning="attempts that the world refused",
            of=tuple(f"attempts/{outcome}" for outcome in REFUSED),
            column=2,
        ),
        Measure("steps", "mean", of=("steps",), column=7),
        Measure("action_accuracy", "share", "share of steps executed", of=("attempts/executed",), over=("attempts/*",)),
    ),
    groups={"attempts": "What came of attempts", "misjudged": "Misjudgements on the way"},
    dimensions={"predicate": "predicate", "phase": "why it was asked", "truth": "what was true"},
    controls={
        **CONTROLS,
        **PICTURES,
        **WORDS,
        Control.ORACLE_PERCEPTION: "questions are answered truthfully, and planners know the truth; only planning can "
        "fail",
        Control.ORACLE_PLANNING: "every plan and proposal is the planner's from the true state; only perception can "
        "fail",
        Control.STATE_TEXT: "every picture is replaced by all true facts in words, also those out of view; a simulated "
        "model sees without error; nothing has to be seen",
    },
    changes=symbolic_changes.CHANGES,
    faculties=tuple(map(str, symbolic_changes.Faculty)),
    together=symbolic_changes.TOGETHER,
    truthful=(symbolic_changes.Faculty.PERCEPTION,),
    panels=("belief", "scene"),
)


class SymbolicJudge:
    """Knows the true state of one world."""

    def __init__(self, world: World, tags: Mapping[str, str], planner: Callable[[], Planner]) -> None:
        self.world = world
        self.tags = {"world": world.name, **tags}
        self._perfect = planner
        self._state = world.truth()
        self._true = self._facts_now()
        self._recall = Recall(world) if search_of(world) else None

    def beside(self, event: Event) -> Truth:
        """The truth of the moment."""
        match event:
            case Asked() if event.of_fact and event.about:
                value = event.about in self._true
                return Truth.model_construct(value=value, right=event.value == value)
            case Asked() if event.formalizes:
                return self._beside_problem(event)
            case Observed() | Ended():
                return Truth(state=_listed(self._state), goal=self._goal())
            case Planned():
                return Truth(wrong=_listed(self._differing(frozenset(map(Atom.parse, event.belief)))))
            case CalledOff():
                return Truth(legal=self._legal(event.action, self.world.domain))
            case Acted() if event.refused:
                return Truth(happened=event.outcome, legal=False, goal=self._goal())
            case Acted():
                legal = self._legal(event.action, self.world.laws)  # asked of the state before the attempt
                self._state = self.world.truth()
                self._true = self._facts_now()
                happened, state = self.world.happened(), _listed(self._state)
                return Truth(happened=happened, legal=legal, goal=self._goal(), state=state)
            case _:
                return NOTHING

    def score(self, records: Sequence[Record]) -> Score:
        """Success means that the goal holds at the end."""
        failure = classify(records)
        named = None if failure is None else str(failure)
        end = end_of(records)
        ended = None if end is None else str(end)
        return Score(float(failure is None), failure is None, named, counts(records), tallies(records), ended)

    async def right(self, request: Request, mind: Mind) -> str:
        """Yes or no for a fact, the perceived state as a problem in PDDL, or a plan from it."""
        if request.kind is Kind.YES_NO and request.about:
            truth = Atom.parse(request.about) in self.world.truth() | view_of(self.world)
            return "Yes" if mind.sees(request.about, truth) else "No"
        if request.kind in PROBLEMS:
            return self._described(request, mind)
        if request.kind not in (Kind.PLAN, Kind.ACTION):
            raise Unanswerable(f"a reply to a {request.kind} request without a subject cannot be computed")
        outcome = await self._planned(mind)
        if outcome.failed:
            raise ModelUnavailable(f"the stand-in could not plan: {outcome.status} {outcome.message}".rstrip())
        steps = list(outcome.plan) or self._without_plan(outcome, mind)
        if mind.blunders():
            steps[0] = self._any_step(mind)
        return self._written(steps, request)

    def controlled(self, control: str, model: Model, other: Judge | None) -> Model:
        """The model under a control."""
        if control in PICTURES or control in WORDS:
            own = model.for_episode(self) if isinstance(model, StandIn) else model
            return disturbed(control, own, getattr(self.world, "rewordings", None))
        identity = f"{model.identity}, control {control}"
        match control:
            case Control.BLIND:
                return blinded(model, identity, self)
            case Control.OTHER_ANSWERS if isinstance(other, SymbolicJudge):
                seen = (other.world.observe().picture,)
                own = model.for_episode(OtherProblemWitness(self, other)) if isinstance(model, StandIn) else model
                return OtherPictures(own, identity, seen)
            case Control.ORACLE_PERCEPTION if isinstance(model, StandIn):
                return with_eyes(model, PerfectEyes()).for_episode(self)
            case Control.STATE_TEXT if isinstance(model, StandIn):
                # It plans well: how models plan without having to see is not published.
                return with_eyes(model, PerfectEyes()).for_episode(self)
            case Control.STATE_TEXT:
                return StateInWords(model, identity, self._facts())
            case Control.ORACLE_PERCEPTION:
                return RoutedByKind(
                    TruthInPrompt(model, identity, self._facts()), identity, {Kind.YES_NO: oracle(self)}
                )
            case Control.ORACLE_PLANNING:
                own = model.for_episode(self) if isinstance(model, StandIn) else model
                return RoutedByKind(own, identity, {Kind.PLAN: oracle(self), Kind.ACTION: oracle(self)})
        raise ValueError(f"symbolic worlds have no control {control!r}")

    def planner(self, control: str | None, planner: Planner) -> Planner:
        """The planner; under `oracle-planning` it plans from the true state."""
        return TruthPlanner(planner, self.world.truth) if control == Control.ORACLE_PLANNING else planner

    def rehearse(self, planner: Planner) -> str:
        """Solve the problem once, so that a broken engine is found before anything is asked."""
        outcome = planner.solve(self.problem())
        return f"{outcome.engine}: {outcome.message}" if outcome.status is Status.ERROR else ""

    def problem(self) -> Task:
        """The planning task from the true state."""
        return Task(self.world.domain, self.world.objects, self.world.truth(), self.world.goal)

    def perfect(self) -> Planner:
        """The optimal planner."""
        return self._perfect()

    def attempt(self, action: str) -> str:
        """Attempt an action; its outcome."""
        return self.world.step(Step.parse(action)).outcome

    def reseed(self, seed: int) -> None:
        """Reseed the world, if it can be."""
        if isinstance(self.world, Rewindable):
            self.world.reseed(seed)

    def could_fail(self, records: Sequence[Record], changes: Set[str]) -> frozenset[str]:
        """The faculties that could have failed in this record."""
        return symbolic_changes.could_fail(records, changes)

    def impossible(self, records: Sequence[Record], changes: Set[str]) -> bool:
        """Whether a legal action failed although many seeds were tried."""
        return symbolic_changes.impossible(records, changes)

    def unfit(self, records: Sequence[Record], changes: Set[str], agent: str) -> str:
        """Why the changes do not apply to this record."""
        return symbolic_changes.unfit(records, changes, agent)

    async def changed(self, context: RerunContext) -> RerunSetup:
        """What to play a rerun with."""
        return await symbolic_changes.changed(self, context)

    def _described(self, request: Request, mind: Mind) -> str:
        """What is perceived in view, and the goal; where a domain is wanted, before them the true one."""
        world, seen = self.world, self.world.observe()
        truth = world.truth()
        if search_of(world) is not None:
            seen = replace(seen, visible=frozenset(atom.args[0] for atom in view_of(world)))
        asked = (atom for atom in open_facts(world, world.domain.atoms(world.objects)) if seen.shows(atom))
        init = frozenset(atom for atom in asked if mind.sees(str(atom), atom in truth))
        text = problem_text(replace(self.problem(), init=init))
        return f"{world.domain.text}\n{text}" if request.kind is Kind.DOMAIN else text

    async def _planned(self, mind: Mind) -> PlanOutcome:
        if self._recall is not None:
            return await self._recall.planned(mind, self._perfect())
        world = self.world
        truth, visible = world.truth(), world.observe().visible
        atoms = frozenset(
            atom for atom in world.domain.atoms(world.objects) if visible is None or visible.issuperset(atom.args)
        )
        seen = {atom for atom in atoms if mind.sees(str(atom), atom in truth)}
        # Facts out of view are known, as if remembered.
        return await self._perfect().plan(replace(self.problem(), init=frozenset(seen | (truth - atoms))))

    def _without_plan(self, outcome: PlanOutcome, mind: Mind) -> list[Step]:
        """What to propose if nothing is left to do, or nothing can be: who has to say so is done, or does anything."""
        done = outcome.solved and announced(self.world) is not Announcing.FULL
        return [Step(DONE)] if done else [self._any_step(mind)]

    def _any_step(self, mind: Mind) -> Step:
        steps = [
            Step(action.name, tuple(binding.values()))
            for action in self.world.domain.actions.values()
            for binding in self.world.objects.bindings(action.parameters)
        ]
        return steps[mind.pick(len(steps))]

    def _written(self, steps: list[Step], request: Request) -> str:
        names = self.world.signatures
        actions = [
            {"action": step.action, "parameters": dict(zip(names[step.action], step.args, strict=True))}
            for step in steps
        ]
        content = {"plan": actions} if request.kind is Kind.PLAN else {"action": actions[0]}
        return json.dumps({"explanation": "Simulated.", **content} if request.cot else content)

    def _facts_now(self) -> frozenset[str]:
        """All that is true and can be asked about, as it is written."""
        return frozenset(map(str, self._state | view_of(self.world)))

    def _facts(self) -> Callable[[], str]:
        """A function that lists all true facts. A plain one, so that an agent cannot reach the world."""
        world = self.world

        def facts() -> str:
            listed = "\n".join(f"- {atom}" for atom in sorted(world.truth()))
            return f"All that is true now, as facts with their objects; whatever is not listed is not so:\n{listed}"

        return facts

    def _differing(self, belief: State) -> State:
        """Where belief and truth differ, except on static predicates that the belief does not mention."""
        actions = self.world.domain.actions.values()
        counted = {effect.predicate for action in actions for effect in action.effects}
        counted |= {atom.predicate for atom in belief}
        return frozenset(atom for atom in self._state ^ belief if atom.predicate in counted)

    def _beside_problem(self, event: Asked) -> Truth:
        """Which facts in view a problem in PDDL has wrong, and whether they and its goal are all right."""
        seen, world = self.world.observe(), self.world
        asked = {atom for atom in open_facts(world, world.domain.atoms(world.objects)) if seen.shows(atom)}
        right = draft_lines(frozenset(asked & self._state), world.goal, world.objects)
        if not isinstance(event.value, tuple):
            return Truth.model_construct(value=right, right=False)
        wrong = set(map(str, asked)) & (set(event.value) ^ self._true)
        goals = [{line for line in lines if line.startswith(GOAL)} for lines in (event.value, right)]
        same = goals[0] == goals[1]
        return Truth.model_construct(value=right, wrong=tuple(sorted(wrong)), right=same and not wrong)

    def _goal(self) -> bool:
        return holds(self.world.goal, self._state, self.world.objects)

    def _legal(self, action: str, laws: Domain) -> bool:
        objects, step = self.world.objects, Step.parse(action)
        if laws.check(step, objects):
            return False
        return laws.ground(step, objects).applicable(self._state)


class OtherProblemWitness:
    """The witness of an episode that answers by the initial state of another problem."""

    def __init__(self, here: SymbolicJudge, other: SymbolicJudge) -> None:
        self.tags = here.tags
        truth, world = other.world.truth(), here.world
        moved = _WorldWithTruth(world, truth)
        self.right = SymbolicJudge(moved, here.tags, here._perfect).right  # type: ignore[arg-type]


class _WorldWithTruth:
    """A world with another truth."""

    def __init__(self, world: World, truth: State) -> None:
        self._world, self._truth = world, truth

    def truth(self) -> State:
        return self._truth

    def __getattr__(self, name: str) -> object:
        return getattr(self._world, name)


class TruthPlanner:
    """A planner that plans from the true state, whatever the agent believes."""

    def __init__(self, planner: Planner, truth: Callable[[], State]) -> None:
        self.engine = f"{planner.engine} from the true state"
        self._planner = planner
        # A plain function, so that an agent cannot reach the world.
        self._known: Callable[[Task], Task] = lambda task: replace(task, init=truth())

    def solve(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan, in the calling thread."""
        return self._planner.solve(self._known(task), timeout=timeout)

    async def plan(self, task: Task, *, timeout: float = 60.0) -> PlanOutcome:
        """Plan without blocking the event loop."""
        return await self._planner.plan(self._known(task), timeout=timeout)

    def close(self) -> None:
        """Do nothing: the planner is shared."""


def view_of(world: World) -> State:
    """What is in view, as facts that can be asked about, if the world does not state it."""
    view: Callable[[], State] | None = getattr(world, "view", None)
    return view() if view else frozenset()


def came_of(record: Record) -> str:
    """The outcome of an attempt, also if the world did not announce it."""
    event, truth = record.event, record.truth
    assert isinstance(event, Acted)
    if event.outcome == Outcome.EXECUTED and truth.legal is False:
        return str(Outcome.NOT_LEGAL)
    if event.outcome == Outcome.EXECUTED and (truth.happened or "").startswith("failed:"):
        return str(Outcome.FAILED)
    return str(event.outcome)


def counts(records: Sequence[Record]) -> dict[str, float]:
    """The counts of an episode: questions, attempts, misjudgements."""
    events = [record.event for record in records]
    asked = [event for event in events if isinstance(event, Asked)]
    attempts = Counter(came_of(record) for record in records if isinstance(record.event, Acted))
    called_off = sum(isinstance(event, CalledOff) for event in events)
    if called_off:
        attempts["called off"] = called_off
    written = sum(event.formalizes for event in asked)
    return {
        "questions": sum(event.of_fact for event in asked),
        "proposals": sum(event.proposes for event in asked),
        "replans": sum(isinstance(event, Replanned) for event in events),
        "steps": sum(isinstance(event, Acted | CalledOff) for event in events),
        **({"formalizations": written} if written else {}),
        **{f"attempts/{outcome}": number for outcome, number in sorted(attempts.items())},
        **{f"misjudged/{kind}": number for kind, number in sorted(misjudgements(records).items())},
    }


def tallies(records: Sequence[Record]) -> tuple[Tally, ...]:
    """Answers about facts by phase, predicate and truth."""
    right: Counter[tuple[str, str, bool]] = Counter()
    total: Counter[tuple[str, str, bool]] = Counter()
    for record in records:
        event = record.event
        if isinstance(event, Asked) and event.of_fact and record.truth.value is not None:
            key = (event.phase, event.about.partition(" ")[0], bool(record.truth.value))
            total[key] += 1
            right[key] += event.value == record.truth.value
    return tuple(
        Tally(
            by={"phase": phase, "predicate": predicate, "truth": "yes" if truth else "no"},
            right=right[phase, predicate, truth],
            total=count,
        )
        for (phase, predicate, truth), count in sorted(total.items())
    )


def _listed(state: State) -> tuple[str, ...]:
    return tuple(sorted(map(str, state)))
