"""Pictures by ray casting: the same pixels on every run, without a graphics card or system libraries."""
