"""Reading pages in tests: their text, their links, and that they are whole."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path


class Page(HTMLParser):
    """What is in a page; complains where elements do not close in order."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path, self.text = path, ""
        self.open: list[str] = []
        self.links: list[str] = []
        self.ids: list[str] = []
        self.elements: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        self.elements.append(tag)
        self.links += [value for key in ("href", "src") if (value := named.get(key))]
        self.ids += [value] if (value := named.get("id")) else []
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text += data
