"""Reading replies. A reader returns a value or says why there is none; it never raises.

Every reader knows two profiles. `official` reads as the published evaluations do, defects included. `robust`, the
default, also reads what people would: other words around the answer, other quotes, other languages. It never reads a
reply that is in the form that was asked for otherwise than `official` does; `differs` tells where the two part.

    yes_no(text)                     a judgement
    proposals(text, key, signatures) actions in JSON
    choice(text, options)            which of some options
    letter(text), letters(text)      the letter, or letters, of a multiple choice
    number(text)                     a count or a quantity
    listed(text)                     things in order
    read_form(text, kind, …)         any of these, as the kind of a question has it
"""

from models.parsing.answer import Profile, Unreadable, differs
from models.parsing.forms import read_form
from models.parsing.judgements import yes_no
from models.parsing.lettered import letter, letters
from models.parsing.lists import listed
from models.parsing.options import choice
from models.parsing.plans import Proposal, proposals
from models.parsing.quantities import number

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
