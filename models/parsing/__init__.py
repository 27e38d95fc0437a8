"""Parsers for replies of models. A parser returns a value, or `Unreadable` with the reason; it never raises.

Every parser has two profiles. `official` parses like the published evaluations, including their defects. `robust`, the
default, accepts whatever a person would understand: text around the answer, other quotes, other languages. Replies in
the requested form mean the same under both profiles; `differs` tells whether the profiles disagree about a reply.

    yes_no(text)                     yes or no
    proposals(text, key, signatures) actions in JSON
    choice(text, options)            which of some options
    letter(text), letters(text)      the letter, or letters, of a multiple choice
    number(text)                     a count or a quantity
    listed(text)                     a list in order
    read_form(text, kind, …)         the value that a kind of question asks for
"""

from models.parsing.answer import Profile, Unreadable, differs
from models.parsing.forms import read_form
from models.parsing.lists import listed
from models.parsing.multiple_choice import letter, letters
from models.parsing.options import choice
from models.parsing.plans import Proposal, proposals
from models.parsing.quantities import number
from models.parsing.yesno import yes_no

__all__ = [
    "Profile",
    "Proposal",
    "Unreadable",
    "choice",
    "differs",
    "letter",
    "letters",
    "listed",
    "number",
    "proposals",
    "read_form",
    "yes_no",
]
