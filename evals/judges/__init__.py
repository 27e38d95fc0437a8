"""Judges: the truth and the score of an episode, one judge for each kind of task."""
