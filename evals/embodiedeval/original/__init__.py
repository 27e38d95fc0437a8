"""The original EmbodiedEval: its task files, its result folders and its scores."""
