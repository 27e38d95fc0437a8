"""Virtual environments for tests: with a `models.py` beside the console scripts, as python-sat installs one."""

from __future__ import annotations

import os
import subprocess
import sysconfig
import venv
from collections.abc import Collection
from pathlib import Path


class Environment:
    """An environment with the packages of the one that runs the tests, except some, and without this project."""

    def __init__(self, folder: Path, without: Collection[str] = ()) -> None:
        venv.create(folder, symlinks=True, with_pip=False)
        self.scripts = folder / "bin"
        (packages,) = folder.glob("lib/python*/site-packages")
        for place in {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}:
            for package in Path(place).iterdir():
                if not {package.stem, package.name.partition("-")[0]} & {*without} and package.suffix != ".pth":
                    (packages / package.name).symlink_to(package)
        (self.scripts / "models.py").write_text("")

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.scripts / "python"

    def script(self, name: str, code: str) -> Path:
        """A console script."""
        path = self.scripts / name
        path.write_text(code)
        return path

    def run(self, *words: object, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
        """Run its interpreter in a folder."""
        return subprocess.run(
            [str(self.python), *map(str, words)],
            cwd=folder,
            env={**quiet_environment(), **variables},
            capture_output=True,
            text=True,
            timeout=120,
        )


def quiet_environment() -> dict[str, str]:
    """The variables of this process without those that decide where modules come from."""
    return {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "PYTHONHOME")}
