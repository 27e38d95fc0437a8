"""Many runs as one job: every combination of agents, models and settings, resumable, under one cap, with one report."""
