"""Embodied: rooms, homes and public places in which one walks along a graph, handles things and meets people."""
