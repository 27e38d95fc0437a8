"""Questions from other people's episodes, by the five published stages. Each stage logs what it dropped, and why.

    raw episodes -> pairs of key frames -> true actions -> distractors -> questions

The paper leaves some decisions open. Here, pairs follow each other in an episode, each as short as the thresholds
allow; candidates of state prediction are other frames of the same episode with other labels, and for the high level
frames from before the goal was reached.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import TYPE_CHECKING

from envs.arm.labels import low_label, mid_label, named, selected, unclear
from envs.arm.reading import AI_DECIMALS, SP_DECIMALS, mid_of, signs_of
from envs.arm.recording import Frame, Recording
from envs.arm.states import Motion, motion_between
from evals.actioneqa import distractors
from evals.actioneqa.entries import CONFIGURATIONS, Configuration, Entry

if TYPE_CHECKING:
    from envs.render.arrays import Bytes

STAGES = ("episodes", "pairs", "actions", "distractors", "questions")
VERBS: Mapping[str, frozenset[str]] = {
    "droid": frozenset({"pick", "place", "put", "remove", "take"}),
    "bridge": frozenset({"flip", "fold", "move", "pick", "put"}),
    "rt1": frozenset({"move", "pick", "place"}),
}
"""The verbs of the instructions that are asked about."""
REACHED = 0.7
"""Frames up to this share of an episode are assumed to be from before the goal was reached."""
SAMPLED = 9
"""The number of frames from which the usual sharpness of an episode is computed."""
_WORD = re.compile(r"[a-z]+")
Writer = Callable[["Action"], list[str]]
"""A function that writes three distractors of the high level."""


@dataclass
class Log:
    """How many each stage took, kept and dropped, by reason."""

    taken: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    dropped: dict[str, Counter[str]] = field(default_factory=lambda: {stage: Counter() for stage in STAGES})

    def drop(self, stage: str, reason: str) -> None:
        """Count what a stage dropped."""
        self.dropped[stage][reason] += 1

    def as_json(self) -> dict[str, object]:
        """The log as JSON, for the file beside the questions."""
        return {
            stage: {"taken": self.taken[stage], "kept": self.kept[stage], "dropped": dict(self.dropped[stage])}
            for stage in STAGES
        }


@dataclass(frozen=True, slots=True)
class Pair:
    """Two key frames of an episode, given by their numbers."""

    recording: Recording
    before: int
    after: int

    @property
    def motion(self) -> Motion:
        """What the gripper did between them."""
        frames = self.recording.frames
        return motion_between(frames[self.before].state, frames[self.after].state)


@dataclass(frozen=True, slots=True)
class Action:
    """The true action of a pair, at one level."""

    pair: Pair
    level: str
    text: str
    """Its text among the options of action inference."""
    given: str
    """Its text in the question of state prediction."""


def episodes(found: Iterable[Recording], log: Log) -> Iterator[Recording]:
    """Stage 1: episodes with an instruction and at least two frames."""
    for recording in found:
        log.taken["episodes"] += 1
        if len(recording.frames) < 2:
            log.drop("episodes", "fewer than two frames")
        else:
            log.kept["episodes"] += 1
            yield recording


def pairs(recording: Recording, log: Log) -> Iterator[Pair]:
    """Stage 2: pairs that move enough, in frames that are sharp and evenly lit.

    Pairs with a hidden gripper are not dropped, because RLDS files have no masks.
    """
    if recording.source == "rt1":
        return
    states = [frame.state for frame in recording.frames]
    check = FrameCheck(recording)
    start = 0
    while start < len(states) - 1:
        end = next(
            (n for n in range(start + 1, len(states))
             if selected(motion_between(states[start], states[n]), recording.source)), None,
        )  # fmt: skip
        log.taken["pairs"] += 1
        if end is None:
            log.drop("pairs", "little motion")
            return
        reason = check.fault(start, end)
        if reason:
            log.drop("pairs", reason)
        else:
            log.kept["pairs"] += 1
            yield Pair(recording, start, end)
        start = end


def whole(recording: Recording, log: Log) -> Pair | None:
    """Stage 2 for the high level: the first and the last frame."""
    log.taken["pairs"] += 1
    reason = FrameCheck(recording).fault(0, len(recording.frames) - 1)
    if reason:
        log.drop("pairs", reason)
        return None
    log.kept["pairs"] += 1
    return Pair(recording, 0, len(recording.frames) - 1)


class FrameCheck:
    """Checks whether frames can be used, in the first view of an episode."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._usual: list[float] | None = None

    def fault(self, before: int, after: int) -> str:
        """Why a pair cannot be used; empty if it can."""
        from envs.arm import gates
        from evals.questions.readers.rows import BadData

        try:
            first, second = self._pixels(before), self._pixels(after)
            usual = self._sharpness()
        except BadData:
            return "damaged picture"
        if any(gates.blurred(gates.sharpness(frame), usual) for frame in (first, second)):
            return "blurred"
        if gates.badly_lit(first) or gates.badly_lit(second):
            return "bad light"
        return "light changes" if gates.light_changes(first, second) else ""

    def _sharpness(self) -> list[float]:
        from envs.arm.gates import sharpness

        if self._usual is None:
            count = len(self._recording.frames)
            places = sorted({round(n * (count - 1) / (SAMPLED - 1)) for n in range(SAMPLED)})
            self._usual = [sharpness(self._pixels(place)) for place in places]
        return self._usual

    def _pixels(self, place: int) -> Bytes:
        import numpy as np
        from PIL import Image

        frame = self._recording.frames[place]
        return np.asarray(Image.open(io.BytesIO(frame.picture(frame.views[0]))).convert("RGB"))


