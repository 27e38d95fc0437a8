"""Play recorded episodes again with a change, to find what would have made them succeed."""
