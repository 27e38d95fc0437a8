"""Answers as options in words, as the original shows them: `answer "two"`."""

from __future__ import annotations

from dataclasses import replace

from envs.embodied.model import Act, Check, Task

ANSWERING = 'answer "'


def quoted(task: Task) -> Task:
    """The task with its answers as options in words: `answer "two"`."""
    options = tuple(
        replace(option, text=in_words(option.text)) if option.act is Act.ANSWER else option for option in task.options
    )
    predicates = tuple(
        replace(predicate, value=in_words(predicate.value)) if predicate.check is Check.CHOOSE else predicate
        for predicate in task.predicates
    )
    return replace(task, options=options, predicates=predicates)


def in_words(answer: str) -> str:
    """An answer as an option."""
    return f'{ANSWERING}{answer}"'
