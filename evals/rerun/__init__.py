"""Episodes played again with something put right: what would have had to be otherwise for them to succeed."""
