"""Trace requests to LangSmith, if its environment variables are set.

LangGraph traces graphs and nodes itself. Our client does not use LangChain, so each request is traced here, as an `llm`
run below the node that asks. LangChain's chat models trace themselves: for them the request is a `chain` around their
own run, so that no token is counted twice. Pictures are sent as hashes, never as bytes.
"""

from __future__ import annotations

from typing import Any

from evals.run.directory import RunDirectory
from evals.run.episodes import Episode
from evals.run.watching import OnRecord
from models._langsmith import hide_pictures
from models.base import Message, Model, Reply, Request
from models.wrapped import Wrapped


class LangSmith:
    """Traces requests to LangSmith."""

    def __init__(self) -> None:
        hide_pictures()  # an agent may use chat models of its own

    def begin(self, run: RunDirectory, episode: Episode, model: Model) -> tuple[Model, OnRecord]:
        """The model, with its requests traced. Events are not: LangGraph traces the nodes."""
        facts = {"run": run.path.resolve().name, "episode": episode.id, "split": episode.split}
        return RecordedModel(model, facts), lambda record: None

    def close(self) -> None:
        """Wait until everything is sent."""
        from langchain_core.tracers.langchain import wait_for_all_tracers
        from langsmith.run_trees import get_cached_client

        wait_for_all_tracers()
        get_cached_client().flush()


class RecordedModel(Wrapped):
    """A model whose requests are traced as LangSmith runs."""

    def __init__(self, model: Model, facts: dict[str, str]) -> None:
        super().__init__(model)
        self._facts = facts

    async def ask(self, request: Request) -> Reply:
        """The model's reply."""
        from langsmith import trace

        family, _, name = self.identity.partition(":")
        facts = {**self._facts, "ls_provider": family, "ls_model_name": name or family, "place": request.place}
        content = {"messages": [_message(message, drawn=self.looks) for message in request.messages]}
        what = f"{request.place} {request.about or ''}".strip() or str(request.kind)
        itself = family in ("langchain", "google")
        async with trace(what, run_type="chain" if itself else "llm", inputs=content, metadata=facts) as run:
            reply = await self._model.ask(request)
            run.end(outputs=_outputs(reply, usage=not itself))
        return reply


def _message(message: Message, *, drawn: bool) -> dict[str, Any]:
    """A message in LangSmith's form, with pictures by hash, or by scene if not drawn."""
    parts = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "text", "text": f"[picture sha256:{part.sha256}]" if drawn else f"[picture scene:{part.key}]"}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts}


def _outputs(reply: Reply, *, usage: bool) -> dict[str, Any]:
    content = {"messages": [{"role": "assistant", "content": reply.text}]}
    return {**content, "usage_metadata": _usage(reply)} if usage else content


def _usage(reply: Reply) -> dict[str, Any]:
    prompt, completion = reply.usage.prompt_tokens, reply.usage.completion_tokens
    usage: dict[str, Any] = {"input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion}
    if reply.usage.cost:
        usage["total_cost"] = reply.usage.cost
    return usage
