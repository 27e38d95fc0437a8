"""ViPlan as a benchmark: its problems, worlds and step limits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import cast

from envs.base import Announcing, View, World
from envs.quiet import Quiet
from envs.seeds import seed_of
from evals.judges.symbolic import JUDGING, SymbolicJudge
from evals.pages.markup import Html
from evals.run.benchmark import Supplies
from evals.run.episodes import Episode
from evals.run.judging import Judging
from evals.run.settings import fingerprint
from evals.viplan.domains.base import PlayedDomain, Posed, splits_of
from evals.viplan.generated import Wanted
from evals.viplan.settings import ViPlanSettings
from models.registry import load_model
from models.replay import Replay
from models.sim import check_published
from planners.names import unknown
from tools.base import Conduct
from tools.prompts import PromptSet

DOMAINS = ("blocksworld", "household")


class ViPlan:
    """The benchmark. With a recorded run, its worlds behave as recorded."""

    name = "viplan"
    settings = ViPlanSettings

    def __init__(self, replay: Replay | None = None) -> None:
        self._replay = replay

    def splits(self, settings: ViPlanSettings) -> Sequence[str]:
        """The splits of a run, in order; with both domains, separate for each."""
        return [heading(settings, domain.name, split) for domain in domains(settings) for split in splits_of(settings)]

    def prompts(self, settings: ViPlanSettings) -> PromptSet:
        """Ours, or those of a checkout of the original."""
        if settings.viplan_root is None:
            return PromptSet.ours()
        root = Path(settings.viplan_root)
        if not root.is_dir():
            raise FileNotFoundError(f"--viplan-root: there is no folder {root}")
        if settings.domain == "all":
            raise ValueError("--viplan-root has prompts for one domain each: choose --domain blocksworld or household")
        return PromptSet.of_original(root, settings.domain)

    def conduct(self, settings: ViPlanSettings) -> Conduct:
        """The original's rules, or ours."""
        return settings.rules

    def judging(self, settings: ViPlanSettings) -> Judging:
        """The judging of symbolic worlds; only Blocksworld has sketches."""
        return JUDGING

    def check(self, settings: ViPlanSettings) -> None:
        """Check each domain."""
        if settings.domain == "all" and settings.problems and not Wanted.parse(settings.problems):
            raise ValueError("--problems is a folder for one domain: choose --domain blocksworld or household")
        if settings.env_url and settings.domain != "household":
            raise ValueError("--env-url is the address of a home: it goes with --domain household")
        _check_setting(settings)
        check_published(settings.model, (domain.name for domain in domains(settings)))
        for domain in domains(settings):
            domain.check(settings)

    def check_pictures(self, settings: ViPlanSettings) -> None:
        """All pictures are drawn, or come from a server."""

    def at_once(self, settings: ViPlanSettings) -> int | None:
        """One episode at a time on a server, which has one world."""
        return 1 if settings.env_url else None

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Hashes of the problem files, and of the worlds' pictures, texts and rules."""
        parts: dict[str, list[str]] = {"setting": [f"start {settings.start}, announces {settings.announces}"]}
        for domain in domains(settings):
            files = [file for split in splits_of(settings) for file in domain.files(settings, split)]
            contents = [path.read_bytes() for file in files for path in sorted(file.parent.glob(f"{file.stem}.*"))]
            for name, value in {"problems": fingerprint(*contents), **domain.fingerprints(settings)}.items():
                parts.setdefault(name, []).append(value)
        return {name: " + ".join(values) for name, values in parts.items()}

    def episodes(self, settings: ViPlanSettings) -> list[Episode]:
        """One episode for each problem."""
        return [
            Episode(
                id=posed.id,
                split=heading(settings, domain.name, posed.split),
                seed=seed_of(settings.seed, posed.id),
                step_limit=domain.steps(posed.split, "grounder"),
                tags={"problem": posed.name, "level": posed.split, "domain": domain.name},
            )
            for domain in domains(settings)
            for split in splits_of(settings)
            for posed in domain.posed(settings, split)
        ]

    def step_limit(self, episode: Episode, settings: ViPlanSettings, family: str) -> int:
        """The step limit; for planner methods it grows with difficulty."""
        return self._domain(episode, settings).steps(episode.tags["level"], family)

    def open(self, episode: Episode, settings: ViPlanSettings, supplies: Supplies) -> tuple[View, SymbolicJudge]:
        """The world of a problem, and its judge."""
        posed = self._posed(settings, episode.tags["domain"], episode.tags["level"])
        name = episode.id.partition(".repeat")[0]
        if name not in posed:
            raise unknown("problem", name, posed)
        world = posed[name].open(episode.seed, self._record(settings), supplies.pictures)
        if settings.announces is not Announcing.FULL:
            world = cast(World, Quiet(world, settings.announces))
        judge = SymbolicJudge(world, episode.tags, supplies.planner)
        return View(world), judge

    def sketch(self, state: tuple[str, ...]) -> Html | None:
        """A sketch of a state for runs without pictures; None if the state cannot be drawn."""
        from evals.viplan.sketch import sketch

        return sketch(state)

    def _domain(self, episode: Episode, settings: ViPlanSettings) -> PlayedDomain:
        return next(domain for domain in domains(settings) if domain.name == episode.tags["domain"])

    @lru_cache(maxsize=64)  # noqa: B019 - a benchmark lives as long as the program
    def _posed(self, settings: ViPlanSettings, domain: str, split: str) -> Mapping[str, Posed]:
        found = next(one for one in domains(settings) if one.name == domain)
        return {posed.id: posed for posed in found.posed(settings, split)}

    def _record(self, settings: ViPlanSettings) -> Replay | None:
        """The recorded run whose slips are repeated."""
        if self._replay is None and settings.model.startswith("replay:"):
            return _loaded(settings.model)
        return self._replay


@lru_cache(maxsize=4)
def _loaded(spec: str) -> Replay | None:
    model = load_model(spec)
    return model if isinstance(model, Replay) else None


def domains(settings: ViPlanSettings) -> list[PlayedDomain]:
    """The domains of a run. Household is imported only if needed."""
    if settings.env_url:
        from evals.viplan.domains.remote import RemoteHouseholdDomain

        return [RemoteHouseholdDomain()]
    names = DOMAINS if settings.domain == "all" else (settings.domain,)
    return [getattr(import_module(f"evals.viplan.domains.{name}"), f"{name.capitalize()}Domain")() for name in names]


def _check_setting(settings: ViPlanSettings) -> None:
    """Raise `ValueError` for a start or a feedback that the worlds of the run do not have."""
    changed = settings.start != "told" or settings.announces is not Announcing.FULL
    if settings.start != "told" and settings.domain != "household":
        raise ValueError("--start seen is for homes, where something is out of view: add --domain household")
    if changed and settings.rules.official:
        raise ValueError("--rules official tells the start and announces failures: use --rules mended")
    if changed and (settings.env_url or settings.model.startswith("replay:")):
        raise ValueError("--start seen and --feedback legality|none are for worlds of our own, played anew")


def heading(settings: ViPlanSettings, domain: str, split: str) -> str:
    """The name of a split in tables."""
    return f"{domain} {split}" if settings.domain == "all" else split


BENCHMARK = ViPlan()
