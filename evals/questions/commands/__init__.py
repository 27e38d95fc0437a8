"""The sub-commands of `python -m evals.questions`, one file each.

A sub-command is found by its file. It has `add(subparsers)`, which adds its parser and sets `run` as the default: a
function that takes the parsed arguments and returns the exit code. What is heavy is imported in there. A `ValueError`
or an `OSError` that it raises is shown as one line, and the exit code is 2.
"""
