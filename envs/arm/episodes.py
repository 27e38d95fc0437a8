"""Episodes of our own arms: one skill from approach to retreat, with a picture and a state at every step."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

from envs.arm.goals import SETTINGS, wanted
from envs.arm.motions import Refused
from envs.arm.pictures import draw
from envs.arm.recipes import Moment
from envs.arm.recording import Frame, Recording
from envs.arm.rollout import Impossible, Rollout
from envs.arm.scenes import VIEWS, Table, table
from envs.arm.skills import SKILLS, do, place_inside
from envs.arm.states import motion_between
from envs.render.png import png
from planners.names import unknown

FRAMES = 4
"""The number of frames between two waypoints."""
_TRIES = 400


def episode(source: str, verb: str, seed: int, *, frames: int = FRAMES, arm: str = "") -> Recording:
    """The first scene from a seed on in which a skill succeeds, as a recording; pictures are drawn when asked for."""
    if verb not in SKILLS:
        raise unknown("skill", verb, SKILLS)
    if source not in VIEWS:
        raise unknown("source", source, VIEWS)
    for number in range(seed * _TRIES, (seed + 1) * _TRIES):
        made = table(source, number, SETTINGS.get(verb, ""), arm)
        try:
            run = Rollout(made, frames=frames)
            inside, goal = wanted(verb, made, Random(number))
            for thing, place in inside:
                place_inside(run, thing, place)
            run.moments = [(run.moment(), "start")]
            do(run, goal.skill)
        except (Impossible, Refused):
            continue
        steps = tuple(_frame(made, moment, tag) for moment, tag in run.moments)
        return Recording(f"{source}-{verb.replace(' ', '_')}-{number}", source, goal.words, steps)
    raise Impossible(f"{verb} succeeds in none of {_TRIES} scenes of {source} from seed {seed} on")


def _frame(made: Table, moment: Moment, tag: str) -> Frame:
    return Frame(moment.state, VIEWS[made.source], partial(_picture, made, moment), tag)


def _picture(made: Table, moment: Moment, view: str) -> bytes:
    return png(draw(made, moment, view))


def steps(recording: Recording) -> Iterator[dict[str, Any]]:
    """The steps under the keys that RLDS uses, pictures by the names of their files."""
    last = len(recording.frames) - 1
    for number, frame in enumerate(recording.frames):
        after = recording.frames[min(number + 1, last)].state
        yield {
            "is_first": number == 0,
            "is_last": number == last,
            "is_terminal": number == last,
            "language_instruction": recording.instruction,
            "observation": {
                "state": [*frame.state],
                **{f"image_{view}": f"{view}_{number:03d}.png" for view in frame.views},
            },
            "action": [*motion_between(frame.state, after)],
            "reward": float(number == last),
            "discount": 1.0,
            "skill": frame.tag,
        }


def save(recording: Recording, folder: Path, views: Sequence[str] = ()) -> Path:
    """Write an episode to a folder of its own: steps.jsonl, and a PNG file for each picture of the views."""
    own = folder / recording.id
    own.mkdir(parents=True, exist_ok=True)
    for number, frame in enumerate(recording.frames):
        for view in views or frame.views:
            (own / f"{view}_{number:03d}.png").write_bytes(frame.picture(view))
    (own / "steps.jsonl").write_text("".join(json.dumps(step) + "\n" for step in steps(recording)))
    return own


def film(recording: Recording, view: str, count: int = 7) -> bytes:
    """Some evenly spaced frames of an episode side by side, as a JPEG file."""
    from PIL import Image

    last = len(recording.frames) - 1
    chosen = [recording.frames[round(number * last / (count - 1))] for number in range(count)]
    pictures = [Image.open(BytesIO(frame.picture(view))) for frame in chosen]
    width, height = pictures[0].size
    strip = Image.new("RGB", (width * count, height))
    for number, picture in enumerate(pictures):
        strip.paste(picture, (number * width, 0))
    buffer = BytesIO()
    strip.save(buffer, "JPEG", quality=88)
    return buffer.getvalue()
