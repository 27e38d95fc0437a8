"""Text on its way to a terminal: whatever a run, a model or a server put into it, it only ever shows characters.

Escape codes can rename a window, hide lines or type for the user. They are shown as pictures of themselves. Colours and
progress bars are rich's, and pass: consoles come from `console`, which cleans what it is given before it is styled.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TextIO, cast

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook

_HOSTILE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Control characters but tab and newline, what turns the direction of text, and halves of characters."""


def inert(text: str) -> str:
    """The text with control characters shown instead of obeyed."""
    return _HOSTILE.sub(_shown, text) if _HOSTILE.search(text) else text


def _shown(found: re.Match[str]) -> str:
    code = ord(found[0])
    return chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else "\ufffd"


class Inert:
    """A stream to which only inert text is written. `raw` is the stream itself, for who has codes of his own."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw
        # A terminal that lacks a character shows a question mark; it is no reason to end a command.
        reconfigure = getattr(raw, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")

    def write(self, text: str) -> int:
        """Write the text without what a terminal would obey."""
        self.raw.write(inert(text))
        return len(text)

    def writelines(self, lines: Any) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def make_inert() -> None:
    """Have all that is printed from now on be inert."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, Inert):
            setattr(sys, name, cast(TextIO, Inert(stream)))


def console(*, stderr: bool = False, width: int | None = None, file: TextIO | None = None) -> Console:
    """A console of rich's that prints what it is given as inert text."""
    from rich.console import Console

    stream = file or (sys.stderr if stderr else sys.stdout)
    made = Console(file=stream.raw if isinstance(stream, Inert) else stream, width=width)
    made.push_render_hook(cast("RenderHook", _Cleaning()))
    return made


class _Cleaning:
    """Wraps all that is printed."""

    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        from rich.control import Control

        return [one if isinstance(one, Control | _Cleaned) else _Cleaned(one) for one in renderables]


class _Cleaned:
    """Something to be printed whose text is inert; rich's own codes pass."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Any]:
        from rich.segment import Segment

        for segment in console.render(self._inner, options):
            yield segment if segment.control else Segment(inert(segment.text), segment.style)
