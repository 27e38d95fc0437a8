"""How much of a result is owed to wording, names and the looks of pictures (`python -m evals.robustness`)."""
