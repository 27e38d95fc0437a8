"""Addresses and keys of LangChain's classes: which options are allowed, and where a class would send which key."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from models._keys import OPTION, is_home
from models._secrets import looks_like_a_key
from models._spec import Address, read_address
from models.base import Options

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

_DEFAULTS = {
    ("langchain_openai", "ChatOpenAI"): ("https://api.openai.com/v1", ("OPENAI_API_BASE", "OPENAI_BASE_URL")),
    ("langchain_anthropic", "ChatAnthropic"): (
        "https://api.anthropic.com",
        ("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
    ),
    ("langchain_google_genai", "ChatGoogleGenerativeAI"): ("https://generativelanguage.googleapis.com", ()),
}
"""The providers' own addresses, and the environment variables that override them."""
_HOMES = ("api.openai.com", "api.anthropic.com", "generativelanguage.googleapis.com")
_ADDRESS = re.compile(r"url$|url_|endpoint|host$|api_base|server|proxy", re.IGNORECASE)
_SECRET = re.compile(
    r"api_?key|secret|passw|credential|cookie|header|bearer|query|(?:^|_)auth(?:$|_|orization|entication)|"
    r"^token$|(?:access|auth|api|id|session|security|hub|hf)_?token",
    re.IGNORECASE,
)


def value_of(text: str) -> Any:
    """An option, parsed if it is JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def refuse_secrets(made_by: type[BaseChatModel], options: Options) -> None:
    """`ValueError` if an option holds a key or may hold one: specs are written to run.json and shown in reports."""
    for option in sorted(options):
        for name, value in _leaves(option, value_of(options[option])):
            if _SECRET.search(name) or (isinstance(value, str) and looks_like_a_key(value)):
                within = f"{name} in {option}" if name != option else option
                raise ValueError(
                    f"{within} must not be on the command line, which is saved in run.json: {_advice(made_by)}"
                )


def _advice(made_by: type[BaseChatModel]) -> str:
    own = f"put the key into an environment variable and name the variable with {OPTION}=NAME"
    variables = " or ".join(_variables(made_by))
    return f"set {variables}, or {own}" if variables else own


def _variables(made_by: type[BaseChatModel]) -> list[str]:
    """The environment variables that a class reads its keys from."""
    try:
        known = sorted(set(made_by.model_construct().lc_secrets.values()))
    except Exception:
        known = []
    return known or sorted(name.upper() for name in made_by.model_fields if name.endswith("_api_key"))


def key_fields(made_by: type[BaseChatModel]) -> list[str]:
    """The parameters of a class that hold its key."""
    fields = made_by.model_fields
    return [field.alias or name for name, field in fields.items() if "api_key" in (name[-7:], field.alias)]


def secrets_of(chat: BaseChatModel) -> tuple[str, ...]:
    """The keys that a chat model holds."""
    from pydantic import SecretStr

    held = {name: getattr(chat, name, None) for name in type(chat).model_fields}
    wrapped = [str(value.get_secret_value()) for value in held.values() if isinstance(value, SecretStr)]
    plain = [value for name, value in held.items() if isinstance(value, str) and name.endswith("api_key")]
    return (*wrapped, *plain)


def address_in(options: Options) -> str | None:
    """The address in the options, under any of the names in use."""
    for option in sorted(options):
        for name, value in _leaves(option, value_of(options[option])):
            if isinstance(value, str) and value and ("://" in value or _ADDRESS.search(name)):
                return value
    return None


def is_foreign(address: str | None) -> bool:
    """Whether an address is not a provider's own."""
    return address is not None and not is_home(_address(address), _HOMES)


def uses_foreign_server(chat: BaseChatModel) -> bool:
    """Whether a chat model asks a server other than its class's default, by its options or the environment."""
    for name, field in type(chat).model_fields.items():
        value = getattr(chat, name, None)
        if isinstance(value, str) and "://" in value and value != field.default and is_foreign(value):
            return True
    return False


def host_of(module: str, name: str, options: Options) -> str:
    """The host that a class would ask; the name of the class if only the class knows."""
    address = address_of(module, name, options)
    return _address(address).host if address else f"{module}:{name}"


def address_of(module: str, name: str, options: Options) -> str | None:
    """The address that a class would ask, from options or environment; None if only the class knows."""
    own, variables = _DEFAULTS.get((module, name), (None, ()))
    # The client of a class may read a variable that the class itself does not.
    from_environment = (os.environ.get(variable, "").strip() for variable in variables)
    return address_in(options) or next(filter(None, from_environment), own)


def _address(text: str) -> Address:
    """An address with its scheme, which some classes leave out."""
    return read_address(text if "://" in text else f"https://{text}")


def _leaves(name: str, value: Any) -> Iterator[tuple[str, Any]]:
    """All values inside a value, each with its innermost name."""
    yield name, value
    if isinstance(value, dict):
        for inner, inside in value.items():
            yield from _leaves(str(inner), inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _leaves(name, inside)
