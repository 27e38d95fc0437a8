"""Fast Downward's translator in-process and its search binary; loaded by `_worker.py`, never imported by us."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

UNSOLVABLE_CODES = (10, 11, 12)


class Engine:
    """One installation of Fast Downward, its translator loaded."""

    def __init__(self, downward: str) -> None:
        binaries = Path(downward) / "builds" / "release" / "bin"
        self._binary = binaries / "downward"
        sys.path[:0] = [str(binaries / "translate"), downward]
        # The translator's options module reads the command line when it is imported.
        sys.argv = ["translate", "domain.pddl", "problem.pddl"]
        self._translator = importlib.import_module("translate")
        self._lists = importlib.import_module("pddl_parser.lisp_parser")
        self._parser = importlib.import_module("pddl_parser.parsing_functions")
        self._aliases = importlib.import_module("driver.aliases").ALIASES

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Translate and search in the current directory."""
        self.translate(request["domain"], request["problem"])
        return self._search(self._aliases.get(request["search"]) or ["--search", request["search"]])

    def translate(self, domain: str, problem: str) -> None:
        """Write output.sas as the translator's own main function does."""
        lists = [self._lists.parse_nested_list(io.StringIO(text)) for text in (domain, problem)]
        task = self._parser.parse_task(*lists)
        self._translator.normalize.normalize(task)
        sas_task = self._translator.pddl_to_sas(task)
        with Path("output.sas").open("w", encoding="utf-8") as file:
            sas_task.output(file)

    def _search(self, options: list[str]) -> dict[str, Any]:
        """Run the search binary on output.sas and read its plan."""
        plan = Path("plan")
        plan.unlink(missing_ok=True)
        with Path("output.sas").open("rb") as sas:
            done = subprocess.run(
                [self._binary, *options, "--internal-plan-file", plan],
                stdin=sas,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
        if done.returncode in UNSOLVABLE_CODES:
            return {"status": "unsolvable"}
        if done.returncode not in (0, 1, 2, 3) or not plan.exists():
            said = " / ".join(done.stdout.decode("utf-8", "replace").strip().splitlines()[-3:])
            return {"status": "error", "message": f"search ended with code {done.returncode}: {said}"}
        lines = plan.read_text(encoding="utf-8").splitlines()
        return {"status": "solved", "plan": [line.strip("()").split() for line in lines if line.startswith("(")]}
