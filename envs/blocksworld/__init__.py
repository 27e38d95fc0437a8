"""Blocksworld: coloured blocks in labelled columns, fully in view."""
