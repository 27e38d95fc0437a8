"""The published tables, recomputed from recorded runs and compared with the paper's."""
