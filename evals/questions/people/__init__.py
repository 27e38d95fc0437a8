"""A local web page on which people answer, review or score the questions of a set.

    python -m evals.questions people SET --annotator anna

`chosen` selects the questions, `entries` stores answers and reviews, `desk` and `server` serve the page, `converting`
converts answers to runs, `correcting` applies reviews, and `agreeing` measures agreement.
"""
