"""Benchmarks of speed, as ratios within one run, which depend little on the machine."""
