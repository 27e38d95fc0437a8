"""Symbolic planning: problems, plans, validators. Knows nothing of pictures or models."""
