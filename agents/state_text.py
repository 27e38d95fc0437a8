"""The planner method without eyes: the model is told the state in words and plans from that.

`state_text` is a control. What it fails at is not seeing but planning, so it bounds what better eyes could bring to
`plan`. The words come from the truth, which no agent has: a run with it is a run under `--control state-text`, which
puts them in place of the pictures, and is labelled like any other control."""

from __future__ import annotations

from agents.base import Agent
from agents.direct import Direct
from models.base import Kind

PROMPT = "state_text"

AGENTS = (
    Agent(
        "state_text",
        "plan, told the state in words instead of shown it (a control)",
        Direct(Kind.PLAN, prompt=PROMPT).graph,
        "planner",
        prompts=(PROMPT,),
        plans=False,
        asks=(Kind.PLAN,),
        control="state-text",
    ),
)
