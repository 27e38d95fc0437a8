"""The scores of episodes in the original's form: as its code computes them, and as they are defined.

Success is that all conditions hold at the end, GcS the share of conditions that hold at the end, SPL success times
`L / max(L, P)` for L reference steps and P choices.

The official profile keeps quirks of the published code. Conditions are counted as far as they were recorded, which a
wrong answer cuts short; a task of one condition counts as done or not. Feedback other than `failed` is a successful
interaction, `failed: too far` too. SPL is 0 for a whole category if one reference is missing. Overall values are
computed from rounded category values. One quirk is left out: without `traj.json` the published code takes steps in the
order in which the file system lists them; here they are in their own order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evals.embodiedeval.categories import COUNTS
from evals.embodiedeval.original.results import Episode, Step
from models.parsing import Profile


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one category, or of all, in percent; `length` is in choices."""

    episodes: int
    success: float
    gcs: float
    spl: float | None
    length: float
    interactions: float
    interaction_success: float | None


def figures(
    episodes: Sequence[Episode], references: Mapping[str, int] | None = None, profile: Profile = Profile.ROBUST
) -> dict[str, Figures]:
    """The figures of every category there is, and `overall`; `references` are the reference steps by task."""
    if not episodes:
        return {}
    official = profile is Profile.OFFICIAL
    found = {}
    for category in COUNTS:
        members = [episode for episode in episodes if episode.category == category]
        if members:
            found[category] = _figures(members, references, official)
    found["overall"] = _rounded_mean(list(found.values())) if official else _figures(episodes, references, False)
    return found


def succeeded(episode: Episode) -> bool:
    """Whether the task was done at the end."""
    return episode.last is not None and episode.last.done_after_action == 1


def goal_share(episode: Episode, *, official: bool) -> float:
    """The share of conditions that hold at the end."""
    last = episode.last
    if last is None:
        return 0.0
    total = len(last.predicates_done) if official else episode.predicates
    if total <= 1:
        return float(last.done_after_action == 1)
    return sum(value == 1 for value in last.predicates_done) / total


def path_share(episode: Episode, reference: int) -> float:
    """The SPL of an episode: 1 for success, less if it made more choices than the reference."""
    choices = len(episode.steps)
    return reference / max(reference, choices) if succeeded(episode) else 0.0


def interacts(step: Step) -> bool:
    """Whether the step acted on something, so that the world gave feedback."""
    return bool(step.feedback)


def interaction_succeeds(step: Step, *, official: bool) -> bool:
    """Whether the feedback counts as success."""
    return step.feedback != "failed" if official else not step.feedback.startswith("failed")


def _figures(members: Sequence[Episode], references: Mapping[str, int] | None, official: bool) -> Figures:
    count = len(members)
    acts = [step for episode in members for step in episode.steps if interacts(step)]
    worked = sum(interaction_succeeds(step, official=official) for step in acts)
    return Figures(
        episodes=count,
        success=100 * sum(map(succeeded, members)) / count,
        gcs=100 * sum(goal_share(episode, official=official) for episode in members) / count,
        spl=_spl(members, references, official),
        length=sum(len(episode.steps) for episode in members) / count,
        interactions=len(acts) / count,
        interaction_success=100 * worked / len(acts) if acts else 0.0 if official else None,
    )


def _spl(members: Sequence[Episode], references: Mapping[str, int] | None, official: bool) -> float | None:
    known = references or {}
    lengths = [known.get(episode.task_id) for episode in members]
    if None in lengths:
        return 0.0 if official else None
    shares = [path_share(episode, length or 0) for episode, length in zip(members, lengths, strict=True)]
    return 100 * sum(shares) / len(members)


def _rounded_mean(parts: Sequence[Figures]) -> Figures:
    """The mean over episodes of category values with two decimals each."""
    total = sum(part.episodes for part in parts)

    def mean(name: str) -> float:
        return sum(round(getattr(part, name) or 0.0, 2) * part.episodes for part in parts) / total

    names = ("success", "gcs", "spl", "length", "interactions", "interaction_success")
    return Figures(total, *(mean(name) for name in names))
