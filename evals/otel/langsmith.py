"""Questions told to LangSmith, where its environment variables are set.

LangGraph tells LangSmith of graphs and nodes by itself. Our own way of asking models goes past LangChain, so each
request is told here, as a run of the kind `llm` below the node that asks. Chat models of LangChain tell of themselves:
for them the request is a `chain` around their own run, so that no token is counted twice. Pictures go as hashes, never
as bytes.
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
    """Tells LangSmith what the model is asked."""

    def __init__(self) -> None:
        hide_pictures()  # an agent may ask chat models of its own

    def begin(self, run: RunDirectory, episode: Episode, model: Model) -> tuple[Model, OnRecord]:
        """The model, with its requests traced. Events are not: LangGraph traces the nodes."""
        facts = {"run": run.path.resolve().name, "episode": episode.id, "split": episode.split}
        return RecordedModel(model, facts), lambda record: None

    def close(self) -> None:
        """Wait until all is sent."""
        from langchain_core.tracers.langchain import wait_for_all_tracers
        from langsmith.run_trees import get_cached_client

        wait_for_all_tracers()
        get_cached_client().flush()


class RecordedModel(Wrapped):
    """A model whose requests are runs of LangSmith."""

    def __init__(self, model: Model, facts: dict[str, str]) -> None:
        super().__init__(model)
        self._facts = facts

    async def ask(self, request: Request) -> Reply:
        """The model's reply."""
        from langsmith import trace

        family, _, name = self.identity.partition(":")
        facts = {**self._facts, "ls_provider": family, "ls_model_name": name or family, "place": request.place}
        said = {"messages": [_message(message, drawn=self.looks) for message in request.messages]}
        what = f"{request.place} {request.about or ''}".strip() or str(request.kind)
        itself = family in ("langchain", "google")
        async with trace(what, run_type="chain" if itself else "llm", inputs=said, metadata=facts) as run:
            reply = await self._model.ask(request)
            run.end(outputs=_outputs(reply, usage=not itself))
        return reply


def _message(message: Message, *, drawn: bool) -> dict[str, Any]:
    """A message in the form that LangSmith shows, its pictures by hash, or by the name of a scene nobody drew."""
    parts = [
        {"type": "text", "text": part}
        if isinstance(part, str)
        else {"type": "text", "text": f"[picture sha256:{part.sha256}]" if drawn else f"[picture scene:{part.key}]"}
        for part in message.parts
    ]
    return {"role": message.role, "content": parts}


def _outputs(reply: Reply, *, usage: bool) -> dict[str, Any]:
    said = {"messages": [{"role": "assistant", "content": reply.text}]}
    return {**said, "usage_metadata": _usage(reply)} if usage else said


def _usage(reply: Reply) -> dict[str, Any]:
    prompt, completion = reply.usage.prompt_tokens, reply.usage.completion_tokens
    usage: dict[str, Any] = {"input_tokens": prompt, "output_tokens": completion, "total_tokens": prompt + completion}
    if reply.usage.cost:
        usage["total_cost"] = reply.usage.cost
    return usage
