"""Benchmarks, the runner, traces, scores and reports. The only room that sees the truth."""

from evals.guard import check_at_the_door

check_at_the_door()
