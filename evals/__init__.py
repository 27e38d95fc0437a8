"""Benchmarks, the runner, traces, scores and reports. The only room that sees the truth."""

from evals.guard import exit_on_foreign_package

exit_on_foreign_package()
