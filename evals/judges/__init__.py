"""What is true and what it is worth: one judge for each kind of task."""
