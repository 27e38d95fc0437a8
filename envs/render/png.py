"""A fast, deterministic PNG encoder.

Each row is stored as differences from the pixel to the left, with run-length encoding: more than twice as fast as a
general encoder on these pictures, and smaller than its fast setting.
"""

from __future__ import annotations

import struct
import zlib

import numpy as np

from envs.render.arrays import Bytes

_LEFT_DIFFERENCES = 1


def png(rgb: Bytes) -> bytes:
    """The bytes of a PNG file of the picture (height, width, 3)."""
    height, width, _ = rgb.shape
    flat = rgb.reshape(height, width * 3)
    rows = np.empty((height, 1 + width * 3), dtype=np.uint8)
    rows[:, 0] = _LEFT_DIFFERENCES
    rows[:, 1:4] = flat[:, :3]
    np.subtract(flat[:, 3:], flat[:, :-3], out=rows[:, 4:])
    packer = zlib.compressobj(level=1, strategy=zlib.Z_RLE)
    data = packer.compress(rows.data) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
