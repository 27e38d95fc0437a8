"""The pipeline as a LangGraph graph: generate, check, judge, then accept or revise and check again.

Compose another one in a file of your own and name it with `--agent FILE.py:build`:

    from evals.curation.graph import Curator

    NEEDS = "question"

    def build():
        return Curator(rubric="0-10: how much one learns from it", stop=lambda draft: len(draft.versions) > 1).graph()
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from agents.base import END, Agent, Builder, Graph, Needs, go
from evals.curation import prompts
from evals.curation.checks import PROGRAMS
from evals.curation.commission import BLIND, GENERATE, JUDGE, REVISE, SOLVE, TRUTH, Commission
from evals.curation.drafts import LETTERS, Candidate, Draft, Finding, Status, Verdict, Version, stalled
from evals.curation.replies import read_candidate, read_candidates, read_verdict
from models.base import Kind
from models.parsing.answer import Unreadable
from models.parsing.multiple_choice import chosen_letters
from tools.base import gathered
from tools.events import Reason
from tools.questions import QuestionTools

if TYPE_CHECKING:
    from langgraph.runtime import Runtime
    from langgraph.types import Command

T = TypeVar("T")
Stop = Callable[[Draft], bool]
"""Whether to give up a question that is not accepted."""
ORDERS = ((2, 0, 3, 1), (1, 3, 0, 2))
"""Orders in which the options are shown to a solver that answers twice: no option is at the same place twice."""
_LONG, _SHORT = 4096, 2048
"""The most tokens of a reply: of the writer, and of the others. Models that reason unasked need some of them, too."""


class CurationState(TypedDict, total=False):
    """The state of the graph: the questions about the pictures, with all their versions."""

    drafts: tuple[Draft, ...]


@dataclass(frozen=True)
class Curator:
    """The nodes, with the parts that can be replaced: the rubric, the rule for stopping, and further checks."""

    rubric: str = prompts.RUBRIC
    stop: Stop = stalled
    checks: Sequence[Callable[[Candidate], tuple[Finding, ...]]] = ()

    async def generate(self, state: CurationState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Have questions about the pictures written; given ones are taken as they are."""
        tools, task = runtime.context, commission(runtime.context)
        found: tuple[Candidate, ...] | Unreadable = task.given
        if not task.given:
            text = prompts.to_generate(task.least, task.most, task.sub_types)
            about = {"least": task.least, "most": task.most, "sub_types": task.sub_types}
            found = await wanted(tools, text, read_candidates, GENERATE, about)
        if isinstance(found, Unreadable):
            tools.end(Reason.UNREADABLE, found.reason)
            return go(END)
        kept = found if task.given else found[: task.most]
        drafts = tuple(Draft(f"{number}", (Version(one),)) for number, one in enumerate(kept, 1))
        return go("check", CurationState(drafts=drafts))

    async def check(self, state: CurationState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Run the checks that need no model, and ask the solver."""
        drafts = await self._each(state, lambda draft: self._checked(draft, runtime.context))
        return go("judge", CurationState(drafts=drafts))

    async def judge(self, state: CurationState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Have the judge score each version without a fatal finding. The judge also sees the earlier versions."""
        drafts = await self._each(state, lambda draft: self._judged(draft, runtime.context))
        return go("decide", CurationState(drafts=drafts))

    async def decide(self, state: CurationState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Accept each question, give it up, or leave it open for revision."""
        task = commission(runtime.context)
        drafts = tuple(self._decided(draft, task) for draft in state["drafts"])
        more = any(draft.status is Status.OPEN for draft in drafts)
        return go("revise" if more else "finish", CurationState(drafts=drafts))

    async def revise(self, state: CurationState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Have the open questions revised. The reviser sees all versions and verdicts."""
        drafts = await self._each(state, lambda draft: self._revised(draft, runtime.context))
        more = any(draft.status is Status.OPEN for draft in drafts)
        return go("check" if more else "finish", CurationState(drafts=drafts))

    async def finish(self, state: CurationState, runtime: Runtime[QuestionTools]) -> Command[str]:
        """Hand in all questions with all their versions."""
        drafts = state["drafts"]
        accepted = sum(draft.status is Status.ACCEPTED for draft in drafts)
        text = json.dumps([draft.as_json() for draft in drafts], ensure_ascii=False)
        runtime.context.answer(f"{accepted} of {len(drafts)} accepted", text=text)
        return go(END)

    def add_to(self, graph: Builder) -> None:
        """Add the nodes; the first is `generate`."""
        graph.add_node("generate", self.generate, destinations=("check", END))
        graph.add_node("check", self.check, destinations=("judge",))
        graph.add_node("judge", self.judge, destinations=("decide",))
        graph.add_node("decide", self.decide, destinations=("revise", "finish"))
        graph.add_node("revise", self.revise, destinations=("check", "finish"))
        graph.add_node("finish", self.finish, destinations=(END,))

    def graph(self) -> Graph:
        """The pipeline."""
        from langgraph.graph import START, StateGraph

        graph = StateGraph(CurationState, context_schema=QuestionTools)
        graph.add_edge(START, "generate")
        self.add_to(graph)
        return graph.compile()

    async def _each(
        self, state: CurationState, work: Callable[[Draft], Coroutine[Any, Any, Draft]]
    ) -> tuple[Draft, ...]:
        """The drafts after `work` on each open one, all at the same time."""
        drafts = state["drafts"]
        open_ = [number for number, draft in enumerate(drafts) if draft.status is Status.OPEN]
        done = await gathered(work(drafts[number]) for number in open_)
        changed: dict[int, Draft] = dict(zip(open_, done, strict=True))
        return tuple(changed.get(number, draft) for number, draft in enumerate(drafts))

    async def _checked(self, draft: Draft, tools: QuestionTools) -> Draft:
        candidate, named = draft.last.candidate, commission(tools).checks
        programs = [*(PROGRAMS[name] for name in named if name in PROGRAMS), *self.checks]
        findings = [finding for program in programs for finding in program(candidate)]
        if not any(finding.fatal for finding in findings):
            for name, ask in (("truth", _truth), ("blind", _blind), ("solve", _solved)):
                if name in named:
                    findings += await ask(tools, draft)
        return draft.with_last(replace(draft.last, findings=tuple(findings)))

    async def _judged(self, draft: Draft, tools: QuestionTools) -> Draft:
        # In an exam the judge also gets versions with a fatal finding: they are part of what it is examined on.
        if any(finding.fatal for finding in draft.last.findings) and not commission(tools).given:
            return draft
        text = prompts.to_judge(draft.last.candidate, draft, self.rubric)
        found = await wanted(tools, text, read_verdict, JUDGE, about(draft))
        verdict = Verdict(None, found.reason) if isinstance(found, Unreadable) else found
        return draft.with_last(replace(draft.last, verdict=verdict))

    def _decided(self, draft: Draft, task: Commission) -> Draft:
        if draft.status is not Status.OPEN:
            return draft
        last = draft.last
        if last.verdict is not None and last.verdict.score is None:
            return draft.settled(Status.UNJUDGED, last.verdict.explanation)
        if last.score is not None and last.score >= task.accept and not last.findings:
            return draft.settled(Status.ACCEPTED)
        if len(draft.versions) >= task.rounds:
            return draft.settled(Status.GIVEN_UP, "no version was accepted within the rounds")
        return draft.settled(Status.GIVEN_UP, "the score does not rise") if self.stop(draft) else draft

    async def _revised(self, draft: Draft, tools: QuestionTools) -> Draft:
        found = await wanted(tools, prompts.to_revise(draft, self.rubric), read_candidate, REVISE, about(draft))
        if isinstance(found, Unreadable):
            return draft.settled(Status.GIVEN_UP, f"the revision could not be read: {found.reason}")
        kept = found if found.sub_type else replace(found, sub_type=draft.last.candidate.sub_type)
        return replace(draft, versions=(*draft.versions, Version(kept)))


def commission(tools: QuestionTools) -> Commission:
    """The task of the episode."""
    if not isinstance(tools.task, Commission):
        raise TypeError("this graph makes questions, and the task is to answer one: run it with evals.curation")
    return tools.task


def about(draft: Draft) -> dict[str, object]:
    """The subject of a request, for simulated models, which read no language. It never contains the truth."""
    findings = [f"{finding.check}: {finding.detail}" for finding in draft.last.findings]
    verdict = draft.last.verdict
    issues = list(verdict.issues) if verdict else []
    return {"version": len(draft.versions), **draft.last.candidate.as_json(), "findings": findings, "issues": issues}


async def wanted(
    tools: QuestionTools, text: str, read: Callable[[str], T | Unreadable], role: str, about: object
) -> T | Unreadable:
    """Ask a model and read its reply. If the reply cannot be read, ask once more and say why."""
    fault = ""
    for _ in range(2):
        prompt = f"{text}\n\n{prompts.again(fault)}" if fault else text
        reading = await tools.ask(
            [*tools.task.pictures, prompt], kind=Kind.TEXT, phase=role, about=_dumped(about),
            max_tokens=_LONG if role == GENERATE else _SHORT,
        )  # fmt: skip
        found = read(reading.text)
        if not isinstance(found, Unreadable):
            return found
        fault = "it was cut off" if reading.truncated else found.reason
    return Unreadable(fault)


async def _truth(tools: QuestionTools, draft: Draft) -> list[Finding]:
    """Findings from the truth about our own pictures; none for other pictures."""
    reading = await tools.ask("What is known?", phase=TRUTH, about=_dumped(about(draft)))
    return [Finding("truth", detail) for detail in json.loads(reading.text)]


async def _blind(tools: QuestionTools, draft: Draft) -> list[Finding]:
    """A finding if the solver chooses the labelled option twice without the pictures."""
    given = await _answers(tools, draft, blind=True)
    if set(given) == {draft.last.candidate.answer}:
        return [Finding("blind", "answered right twice without the pictures")]
    return []


async def _solved(tools: QuestionTools, draft: Draft) -> list[Finding]:
    """A finding if the solver, with the pictures, chooses the same other option twice."""
    given = set(await _answers(tools, draft, blind=False))
    if len(given) == 1 and (one := given.pop()) and one != draft.last.candidate.answer:
        return [Finding("solve", f"answered {one} twice from the pictures, not {draft.last.candidate.answer}")]
    return []


async def _answers(tools: QuestionTools, draft: Draft, *, blind: bool) -> list[str]:
    """The solver's letters in the question's own order of options; empty where a reply cannot be read."""
    candidate, found = draft.last.candidate, []
    for number, order in enumerate(ORDERS):
        pictures = () if blind else tools.task.pictures
        reading = await tools.ask(
            [*pictures, prompts.to_solve(candidate, order, blind=blind)], phase=BLIND if blind else SOLVE,
            about=_dumped({**about(draft), "order": order, "number": number}), max_tokens=_SHORT,
        )  # fmt: skip
        shown = tuple(candidate.choices[place] for place in order)
        read = chosen_letters(reading.text, LETTERS, shown, several=False)
        found.append("" if isinstance(read, Unreadable) else LETTERS[order[LETTERS.index(read[0])]])
    return found


def _dumped(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


AGENT = Agent(
    "curate", "writes, checks, judges and revises questions about pictures", Curator().graph, "answerer",
    needs=Needs.QUESTION, plans=False,
)  # fmt: skip
