"""ERQA-Plus: 1,766 questions about the abilities that embodied reasoning rests on."""
