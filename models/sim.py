"""Simulates a real model from its recorded or published errors. Every result of it is simulated.

    sim:gpt-4.1                 errs in ViPlan's worlds as real models do; on question sets as often as published
    sim:gpt-4.1?errors=independent   the same rates in those worlds, but every mistake is luck of its own
    sim:gpt-4.1?blunder=0.3     as a planner, also replaces 30 % of its actions by random ones
    sim:gpt-4.1?seed=7          other mistakes at the same rates
    sim:sight?accuracy=0.9      no real model: sees what is in view with this accuracy, and knows nothing else
    sim:gemini-3-pro-preview?errors=fresh   on a question set: errors are independent for each wording and picture

In the worlds of ViPlan the stand-in is a twin (`models/_twins.py`): its errors depend on what is asked about, cling to
pictures and things, and hardly change with the wording. A planner method succeeds on as many problems as published:
on those the twin plans well, on the others it tries something at random, again and again.

With independent errors the rates are tables 16 to 19 of the ViPlan paper: enumeration accuracy per predicate, whatever
the true value. Such a stand-in plans optimally from what it perceives, so its mistakes are errors of perception plus
the stated blunders: it says nothing about how well the real model plans.

The same picture and question always get the same answer, as at temperature 0. The episode's witness computes the reply
from what the stand-in perceives.

On a question set the rates are the published accuracies per category. The stand-in either knows the answer to a
question or does not. With `errors=shared`, the default, this does not depend on the wording; with `errors=fresh` it is
decided for each wording and picture; a number between 0 and 1 is the share of questions with shared errors. In ViPlan
it is the share of problems with a twin's errors. A yes/no question about a part of the question is answered correctly
if the stand-in knows the answer, else half of the time.
"""

from __future__ import annotations

from collections.abc import Iterable

from models import _twins
from models._eyes import ANSWER, IN_VIEW, PART, SIGHT, THE_WAY, Eyes, PublishedEyes, Rates, Sight, chance, published
from models.base import Kind, Options, Reply, Request, Unanswerable, Witness, asks_known_text
from planners.names import unknown

__all__ = (
    "ANSWER",
    "IN_VIEW",
    "KNOWING",
    "PART",
    "PERCEIVING",
    "THE_WAY",
    "Eyes",
    "PublishedEyes",
    "Rates",
    "Sight",
    "StandIn",
    "chance",
    "check_published",
    "load",
    "names",
    "published",
)

USAGE = "sim:NAME[?blunder=P&seed=N&errors=fresh]   SIMULATED from the published error rates of NAME, e.g. sim:gpt-4.1"
BLUNDER = 0.1
STUCK = 0.5
"""How often a planner that fails tries the same again. Recorded ones repeat about four actions in ten."""
INDEPENDENT = "independent"
DEFAULT = "gpt-4.1"

KNOWING = frozenset(set(Kind) - {Kind.TOOLS, Kind.TEXT})
"""The kinds of reply that have a right one which can be computed."""
PERCEIVING = KNOWING - {Kind.DOMAIN}
"""Those that go wrong only by what is seen: nothing is published about how models write actions."""


class StandIn:
    """A simulated model: replies are computed from its eyes and the episode's witness."""

    looks = False
    cacheable = True

    def __init__(
        self,
        eyes: Eyes,
        *,
        blunder: float = 0.0,
        simulated: bool = True,
        name: str = "sim",
        kinds: frozenset[Kind] = PERCEIVING,
        planner: PublishedEyes | None = None,
    ) -> None:
        self.eyes = eyes
        self.kinds = kinds
        self.blunder = blunder
        self.simulated = simulated
        self.planner = planner
        """Whose skill as a planner it has; None if it plans well from what it perceives."""
        self.dice = f"{name}:{eyes.identity}, blunder {blunder:g}"
        self.clings = planner is not None or (isinstance(eyes, PublishedEyes) and eyes.clinging)
        self.identity = self.dice + (f", {_twins.version()}" if self.clings else "")

    def for_episode(self, witness: Witness) -> Answering:
        """The stand-in in one episode, with access to its truth."""
        return Answering(self, witness)

    async def ask(self, request: Request) -> Reply:
        """Raise: without an episode there is nothing to perceive."""
        raise RuntimeError(f"{self.identity} is not bound to an episode: call for_episode first")


class Answering:
    """A stand-in that is bound to an episode."""

    def __init__(self, model: StandIn, witness: Witness) -> None:
        self.kinds = model.kinds
        self.looks = model.looks
        self.simulated = model.simulated
        self.cacheable = model.cacheable
        tags = witness.tags
        where = f"{tags.get('world', '')} {tags.get('level', '')}"
        # Errors of a twin are those of one problem, so its answers must not be kept for others.
        problem = f" {tags.get('problem', '')}" if model.clings else ""
        self.identity = f"{model.identity}, {where}{problem}"
        self._dice = f"{model.dice}, {where}"
        self._model = model
        self._witness = witness

    async def ask(self, request: Request) -> Reply:
        """The witness's reply for this mind."""
        if request.kind not in self.kinds and not asks_known_text(request):
            raise Unanswerable(f"{self.identity} cannot stand in for a model that writes a {request.kind}")
        mind = Fallible(self._model, self._dice, request, self._witness)
        if mind.speechless():
            return Reply("I cannot tell.")
        reply = await self._witness.right(request, mind)
        if request.kind is Kind.YES_NO and request.cot:
            return Reply(f"<explanation>Simulated.</explanation>\n<answer>{reply}</answer>")
        return Reply(reply)


