"""EmbodiedEval: 328 tasks in five categories, answered and acted out by choosing options in a room."""
