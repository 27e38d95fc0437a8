"""ERQA: 400 questions of embodied reasoning with one letter as the answer."""
