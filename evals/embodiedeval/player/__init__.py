"""The page on which a person plays: the picture, the options, and a key for each."""
