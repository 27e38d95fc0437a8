"""Embodied: rooms, homes and public places in which an agent walks along a graph, handles things and meets people."""
