"""Compare runs on the same problems: success, first differences, significance."""
