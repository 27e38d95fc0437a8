"""Parts of requests, encoded as JSON once."""

from __future__ import annotations

import base64
import json
from collections import OrderedDict

from models.base import Picture

_PICTURES_KEPT = 64


class Snippets:
    """Pictures in a provider's JSON, each encoded once and shared by all questions about it."""

    def __init__(self, before: str, after: str) -> None:
        self._before, self._after = before.encode(), after.encode()
        self._kept: OrderedDict[str, bytes] = OrderedDict()

    def of(self, picture: Picture) -> bytes:
        """The JSON of a picture."""
        sha256 = picture.sha256
        found = self._kept.get(sha256)
        if found is None:
            found = self._kept[sha256] = self._before + base64.b64encode(picture.png()) + self._after
            if len(self._kept) > _PICTURES_KEPT:
                self._kept.popitem(last=False)
        self._kept.move_to_end(sha256)
        return found


def dumped(value: object) -> bytes:
    """JSON without spaces. Lone surrogates, which UTF-8 cannot encode, are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode()
