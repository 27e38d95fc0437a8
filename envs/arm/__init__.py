"""Robot arms at a table or a counter: scenes, cameras, skills, and recordings of episodes with their exact states."""