class Fallible:
    """The mind of a stand-in in one reply."""

    def __init__(self, model: StandIn, identity: str, request: Request, witness: Witness) -> None:
        self._model, self._identity, self._request, self._witness = model, identity, request, witness
        self._problem = witness.tags.get("problem", "")
        self._skill = self._as_planner()
        self._can = self._skill is None or self._skill.can(identity, self._problem, witness.tags.get("level", ""))

    def plans(self) -> bool:
        """Whether it can plan for this problem."""
        return self._can

    def speechless(self) -> bool:
        """Whether the reply cannot be read: of a planner that fails on this problem, or of eyes now and then."""
        if self._request.kind is Kind.YES_NO and self._request.about:
            eyes = self._model.eyes
            return isinstance(eyes, PublishedEyes) and eyes.unreadable(self._request, self._witness)
        return self._skill is not None and not self._can and self._skill.garbles(self._identity, self._problem)

    def sees(self, fact: str, true: bool) -> bool:
        """Whether the eyes perceive a fact as true. The success of a planner already includes its perception."""
        return true if self._skill is not None else self._model.eyes.sees(fact, true, self._request, self._witness)

    def blunders(self) -> bool:
        """Whether it decides at random. Never where an accuracy is published, which includes blunders."""
        share = self._model.blunder
        if share < 1.0 and self._published is not None:
            return False
        return chance(self._identity, self._request, "blunder" + self._request.text) < share

    def pick(self, count: int) -> int:
        """A number below `count`, deterministic for a picture and a question."""
        if self._model.blunder < 1.0 and self._published is not None:
            return int(self._published.dice("which", self._request, self._witness) * count)
        # Who cannot plan tries the same again while the picture stays the same, half of the time.
        stuck = not self._can and chance(self._identity, self._request, "stuck" + self._request.text) < STUCK
        return int(chance(self._identity, self._request, "which" + ("" if stuck else self._request.text)) * count)

    def _as_planner(self) -> _twins.Skill | None:
        """What is known of the model as a planner, if a plan or an action of a world is requested."""
        planner = self._model.planner
        if planner is None or self._model.blunder >= 1.0 or self._request.kind not in (Kind.PLAN, Kind.ACTION):
            return None
        return planner.skill(self._request, self._witness)

    @property
    def _published(self) -> PublishedEyes | None:
        """The eyes, if an accuracy is published for questions of this kind."""
        eyes = self._model.eyes
        return eyes if isinstance(eyes, PublishedEyes) and eyes.rated(self._witness) else None


def names() -> list[str]:
    """The models of the papers, and eyes of a stated accuracy."""
    return sorted((*published(), SIGHT))


def check_published(spec: str, worlds: Iterable[str]) -> None:
    """`ValueError` if a simulated model lacks published rates for a world for which other models have them."""
    provider, _, rest = spec.partition(":")
    if provider != "sim":
        return
    name = rest.partition("?")[0] or DEFAULT
    for world in worlds:
        rated = [model for model, rates in published().items() if any(key[0] == world for key in rates)]
        if rated and name not in rated and name != SIGHT:
            raise unknown(f"published model of {world}", name, rated)


def load(rest: str, options: Options) -> StandIn:
    """Load the model of a spec that starts with `sim:`."""
    possible = ("accuracy", "blunder", "seed") if rest == SIGHT else ("blunder", "seed", "errors")
    strange = set(options) - set(possible)
    if strange:
        raise unknown("option of sim", strange.pop(), possible)
    blunder = _share(options.get("blunder", str(BLUNDER)))
    if blunder is None:
        raise ValueError(f"sim: blunder is a probability, between 0 and 1, not {options['blunder']!r}")
    errors = options.get("errors", "shared")
    shared = _share({"shared": "1", "fresh": "0", INDEPENDENT: "1"}.get(errors, errors))
    if shared is None:
        raise ValueError(f"sim: errors are shared, fresh, {INDEPENDENT} or a number between 0 and 1, not {errors!r}")
    try:
        seed = int(options.get("seed", 0))
    except ValueError:
        raise ValueError(f"sim: seed is a whole number, not {options['seed']!r}") from None
    if rest == SIGHT:
        accuracy = _share(options.get("accuracy", "0.9"))
        if accuracy is None:
            raise ValueError(f"sim: accuracy is a probability, between 0 and 1, not {options['accuracy']!r}")
        return StandIn(Sight(accuracy, seed), blunder=blunder if "blunder" in options else 0.0)
    clinging = errors != INDEPENDENT
    eyes = PublishedEyes(rest or DEFAULT, seed, shared, clinging=clinging)
    return StandIn(eyes, blunder=blunder, planner=eyes if clinging else None)


def _share(text: str) -> float | None:
    """A number between 0 and 1; None for anything else."""
    try:
        number = float(text)
    except ValueError:
        return None
    return number if 0.0 <= number <= 1.0 else None
