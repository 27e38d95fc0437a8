"""Fast Downward's translator in-process and its search binary; loaded by `_worker.py`, never imported by us."""

from __future__ import annotations

import importlib
import io
import subprocess
import sys
from pathlib import Path
from subprocess import PIPE, STDOUT
from typing import Any

PLAN_FOUND_CODES = (0, 1, 2, 3)
UNSOLVABLE_CODES = (10, 11, 12)
OUT_OF_MEMORY_CODES = (20, 22, 24)


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
        _hasten(self._translator)

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Translate and search in the current directory, or return the translator's mutex groups."""
        if request.get("wanted") == "groups":
            return self.groups(request["domain"], request["problem"])
        Path("plan").unlink(missing_ok=True)
        options = self._aliases.get(request["search"]) or ["--search", request["search"]]
        command = [self._binary, *options, "--internal-plan-file", "plan"]
        # Start the search first: it loads while the translator works, and waits for its input.
        with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, stderr=STDOUT) as search:
            try:
                task = self.translate(request["domain"], request["problem"])
            except BaseException:
                search.kill()
                raise
            said, _ = search.communicate(task.encode())
        return _result(search.returncode, said.decode("utf-8", "replace"))

    def groups(self, domain: str, problem: str) -> dict[str, Any]:
        """The atoms reachable under delete relaxation, and the mutex groups."""
        task = self._task(domain, problem)
        _, atoms, _, _, _, parameters = self._translator.instantiate.explore(task)
        _, groups, _ = self._translator.fact_groups.compute_groups(task, atoms, parameters, set())
        # Normalization adds auxiliary predicates, which are left out here.
        own = {predicate.name for predicate in self._parsed(domain, problem).predicates}

        def written(facts: Any) -> list[list[str]]:
            return [[fact.predicate, *fact.args] for fact in facts if fact.predicate in own]

        return {"status": "solved", "reachable": written(atoms), "groups": [written(group) for group in groups]}

    def translate(self, domain: str, problem: str) -> str:
        """Write the task in the search's input format, like the translator's main function."""
        task = self._task(domain, problem)
        output = io.StringIO()
        self._translator.pddl_to_sas(task).output(output)
        return output.getvalue()

    def _task(self, domain: str, problem: str) -> Any:
        task = self._parsed(domain, problem)
        self._translator.normalize.normalize(task)
        return task

    def _parsed(self, domain: str, problem: str) -> Any:
        lists = [self._lists.parse_nested_list(io.StringIO(text)) for text in (domain, problem)]
        return self._parser.parse_task(*lists)


def _hasten(translator: Any) -> None:
    """Replace the translator's slowest function by a faster one with the same result.

    The original checks a condition against all mutexes by multiplying out its values, a fifth of the total time.
    A single literal needs no check, and for positive literals a lookup of each suffices.
    """
    original = translator.translate_strips_conditions
    multiplied = translator.translate_strips_conditions_aux

    def conditions(facts: Any, values: Any, ranges: Any, mutexes: Any, mutex_ranges: Any) -> Any:
        if len(facts) == 1:
            return multiplied(facts, values, ranges) if facts[0].negated else [dict(values[facts[0]])]
        if any(fact.negated for fact in facts):
            return original(facts, values, ranges, mutexes, mutex_ranges)
        if _agreed(facts, mutexes) is None:
            return None
        found = _agreed(facts, values)
        return None if found is None else [found]

    translator.translate_strips_conditions = conditions


def _agreed(facts: Any, values: Any) -> dict[int, int] | None:
    """The value of each variable in the facts; None if they contradict each other."""
    found: dict[int, int] = {}
    for fact in facts:
        for variable, value in values[fact]:
            if found.setdefault(variable, value) != value:
                return None
    return found


def _result(code: int, said: str) -> dict[str, Any]:
    plan = Path("plan")
    if code in UNSOLVABLE_CODES:
        return {"status": "unsolvable"}
    if code in OUT_OF_MEMORY_CODES or "bad_alloc" in said:
        return {"status": "out of memory"}
    if code not in PLAN_FOUND_CODES or not plan.exists():
        last = " / ".join(said.strip().splitlines()[-3:])
        return {"status": "error", "message": f"search ended with code {code}: {last}"}
    lines = plan.read_text(encoding="utf-8").splitlines()
    return {"status": "solved", "plan": [line.strip("()").split() for line in lines if line.startswith("(")]}
