"""Plays the recorded runs of the original again with our agents."""
