"""The engine: episodes, settings, the runner, traces, results and the run directory."""
