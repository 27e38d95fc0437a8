"""The sub-commands of `python -m evals.questions`, one file each.

A sub-command is found by its file. It has `add(subparsers)`, which adds its parser and sets `run` as the default: a
function that takes the parsed arguments and returns the exit code. Heavy imports belong inside it. A `ValueError`
or an `OSError` from it is shown as one line, with exit code 2.
"""