def actions(pair: Pair, log: Log) -> Iterator[Action]:
    """Stage 3: the true action of a pair at the middle and the low level."""
    log.taken["actions"] += 1
    source, motion = pair.recording.source, pair.motion
    if unclear(motion, source):
        log.drop("actions", "a dimension may be named or not")
        return
    log.kept["actions"] += 1
    dimensions = named(motion, source)
    yield Action(pair, "mid", mid_label(motion, dimensions), mid_label(motion, dimensions, amounts=True))
    yield Action(pair, "low", low_label(motion, AI_DECIMALS), low_label(motion, SP_DECIMALS))


def goal(pair: Pair, log: Log) -> Action | None:
    """Stage 3 for the high level: the instruction, if its verb is one that is asked about."""
    log.taken["actions"] += 1
    text = " ".join(pair.recording.instruction.split())
    if not text:
        log.drop("actions", "no instruction")
    elif not VERBS[pair.recording.source] & set(_WORD.findall(text.casefold())):
        log.drop("actions", "another verb")
    else:
        log.kept["actions"] += 1
        return Action(pair, "high", text, text)
    return None


def options_of(action: Action, pool: Sequence[str], dice: Random, write: Writer | None = None) -> list[str]:
    """Stage 4 for action inference: the true action and three distractors; `NoDistractors` if there are none."""
    motion, source = action.pair.motion, action.pair.recording.source
    match action.level:
        case "high" if write is not None:
            return [action.text, *write(action)]
        case "high":
            return [action.text, *distractors.other_instructions(action.text, pool, dice)]
        case "mid":
            return [action.text, *map(mid_of, distractors.mid_distractors(signs_of(motion, source), dice))]
    return [action.text, *(low_label(one, AI_DECIMALS) for one in distractors.low_distractors(motion, dice))]


def frames_of(action: Action, dice: Random) -> list[int]:
    """Stage 4 for state prediction: the frame after and three others; `NoDistractors` if there are too few."""
    pair, recording = action.pair, action.pair.recording
    states, source = [frame.state for frame in recording.frames], recording.source
    if action.level == "high":
        others = list(range(1, int(REACHED * (len(states) - 1)) + 1))
    else:
        own = signs_of(pair.motion, source)
        others = [
            number for number in range(len(states))
            if number not in (pair.before, pair.after)
            and signs_of(motion_between(states[pair.before], states[number]), source) not in ({}, own)
        ]  # fmt: skip
    if len(others) < distractors.OTHERS:
        raise distractors.NoDistractors("too few other frames")
    # Frames far from each other: neighbours would look the same.
    dice.shuffle(others)
    chosen = sorted(others)[:: max(1, len(others) // distractors.OTHERS)][: distractors.OTHERS]
    return [pair.after, *chosen]


def questions(actions_: Sequence[Action], seed: int, log: Log, write: Writer | None = None) -> Iterator[Entry]:
    """Stages 4 and 5: distractors, shuffled letters, and a check of the form."""
    pool = [action.text for action in actions_ if action.level == "high"]
    for number, action in enumerate(actions_):
        for direction in ("forward", "inverse"):
            configuration = CONFIGURATIONS[f"{action.pair.recording.source}_{action.level}_{direction}"]
            dice = Random(f"{seed} {number} {direction}")
            log.taken["distractors"] += 1
            try:
                entry = _entry(action, configuration, number, pool, dice, write)
            except distractors.NoDistractors as error:
                log.drop("distractors", str(error))
                continue
            log.kept["distractors"] += 1
            log.taken["questions"] += 1
            fault = fault_of(entry)
            if fault:
                log.drop("questions", fault)
                continue
            log.kept["questions"] += 1
            yield entry


def _entry(
    action: Action, configuration: Configuration, number: int, pool: Sequence[str], dice: Random, write: Writer | None
) -> Entry:
    pair = action.pair
    frames = pair.recording.frames
    name = f"{configuration.name}-{pair.recording.id}-{pair.before}-{pair.after}"
    before = partial(strip, frames[pair.before])
    order = dice.sample(range(4), 4)
    right = order.index(0)
    if configuration.direction == "forward":
        places = frames_of(action, dice)
        candidates = [partial(strip, frames[places[place]]) for place in order]
        options = tuple(f"picture {place}" for place in range(2, 6))
        return Entry(name, configuration, right, before, None, candidates, options, action.given, pair.recording.id)
    texts = options_of(action, pool, dice, write)
    options = tuple(texts[place] for place in order)
    return Entry(name, configuration, right, before, partial(strip, frames[pair.after]), (), options,
                 scene=pair.recording.id)  # fmt: skip


def fault_of(entry: Entry) -> str:
    """What is wrong with the form of a question; empty if nothing is."""
    if len(entry.options) != 4 or len(set(entry.options)) != 4:
        return "options are not four different ones"
    if not 0 <= entry.right < 4 or not entry.true_action:
        return "there is no true action"
    return "" if len(entry.shots) == (5 if entry.forward else 2) else "a picture is missing"


def strip(frame: Frame, views: Sequence[str]) -> bytes:
    """Some views of a frame side by side, each in the published size of its source."""
    from PIL import Image

    shown = [view for view in views if view in frame.views]
    opened = [Image.open(io.BytesIO(frame.picture(view))).convert("RGB") for view in shown]
    height = opened[0].height
    found = Image.new("RGB", (sum(image.width for image in opened), height))
    left = 0
    for image in opened:
        found.paste(image, (left, 0))
        left += image.width
    out = io.BytesIO()
    found.save(out, "PNG", compress_level=1)
    return out.getvalue()
