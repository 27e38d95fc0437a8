"""Files that users name, read with care: whatever is in the way is one line for people."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def read_json(path: Path) -> Any:
    """The JSON in a file; `ValueError` with the reason, and without the name of the file, if there is none."""
    if not path.exists():
        raise ValueError("there is no such file")
    if not path.is_file():
        # A pipe would be waited for without end.
        raise ValueError("this is no file that can be read")
    try:
        return json.loads(path.read_bytes())
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror or type(error).__name__}") from None
    except UnicodeDecodeError as error:
        raise ValueError(f"it is no text in UTF-8 (byte {error.start})") from None
    except RecursionError:
        raise ValueError("its JSON is nested too deeply") from None
    except ValueError as error:
        raise ValueError(f"broken JSON: {error}") from None
