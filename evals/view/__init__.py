"""The pages of `python -m evals.view`: the same for its server and for the static files that it exports."""
