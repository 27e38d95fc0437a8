"""The page on which a person plays: what one sees, what can be done, and a key for each."""
