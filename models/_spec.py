"""Parses the part of a spec after the provider's colon: the name of a model, an address, and options."""

from __future__ import annotations

import base64
import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

from models.base import Options
from planners.names import unknown

_WEB = re.compile(r"https?://", re.IGNORECASE)
_VERSION = re.compile(r"\d{3,8}|\d{4}-\d{2}-\d{2}|latest|default")
"""Suffixes that some routers add after an @ as part of a model's name."""


@dataclass(frozen=True)
class Address:
    """The address of an endpoint. `shown` and `host` may be printed: they hold no user name and no password."""

    url: str = field(repr=False)

    @property
    def shown(self) -> str:
        """The address without credentials."""
        parts = urlsplit(self.url)
        return urlunsplit((parts.scheme, self.host, parts.path.rstrip("/"), "", ""))

    @property
    def bare(self) -> str:
        """The address without credentials, to send requests to."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=self.host))

    @property
    def authorization(self) -> str:
        """The authorization header from the address's user name and password; empty if it has none."""
        parts = urlsplit(self.url)
        return f"Basic {self._basic}" if parts.username or parts.password else ""

    @property
    def _basic(self) -> str:
        parts = urlsplit(self.url)
        return base64.b64encode(f"{unquote(parts.username or '')}:{unquote(parts.password or '')}".encode()).decode()

    @property
    def host(self) -> str:
        """Host and port."""
        return urlsplit(self.url).netloc.rpartition("@")[2].lower()

    @property
    def secrets(self) -> tuple[str, ...]:
        """The parts that must not be printed."""
        password = urlsplit(self.url).password or ""
        return (password, unquote(password), self._basic) if password else ()


def read_address(url: str) -> Address:
    """Parse an address from a spec or the environment; `ValueError` if it is invalid."""
    try:
        parts = urlsplit(url.strip())
        usable = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        shown = re.sub(r"//.*@", "//", url)
        what = "must start with http:// or https://" if not _WEB.match(url.strip()) else "needs a host"
        raise ValueError(f"{shown!r} is not the address of a server: it {what}, as in http://localhost:8000/v1")
    return Address(url.strip().rstrip("/"))


def read_name(provider: str, rest: str, example: str, home: str) -> tuple[str, Address]:
    """Model and address of `MODEL` or `MODEL@URL`; without one it is that of the environment, or the provider's own."""
    name, *url = re.split(r"@(?=\w+://)", rest, maxsplit=1)
    before, _, after = name.rpartition("@")
    if before and not url and not _VERSION.fullmatch(after):
        name, url = before, [after]
    if not name.strip():
        raise ValueError(f"{provider} needs the name of a model, as in {provider}:{example}")
    from_environment = os.environ.get(f"{provider.upper()}_BASE_URL", "").strip()
    return name.strip(), read_address(url[0] if url else from_environment or home)


def identity(provider: str, name: str, address: Address, options: Options, *, without: tuple[str, ...]) -> str:
    """Everything that determines replies; `but` are the options that do not."""
    suffix = "".join(f", {option} {options[option]}" for option in sorted(options) if option not in without)
    return f"{provider}:{name} at {address.shown}{suffix}"


def check_options(provider: str, options: Options, known: Iterable[str]) -> None:
    """Refuse unknown options."""
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
