"""ERQA-Plus: 1,766 questions that tell apart what embodied reasoning rests on."""
