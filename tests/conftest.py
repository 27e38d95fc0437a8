"""Fixtures that several rooms share."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of recorded data beside the checkout, which a plain clone does not have."""
    folder = ROOT.parent / "shared"
    if folder.is_dir():
        return folder
    message = f"no recorded data: {folder.name}/ is not beside the checkout"
    if os.environ.get("CI"):
        pytest.fail(message)
    pytest.skip(message)
