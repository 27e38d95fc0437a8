"""Benchmarks, the runner, traces, scores and reports. The only room that sees the truth."""
