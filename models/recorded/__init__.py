"""Recorded runs of the original ViPlan, read into typed records.

    from models.recorded import open_checkout
    for run in open_checkout(Path("ViPlan")).runs():
        print(run.setting, sum(episode.solved for episode in run.episodes))

Terms of the original: `predicates` runs are our grounder methods, `vila` runs our planner methods, `igibson` is our
Household domain. Questions come in three phases: enumeration (every ground atom about one picture, at the start of a
Blocksworld problem and before every replan), precondition (before an action) and effect (after it).
"""

from models.recorded.checkout import Checkout, RunFile, contradiction, model_name, open_checkout
from models.recorded.reading import RecordError, read_run
from models.recorded.records import (
    Answer,
    Attempt,
    Enumeration,
    Episode,
    GrounderEpisode,
    Outcome,
    Phase,
    PlannedAction,
    PlannerEpisode,
    PlannerStep,
    RecordedRun,
    Replan,
    Setting,
)

__all__ = [
    "Answer",
    "Attempt",
    "Checkout",
    "Enumeration",
    "Episode",
    "GrounderEpisode",
    "Outcome",
    "Phase",
    "PlannedAction",
    "PlannerEpisode",
    "PlannerStep",
    "RecordError",
    "RecordedRun",
    "Replan",
    "RunFile",
    "Setting",
    "contradiction",
    "model_name",
    "open_checkout",
    "read_run",
]
