"""Twins: simulated models with errors like those of recorded ones, and how well they do."""
