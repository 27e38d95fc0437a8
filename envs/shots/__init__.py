"""Homes prepared for questions, and what cameras see: pictures, depth, visible parts. Knows no questions."""
