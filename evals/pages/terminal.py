"""Safe printing to a terminal: text from runs, models and servers never acts as escape codes.

Escape codes can rename a window, hide lines or type for the user. Control characters are therefore replaced by visible
symbols. Colours and progress bars come from rich and are kept: `console` cleans text before rich styles it.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook

_HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters except tab and newline, characters that change the direction of text, and lone surrogates."""


def inert(text: str) -> str:
    """The text with control characters replaced by visible symbols."""
    return _HOSTILE.sub(_shown, text) if _HOSTILE.search(text) else text


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


class Inert:
    """A stream that writes only inert text. `raw` is the wrapped stream, for callers that write escape codes."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw
        # A character that the terminal cannot encode becomes a question mark instead of ending the command.
        reconfigure = getattr(raw, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

    def write(self, text: str) -> int:
        """Write the text without control characters."""
        self.raw.write(inert(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def make_inert() -> None:
    """Replace stdout and stderr by streams that write only inert text."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Inert):
            setattr(sys, name, cast(TextIO, Inert(stream)))


def console(*, stderr: bool = False, width: int | None = None, file: TextIO | None = None) -> Console:
    """A rich console that prints only inert text."""
    from rich.console import Console

    stream = file or (sys.stderr if stderr else sys.stdout)
    made = Console(file=stream.raw if isinstance(stream, Inert) else stream, width=width)
    made.push_render_hook(cast("RenderHook", _Cleaning()))
    return made


class _Cleaning:
    """A render hook that wraps everything printed in `_Cleaned`."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        from rich.control import Control

        return [one if isinstance(one, Control | _Cleaned) else _Cleaned(one) for one in renderables]


class _Cleaned:
    """A renderable whose text is made inert; rich's own control codes are kept."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        from rich.segment import Segment

        for segment in console.render(self._inner, options):
            yield segment if segment.control else Segment(inert(segment.text), segment.style)
