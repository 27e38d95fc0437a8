"""ViPlan as a benchmark: which problems, which worlds, how many steps."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

from agents.base import Agent
from envs.seeds import seed_of
from evals.episodes import Episode
from evals.settings import fingerprint
from evals.viplan_domains.base import PlayedDomain, Posed, ViPlanSettings, splits_of
from models.base import Model
from planners.outcome import Planner
from tools.prompts import PromptSet
from tools.toolbox import Conduct

DOMAINS = ("blocksworld", "household")


class ViPlan:
    """The benchmark."""

    name = "viplan"
    settings = ViPlanSettings

    def splits(self, settings: ViPlanSettings) -> Sequence[str]:
        """The splits that a run plays, in order; with both domains, each of them apart."""
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
        """The original's rules, or with its quirks mended."""
        return settings.rules

    def check(self, settings: ViPlanSettings, planner: Planner) -> None:
        """Each domain knows what it can play."""
        if settings.domain == "all" and settings.problems:
            raise ValueError("--problems is a folder for one domain: choose --domain blocksworld or household")
        if settings.env_url and settings.domain != "household":
            raise ValueError("--env-url is the address of a home: it goes with --domain household")
        for domain in domains(settings):
            domain.check(settings, planner)

    def at_once(self, settings: ViPlanSettings) -> int | None:
        """A server has one world, in which one episode is played at a time."""
        return 1 if settings.env_url else None

    def fingerprints(self, settings: ViPlanSettings) -> dict[str, str]:
        """Of the problem files, and of how the worlds look, speak and work."""
        parts: dict[str, list[str]] = {}
        for domain in domains(settings):
            files = [file for split in splits_of(settings) for file in domain.files(settings, split)]
            contents = [path.read_bytes() for file in files for path in sorted(file.parent.glob(f"{file.stem}.*"))]
            for name, value in {"problems": fingerprint(*contents), **domain.fingerprints(settings)}.items():
                parts.setdefault(name, []).append(value)
        return {name: " + ".join(values) for name, values in parts.items()}

    def episodes(self, settings: ViPlanSettings, agent: Agent, model: Model) -> list[Episode]:
        """One episode for each problem."""
        return [
            _episode(domain, posed, settings, agent, model)
            for domain in domains(settings)
            for split in splits_of(settings)
            for posed in domain.posed(settings, split)
        ]


def domains(settings: ViPlanSettings) -> list[PlayedDomain]:
    """The domains that a run plays. Household is imported only when it is wanted: it brings a home with it."""
    if settings.env_url:
        from evals.viplan_domains.remote import RemoteHouseholdDomain

        return [RemoteHouseholdDomain()]
    names = DOMAINS if settings.domain == "all" else (settings.domain,)
    return [getattr(import_module(f"evals.viplan_domains.{name}"), f"{name.capitalize()}Domain")() for name in names]


def heading(settings: ViPlanSettings, domain: str, split: str) -> str:
    """What a split is called in tables."""
    return f"{domain} {split}" if settings.domain == "all" else split


def _episode(domain: PlayedDomain, posed: Posed, settings: ViPlanSettings, agent: Agent, model: Model) -> Episode:
    seed = seed_of(settings.seed, posed.id)
    return Episode(
        id=posed.id,
        problem=posed.name,
        split=heading(settings, domain.name, posed.split),
        seed=seed,
        step_limit=settings.steps or domain.steps(posed.split, agent),
        open=partial(posed.open, seed, model),
        level=posed.split,
    )
