"""Pictures as PNG files, quickly and with the same bytes every time."""

from __future__ import annotations

import io

from PIL import Image

from envs.render.arrays import Bytes


def png(rgb: Bytes) -> bytes:
    """The bytes of a PNG file of the picture (height, width, 3)."""
    buffer = io.BytesIO()
    Image.fromarray(rgb).save(buffer, "PNG", compress_level=1)
    return buffer.getvalue()
