"""Array arithmetic with bit-identical results on every machine.

Only +, -, *, /, square roots and table lookups, which IEEE 754 defines exactly. Matrix products, powers and
trigonometry differ between libraries and processors, so no pixel depends on them.
"""

from __future__ import annotations

from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Singles: TypeAlias = NDArray[np.float32]
Ints: TypeAlias = NDArray[np.int32]
Bools: TypeAlias = NDArray[np.bool_]
Bytes: TypeAlias = NDArray[np.uint8]
Numbers: TypeAlias = NDArray[np.floating[Any]]
"""Double precision for a fixed camera, single precision where each picture is made from scratch."""

Reals = TypeVar("Reals", Floats, Singles, Numbers)


def dot(a: Reals, b: Reals) -> Reals:
    """Inner product of vectors given as three rows."""
    total: Reals = a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    return total


Entry = TypeVar("Entry", bound=np.generic)


def columns(rows: NDArray[Entry], which: NDArray[np.integer[Any]]) -> NDArray[Entry]:
    """Some columns of an array. Like `rows[:, which]`, but several times faster."""
    return rows.take(which, axis=1)


def put_columns(rows: NDArray[Entry], which: NDArray[np.intp], values: NDArray[Any]) -> None:
    """Overwrite some columns of an array. Like `rows[:, which] = values`, but twice as fast."""
    for row, value in zip(rows, values, strict=True):
        row[which] = value


def cross(a: Floats, b: Floats) -> Floats:
    """Cross product of vectors given as three rows."""
    return np.stack([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]])


def unit(a: Reals) -> Reals:
    """Vectors of length one, given as three rows."""
    length: Reals = np.sqrt(dot(a, a))
    scaled: Reals = a / length
    return scaled


def smooth(t: Numbers) -> Numbers:
    """The smoothstep function from 0 to 1."""
    eased: Numbers = t * t * (3.0 - 2.0 * t)
    return eased


def hashed(x: Ints, y: Ints, seed: int, like: np.dtype[Any]) -> Numbers:
    """A pseudorandom number between 0 and 1 for each pair of integers."""
    return _scrambled(x.astype(np.uint32) * _ACROSS ^ y.astype(np.uint32) * _UP, seed, like)


def noise(x: Numbers, y: Numbers, seed: int) -> Numbers:
    """Smooth noise between 0 and 1 over the plane, with a grid of one unit."""
    fx, fy = np.floor(x), np.floor(y)
    left, low = fx.astype(np.int32).astype(np.uint32) * _ACROSS, fy.astype(np.int32).astype(np.uint32) * _UP
    right, high = left + _ACROSS, low + _UP
    tx, ty = smooth(x - fx), smooth(y - fy)
    rest = 1.0 - tx
    below = _scrambled(left ^ low, seed, x.dtype) * rest + _scrambled(right ^ low, seed, x.dtype) * tx
    above = _scrambled(left ^ high, seed, x.dtype) * rest + _scrambled(right ^ high, seed, x.dtype) * tx
    heights: Numbers = below * (1.0 - ty) + above * ty
    return heights


_ACROSS, _UP = np.uint32(0x9E3779B1), np.uint32(0x85EBCA77)


def _scrambled(h: NDArray[np.uint32], seed: int, like: np.dtype[Any]) -> Numbers:
    """Hash integers, in place, to numbers between 0 and 1."""
    h ^= np.uint32(seed * 0xC2B2AE3D & 0xFFFFFFFF)
    shifted = np.empty_like(h)
    for shift, factor in ((16, 0x7FEB352D), (15, 0x846CA68B)):
        np.right_shift(h, np.uint32(shift), out=shifted)
        h ^= shifted
        h *= np.uint32(factor)
    np.right_shift(h, np.uint32(16), out=shifted)
    h ^= shifted
    numbers: Numbers = h.astype(like)
    numbers *= 1.0 / 4294967296.0
    return numbers


def _encoding_table() -> Bytes:
    light = np.arange(4096) / 4095.0
    curve = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1.0 / 2.4) - 0.055)
    # Powers differ in their last bits between machines, but away from .5 their rounded values are equal.
    return np.floor(np.round(curve * 255.0, 6) + 0.5).astype(np.uint8)


_ENCODED = _encoding_table()


def encode(light: Singles) -> Bytes:
    """Linear light to sRGB bytes."""
    return _ENCODED[(np.clip(light, 0.0, 1.0) * 4095.0 + 0.5).astype(np.int32)]


def linear(channel: float) -> float:
    """One sRGB channel as linear light."""
    return round(channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4), 9)
