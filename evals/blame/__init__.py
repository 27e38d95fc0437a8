"""What the failures of a run are to be blamed on."""
