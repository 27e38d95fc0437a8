"""Attribute the failures of a run to their causes."""
