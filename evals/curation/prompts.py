"""The prompts of the three models, in our words."""

from __future__ import annotations

import json
from collections.abc import Sequence

from evals.curation.drafts import BANDS, HIGHEST, Candidate, Draft, Finding
from evals.erqa_diagnostic.taxonomy import DEPENDS, FAMILIES, MEANINGS

FORM = (
    '{"type": the sub-type, "question": the question, "choices": [four options without letters], '
    '"answer": "A", "B", "C" or "D", "explanation": why it is right, in a sentence}'
)
RUBRIC = "\n".join(f"{band}: {meaning}" for band, meaning in BANDS.items())
DEMANDS = """\
- The pictures have to be looked at: nobody can answer from the text alone, and the text gives no visual hint.
- Exactly one of the four options is right. The wrong ones are plausible, differ from each other and are surely wrong.
- It takes reasoning about what is seen, of use to a robot; naming a thing is not enough."""


def to_generate(least: int, most: int, sub_types: Sequence[str]) -> str:
    """Asks for questions about the pictures."""
    wanted = f"{least}" if least == most else f"{least} to {most}"
    families = [
        f"{family}\n" + "\n".join(f"  {name}: {MEANINGS[name]}" for name in named if name in sub_types)
        for family, named in FAMILIES.items()
        if any(name in sub_types for name in named)
    ]
    order = "; ".join(f"{family} builds on {', '.join(others)}" for family, others in DEPENDS.items() if others)
    return (
        f"Write {wanted} multiple-choice questions about the pictures, which show what a robot sees. They test "
        f"embodied reasoning. Each is of one of these sub-types:\n{chr(10).join(families)}\n\n"
        f"Order them from perception to decisions ({order}). Leave out sub-types that the pictures give no occasion "
        f"for.\n\nDemands on each question:\n{DEMANDS}\n\nReply with a JSON list and nothing else. Each entry: {FORM}"
    )


def to_judge(candidate: Candidate, earlier: Draft, rubric: str = RUBRIC) -> str:
    """Asks for a verdict on a version; the judge sees its verdicts on earlier ones."""
    verdicts = history(earlier) if len(earlier.versions) > 1 else ""
    memory = f"Earlier versions of this question and your verdicts:\n{verdicts}\n\n" if verdicts else ""
    return (
        "You check a question about the pictures before it becomes part of a benchmark for robots. Answer it yourself "
        "from the pictures first. Then consider: is it decided by the pictures; are the options distinct, and is "
        "exactly one right; is the labelled one right; are statements about space and time correct; does it take "
        f"reasoning, not a cue in the text?\n\nScores:\n{rubric}\n\n{memory}The question:\n{shown(candidate)}\n\n"
        f'Reply with one JSON object and nothing else: {{"score": a whole number from 0 to {HIGHEST}, '
        '"short_explanation": at most two sentences, "detected_issue": [a short name for each fault]}'
    )


def to_revise(draft: Draft, rubric: str = RUBRIC) -> str:
    """Asks for a better version, with all earlier ones, their verdicts and their findings."""
    return (
        "A question about the pictures is not good enough yet. All its versions and what was said of them:\n"
        f"{history(draft, found=True)}\n\nScores:\n{rubric}\n\nDemands:\n{DEMANDS}\n\n"
        "Look at the pictures again. Write a version without these faults: change the question, the options, the label "
        f"or the explanation as needed, and keep the sub-type.\nReply with one JSON object and nothing else: {FORM}"
    )


def to_solve(candidate: Candidate, order: Sequence[int], *, blind: bool) -> str:
    """Asks for the letter of the right option, with the options in another order."""
    listed = "\n".join(f"{'ABCD'[place]}. {candidate.choices[number]}" for place, number in enumerate(order))
    lead = "The pictures that this question is about are not shown. Guess by the text.\n\n" if blind else ""
    return f"{lead}{candidate.question}\n{listed}\n\nReply with the letter of the right option and nothing else."


def again(fault: str) -> str:
    """Added to a request whose reply could not be read."""
    return f"Your last reply could not be read: {fault}. Reply with JSON in the form asked for, and nothing else."


def shown(candidate: Candidate) -> str:
    """A question as models read it."""
    return json.dumps(candidate.as_json(), ensure_ascii=False, indent=1)


def history(draft: Draft, *, found: bool = False) -> str:
    """The versions with their verdicts. With `found`, also findings, and the version that is not judged yet."""
    parts = []
    for number, version in enumerate(draft.versions, 1):
        if version.verdict is None and not (found and version.findings):
            continue
        lines = [f"Version {number}: {shown(version.candidate)}"]
        if version.verdict is not None and version.verdict.score is not None:
            issues = "; ".join(version.verdict.issues)
            lines.append(
                f"Score {version.score}: {version.verdict.explanation}{f' Faults: {issues}' if issues else ''}"
            )
        if found and version.findings:
            lines.append(f"Found by checks: {'; '.join(map(_finding, version.findings))}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def _finding(finding: Finding) -> str:
    return f"{finding.check}: {finding.detail}"
