"""People answer or review the questions of a set, on a page of their own machine.

    python -m evals.questions people SET --annotator anna

`chosen` finds the questions, `entries` keeps what people say, `desk` and `server` show the page, `converting` makes
runs of what was answered, and `agreeing` says how far people agree.
"""
