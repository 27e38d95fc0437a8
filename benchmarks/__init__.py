"""Measurements, each printed as ratios within one run: machines differ, ratios hardly."""
