"""The published tables, computed again from recorded runs and held against the paper's."""
