"""Comparison of our home with the original's: outcomes of actions, visibility and facts."""
