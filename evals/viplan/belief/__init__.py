"""What recorded answers hold: repaired to legal states, and as the start of a belief that acts."""
