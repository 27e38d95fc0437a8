"""Replies that are well formed and wrong: what a model says that can write JSON but does not know the world."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count

from envs.base import Symbolic
from models.base import Kind, Reply, Request
from models.turns import Call, Turn, write_turn

LONG = "r" * 20_000
ALIKE = str.maketrans("aceopr", "асеорг")
"""Latin letters and Cyrillic ones that look like them."""


@dataclass(frozen=True)
class Names:
    """An action of a world, and objects that it takes, in order."""

    action: str
    objects: tuple[str, ...]
    parameters: tuple[str, ...]

    @classmethod
    def of(cls, world: Symbolic) -> Names:
        """The first action that takes several objects."""
        action = next(one for one in world.domain.actions.values() if len(one.parameters) > 1)
        pools = [world.objects.of_type(parameter.type) for parameter in action.parameters]
        objects = (pools[0][0], *(pool[-1] for pool in pools[1:]))
        return cls(action.name, objects, tuple(world.signatures[action.name]))


def proposals(names: Names) -> dict[str, object]:
    """What is proposed, by what is wrong about it: one action, or the whole content of a reply."""
    first, *between, second = names.objects

    def made(*parameters: object, action: str = names.action) -> dict[str, object]:
        return {"action": action, "parameters": list(parameters)}

    named = dict(zip(names.parameters, names.objects, strict=True))
    return {
        "an absent object": made(first, *between, "zebra_99"),
        "absent objects": made("zebra_98", *between, "zebra_99"),
        "an absent object by name": {"action": names.action, "parameters": {**named, names.parameters[-1]: "c9"}},
        "too few": made(first),
        "none": made(),
        "too many": made(first, second, second),
        "no such parameter": {"action": names.action, "parameters": {**named, "speed": "fast"}},
        "objects of other types": made(second, *between, first),
        "the same object twice": made(first, *between, first),
        "numbers": made(*range(len(names.objects))),
        "nothing for names": made(*[None] * len(names.objects)),
        "lists for names": made([first], [second]),
        "text for parameters": {"action": names.action, "parameters": f"{first}, {second}"},
        "an empty name": made("", *between, ""),
        "letters that look alike": made(*(name.translate(ALIKE) for name in names.objects)),
        "wide letters": made("".join(chr(ord(letter) + 0xFEE0) for letter in first), *between, second),
        "invisible letters": made(f"{first}\u200b", *between, f"\u202e{second}"),
        "a very long name": made(LONG, *between, second),
        "a very long action": made(first, second, action=LONG),
        "another action": made(first, second, action="teleport"),
        "an action in capitals": made(first, second, action=names.action.upper()),
        "an action with brackets": made(first, second, action=f"{names.action}({first}, {second})"),
        "an action of nothing": made(action=""),
        "a name with brackets": made(f"{first}, {second})", "x("),
        "a name with newlines": made(f"{first}\n\n{second}", second),
    }


def contents(names: Names) -> dict[str, str]:
    """Whole replies: each proposal as an action and as a plan, repeated ones, and plans without actions."""
    every = proposals(names)
    found = {key: json.dumps({"plan": [one], "action": one}, ensure_ascii=False) for key, one in every.items()}
    right = {"action": names.action, "parameters": list(names.objects)}
    found["the same action fifty times"] = json.dumps({"plan": [right] * 50, "action": right})
    found["all wrong ones at once"] = json.dumps({"plan": list(every.values()), "action": list(every.values())})
    found["an empty plan"] = json.dumps({"plan": [], "action": []})
    found["a plan of nothing"] = json.dumps({"plan": {}, "action": {}})
    found["no plan"] = json.dumps({"plan": None, "action": None})
    one = json.dumps(right)
    found |= drafts(names)
    found["keys twice"] = f'{{"plan": [], "plan": [{one}], "action": {{}}, "action": {one}}}'
    return found


def drafts(names: Names) -> dict[str, str]:
    """Problems in PDDL, by what is wrong with them."""
    first, *_, second = names.objects
    fact, goal = f"(on {first} {second})", "(:goal (and))"

    def action(parameters: str, inner: str) -> str:
        return f"(:action {names.action} :parameters ({parameters}) {inner}) (:init) {goal}"

    variables = " ".join(f"?v{place}" for place in range(len(names.parameters)))
    choice = " ".join(f"(or {fact} (not {fact}))" for _ in range(12))
    return {
        "nothing in it": "(define (problem p) (:init) (:goal))",
        "no goal": f"(:init {fact})",
        "absent names in it": f"(:init (on zebra {LONG}) (fly {first})) {goal}",
        "never closed": f"(:init {fact} (:goal {fact}",
        "closed too often": f"(:init {fact}))))) {goal}))))",
        "a contradiction": f"(:init {fact}) (:goal (and {fact} (not {fact})))",
        "many ways": f"(:init) (:goal (and {choice}))",
        "an empty disjunction": "(:init) (:goal (or))",
        "things that are the same": f"(:init) (:goal (= {first} {second}))",
        "all of them": f"(:init) (:goal (forall (?x) (not (= ?x {first}))))",
        "numbers in it": f"(:init (= (total-cost) 0) 3) {goal} (:metric minimize (total-cost))",
        "letters that look alike in it": f"(:init {fact.translate(ALIKE)}) {goal}",
        "an action without effects": action(variables, ""),
        "an action that undoes itself": action(variables, ":effect (and (when (and) (not (= ?v0 ?v0))))"),
        "an action with other parameters": action("?a ?b ?c ?d ?e", ":effect (and)"),
        "an action for everything": action(variables, ":effect (forall (?x ?y ?z) (and))"),
        "an action that is no list": f"(:action {names.action}) {goal}",
    }


def calls(names: Names) -> Iterator[tuple[Call, ...]]:
    """The same as calls of tools, forever."""
    first, *_, second = names.objects
    facts = ["", "()", first, f"on {first},{second}", f"on {first}", f"on zebra,{LONG}", "оn г,b", f"clear({first})"]
    for number in count():
        wrong = list(proposals(names).values())[number % len(proposals(names))]
        given: Mapping[str, object] = {"action": wrong["action"], "arguments": wrong["parameters"]}  # type: ignore[index]
        yield (
            Call("query_predicates", {"facts": facts * 2}, f"a{number}"),
            Call("plan_pddl", {"true_facts": facts[number % len(facts) :]}, f"b{number}"),
            Call("plan_pddl", {"true_facts": []}, f"c{number}"),
            Call("step_environment", given, f"d{number}"),
            Call("step_environment", {"action": names.action, "arguments": [first, first]}, f"d{number}"),
        )


ANSWERS: dict[str, Callable[[str], bool]] = {
    "yes to all": lambda fact: True,
    "no to all": lambda fact: False,
    "by chance": lambda fact: hashlib.sha256(fact.encode()).digest()[0] % 2 == 0,
}


class Wrong:
    """A model that answers by one of `ANSWERS`, and proposes or calls what it is given."""

    looks = False
    simulated = False
    cacheable = False
    calls_tools = True

    def __init__(self, answer: str, replies: list[str], names: Names) -> None:
        self.identity = f"wrong: {answer}"
        self._answer, self._replies, self._next = ANSWERS[answer], replies, count()
        self._calls = calls(names)

    async def ask(self, request: Request) -> Reply:
        """A wrong one."""
        if isinstance(request, Turn):
            return Reply(write_turn("Let me try.", next(self._calls)))
        if request.kind is not Kind.YES_NO:
            return Reply(self._replies[next(self._next) % len(self._replies)])
        said = "Yes" if self._answer(str(request.about)) else "No"
        return Reply(f"<explanation>I see.</explanation><answer>{said}</answer>" if request.cot else said)
