"""Gemini, through LangChain's package for it.

google:gemini-2.5-flash                        with GOOGLE_API_KEY
google:gemini-2.5-flash?thinking_budget=0      options are the parameters of ChatGoogleGenerativeAI

    pip install -e '.[google]'
"""

from __future__ import annotations

import importlib

from models._langchain_keys import host_of
from models.base import Options
from models.langchain import ChatModel, LangChainChat, build, options_suffix

USAGE = "google:MODEL[?thinking_budget=N&…]   Gemini, with GOOGLE_API_KEY; needs pip install -e '.[google]'"


def endpoint(rest: str, options: Options) -> str:
    """The host that would be asked."""
    return host_of("langchain_google_genai", "ChatGoogleGenerativeAI", options)


def load(rest: str, options: Options) -> ChatModel:
    """Load the model of a spec that starts with `google:`."""
    if not rest.strip():
        raise ValueError("google needs the name of a model, as in google:gemini-2.5-flash")
    if "model" in options:
        raise ValueError(f"google:{rest} already names its model; leave out model={options['model']} out")
    try:
        package = importlib.import_module("langchain_google_genai")
    except ImportError as error:
        raise ValueError(f"google: models need one more package: pip install -e '.[google]' ({error})") from None
    # This class counts attempts, others count retries.
    chat = build(package.ChatGoogleGenerativeAI, {"max_retries": "1", **options, "model": rest})
    return ChatModel(
        LangChainChat(chat, f"google:{rest}{options_suffix(options)}", "generativelanguage.googleapis.com", rest)
    )
