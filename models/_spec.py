"""What stands behind the colon of a provider: the name of a model, an address, options; and the key for it."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

from models.base import Options
from planners.names import unknown


@dataclass(frozen=True)
class Address:
    """Where an endpoint is. `shown` and `host` are fit to be printed: they hold no user name and no password."""

    url: str = field(repr=False)

    @property
    def shown(self) -> str:
        """The address without credentials."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, self.host, parts.path.rstrip("/"), "", ""))

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.url).netloc.rpartition("@")[2].lower()

    @property
    def secrets(self) -> tuple[str, ...]:
        """What must not be printed."""
        user, password = urlsplit(self.url).username or "", urlsplit(self.url).password or ""
        basic = base64.b64encode(f"{unquote(user)}:{unquote(password)}".encode()).decode()
        return (password, unquote(password), basic) if password else ()


def read_address(url: str) -> Address:
    """The address in a spec or the environment; `ValueError` if it is none."""
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        shown = re.sub(r"//.*@", "//", url)
        raise ValueError(f"{shown!r} is no address of a server; one looks like http://localhost:8000/v1")
    return Address(url.strip().rstrip("/"))


def read_name(provider: str, rest: str, example: str) -> tuple[str, Address | None]:
    """Model and address of `MODEL` or `MODEL@URL`."""
    name, *url = re.split(r"@(?=\w+://)", rest, maxsplit=1)
    if not name.strip():
        raise ValueError(f"{provider} needs the name of a model, as in {provider}:{example}")
    return name.strip(), read_address(url[0]) if url else None


def read_key(variable: str, *, needed_by: str | None) -> str:
    """The key in the environment. Servers of one's own often need none."""
    key = os.environ.get(variable, "").strip()
    if not key and needed_by:
        raise ValueError(f"no key for {needed_by}: set {variable}, or name a server of your own with @URL")
    if not (key.isascii() and key.isprintable()) or " " in key:
        raise ValueError(f"{variable} does not hold a key: keys have no spaces, line breaks or letters beyond ASCII")
    return key


def identity(provider: str, name: str, address: Address, options: Options, *, but: tuple[str, ...]) -> str:
    """Everything that determines replies; `but` are the options that do not."""
    told = "".join(f", {option} {options[option]}" for option in sorted(options) if option not in but)
    return f"{provider}:{name} at {address.shown}{told}"


def check_options(provider: str, options: Options, known: Iterable[str]) -> None:
    """Refuse options that nobody knows."""
    possible = tuple(known)
    for name in sorted(set(options) - set(possible)):
        raise unknown(f"option of {provider}", name, possible)


def choice(provider: str, options: Options, name: str, possible: tuple[str, ...]) -> str | None:
    """One of several words."""
    value = options.get(name)
    if value is not None and value not in possible:
        raise ValueError(f"{provider}: {name} is one of {', '.join(possible)}, not {value!r}")
    return value


def whole_number(provider: str, options: Options, name: str) -> int | None:
    """A positive whole number."""
    value = options.get(name)
    if value is None:
        return None
    if not value.isdecimal() or int(value) < 1:
        raise ValueError(f"{provider}: {name} is a positive whole number, not {value!r}")
    return int(value)
