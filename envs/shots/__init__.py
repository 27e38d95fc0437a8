"""Homes prepared for questions, and what cameras see of them: pictures, depth, visible parts. Knows no question."""
