"""A home: rooms, furniture, movables and a robot, with physics and pictures. Knows nothing of tasks and their rules."""
