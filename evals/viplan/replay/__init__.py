"""Replay the recorded runs of the original with our agents."""
