"""The belief study: recorded answers repaired to legal states, and as the start of an acting belief."""
