"""Sweeps: every combination of agents, models and settings as one resumable job, with one cap and one report."""
