"""EmbodiedEval: 328 tasks in five categories; an agent in a room answers and acts by choosing options."""
