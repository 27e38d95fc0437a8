"""Worlds: observe and step. Each owns its domain, its problems, its pictures and its truth."""
