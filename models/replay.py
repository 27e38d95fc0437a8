"""A model that repeats the recorded answers of a real one: from a run of the original ViPlan, or from predictions.

    replay:ViPlan/results/final/blocksworld/final_no_cot/predicates/simple/MODEL/results_1.json
    replay:predictions.json

In a run of ViPlan, answers are found by their position in the episode, so a replay continues as long as the agent does
what the recorded one did. For a question that was not recorded there is no answer: the episode ends as unavailable, not
as wrong.
Some records end after the last attempt, because an earlier version of the original found no further plan; the replay
then ends there and is scored like the record.

Predictions (`[{"question_id": …, "answer": …}]`) are found by question id, or by question text if the file has it.
There is one reply per question, however often it is asked: an agent that asks anything else, or reorders
the options, gets no answer.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

from models.base import Kind, ModelUnavailable, Options, RecordEnded, Reply, Request, Witness
from models.recorded.predictions import Predictions, holds_predictions, read_predictions
from models.recorded.reading import RecordError, read_file
from models.recorded.records import Answer, Episode, GrounderEpisode, PlannerEpisode
from planners.names import unknown

USAGE = "replay:FILE   the recorded answers of a real model: results_*.json of the original, or predictions.json"
QUESTION_PHASE = "question"
"""The phase of requests for the question itself."""


class Replay:
    """Recorded episodes by the name of their problem."""

    looks = False
    simulated = False
    cacheable = False

    def __init__(self, episodes: dict[str, Episode], name: str) -> None:
        self.identity = f"replay:{name}"
        self.episodes = episodes

    def for_episode(self, witness: Witness) -> ReplayedEpisode:
        """The record of one problem."""
        return ReplayedEpisode(self.identity, self.episode(witness.tags["problem"]))

    def episode(self, problem: str) -> Episode:
        """The recorded episode of a problem."""
        if problem not in self.episodes:
            raise unknown("recorded problem", problem, self.episodes)
        return self.episodes[problem]

    async def ask(self, request: Request) -> Reply:
        """Raise: without an episode there is nothing to look up."""
        raise RuntimeError(f"{self.identity} is not bound to an episode: call for_episode first")


class ReplayedEpisode:
    """The answers of one recorded episode, by their position."""

    looks = False
    simulated = False
    cacheable = False

    def __init__(self, identity: str, episode: Episode) -> None:
        self.identity = identity
        self._episode = episode
        self._attempts = 0

    async def ask(self, request: Request) -> Reply:
        """The reply recorded at this position."""
        phase, _, place = request.place.partition(" ")
        number = int(place) if place.isdecimal() else -1
        if phase == "precondition":
            self._attempts = max(self._attempts, number + 1)
        if request.kind is Kind.PLAN and isinstance(self._episode, PlannerEpisode) and number >= 0:
            return self._proposal(self._episode, number)
        if request.kind is Kind.YES_NO and isinstance(self._episode, GrounderEpisode):
            for answer in self._answers(self._episode, phase, number):
                if answer.atom == str(request.about):
                    return _reply(answer, request.cot)
        if isinstance(self._episode, GrounderEpisode) and self._is_past_end(self._episode, phase, number):
            raise RecordEnded(f"the record of {self._episode.problem} ends after {self._attempts} attempts")
        asked = request.about or request.kind
        raise ModelUnavailable(f"the record of {self._episode.problem} has no answer to {asked} at {request.place}")

    def _is_past_end(self, episode: GrounderEpisode, phase: str, number: int) -> bool:
        """Whether the agent asks for an enumeration after the last recorded one."""
        rounds = len(list(episode.enumerations()))
        return phase == "enumeration" and number == rounds and self._attempts == len(episode.attempts)

    def _proposal(self, episode: PlannerEpisode, number: int) -> Reply:
        if number < len(episode.steps):
            return Reply(_written(episode.steps[number].reply))
        # A reply that was not JSON was not recorded; the episode ended there.
        return Reply("")

    def _answers(self, episode: GrounderEpisode, phase: str, number: int) -> list[Answer]:
        if phase == "enumeration":
            rounds = list(episode.enumerations())
            return list(rounds[number].answers.values()) if 0 <= number < len(rounds) else []
        # Preconditions are asked before an attempt is counted, effects after it.
        attempt = {"precondition": number, "effect": number - 1}.get(phase, -1)
        if not 0 <= attempt < len(episode.attempts):
            return []
        done = episode.attempts[attempt]
        return list(done.preconditions if phase == "precondition" else done.effects or ())


class ReplayedQuestions:
    """Recorded replies to a set of questions."""

    looks = False
    simulated = False
    cacheable = False

    def __init__(self, predictions: Predictions, name: str) -> None:
        self.identity = f"replay:{name}"
        self.predictions = predictions

    def for_episode(self, witness: Witness) -> ReplayedQuestion:
        """The reply to one question."""
        return ReplayedQuestion(self.identity, self.predictions, witness.tags.get("problem", ""))

    async def ask(self, request: Request) -> Reply:
        """The reply to the question in the request."""
        return await ReplayedQuestion(self.identity, self.predictions, "").ask(request)


class ReplayedQuestion:
    """The recorded reply to one question."""

    looks = False
    simulated = False
    cacheable = False

    def __init__(self, identity: str, predictions: Predictions, id: str) -> None:
        self.identity = identity
        self._predictions, self._id = predictions, id
        self._options: tuple[str, ...] = ()

    async def ask(self, request: Request) -> Reply:
        """The recorded reply."""
        what = self._id or "this question"
        if request.place.partition(" ")[0] != QUESTION_PHASE:
            raise ModelUnavailable(
                f"there is only one recorded reply to {what}, and none to what is asked at {request.place}"
            )
        if request.options != (self._options or request.options):
            raise ModelUnavailable(f"the recorded reply to {what} is about the options in another order")
        self._options = request.options
        reply = self._predictions.reply(self._id, request.text)
        if reply is None:
            raise ModelUnavailable(f"there is no recorded reply to {what}")
        return Reply(reply)


def _written(reply: Mapping[str, object]) -> str:
    try:
        return json.dumps(reply)
    except RecursionError:
        raise ModelUnavailable("the recorded reply is nested too deeply") from None


def _reply(answer: Answer, cot: bool) -> Reply:
    text = answer.text.capitalize() if answer.value is not None else answer.text
    return Reply(f"<answer>{text}</answer>" if cot else text, yes=answer.p_yes, no=answer.p_no)


def load(rest: str, options: Options) -> Replay | ReplayedQuestions:
    """Load a file of results of the original, or of predictions."""
    if options:
        raise ValueError("replay takes no options")
    path = Path(rest)
    if not path.is_file():  # reading a pipe could block forever
        raise ValueError(
            f"replay:{rest}: there is no such file; name the results_*.json or predictions of a recorded run"
        )
    name = f"{path.name} {hashlib.sha256(path.read_bytes()).hexdigest()[:12]}"
    try:
        if holds_predictions(path):
            return ReplayedQuestions(read_predictions(path), name)
        return Replay({episode.problem: episode for episode in read_file(path)}, name)
    except RecordError as error:
        raise ValueError(str(error)) from None
