"""Chooses the key for an address. A provider's own key goes to the provider only.

Another server gets the key in the environment variable that the user names with `key_env`.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field

from models._spec import Address
from models.base import Options

OPTION = "key_env"
"""The option that names the environment variable with the key for another server."""
_NAME = re.compile(r"[A-Z_][A-Z0-9_]{0,99}")


@dataclass(frozen=True)
class Key:
    """A key (may be empty) and its variable. `home` says whether the address is the provider's own."""

    value: str = field(repr=False)
    variable: str
    home: bool

    def refused(self, provider: str) -> str:
        """The advice to show if the server refuses the key or requires one."""
        if self.value:
            return f"refused the key (401): set {self.variable} to one that is valid there"
        return (
            f"requires a key (401): put it into an environment variable and name the variable with ?{OPTION}=NAME; "
            f"{self.variable} is sent to {provider} only"
        )


def find_key(provider: str, options: Options, address: Address, variable: str, homes: tuple[str, ...]) -> Key:
    """The key for an address; `ValueError` if one is needed and there is none."""
    home = is_home(address, homes)
    named = read_option(provider, options)
    if named is not None:
        return Key(named[1], named[0], home)
    if not home:
        return Key("", variable, home)
    key = os.environ.get(variable, "").strip()
    if not key:
        raise ValueError(f"no key for {provider}: set {variable}, or name a server of your own with @URL")
    return Key(_checked(variable, key), variable, home)


def is_home(address: Address, homes: tuple[str, ...]) -> bool:
    """Whether the address is the provider's own (or one of its regions), over an encrypted connection."""
    host = address.host.removesuffix(":443")
    return address.url.startswith("https://") and any(host == home or host.endswith(f".{home}") for home in homes)


def read_option(provider: str, options: Options) -> tuple[str, str] | None:
    """The variable that the option names, and its key; None without the option."""
    name = options.get(OPTION)
    if name is None:
        return None
    if not _NAME.fullmatch(name):
        # The text may be the key itself, so it is not repeated.
        raise ValueError(
            f"{provider}: {OPTION} is the name of an environment variable, such as {OPTION}=MY_SERVER_KEY, never the "
            "key itself"
        )
    key = os.environ.get(name, "").strip()
    if not key:
        raise ValueError(f"{provider}: {OPTION}={name}, but the environment variable {name} is not set")
    return name, _checked(name, key)


def _checked(variable: str, key: str) -> str:
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError(f"{variable} does not hold a key: keys have no spaces, line breaks or letters beyond ASCII")
    return key
