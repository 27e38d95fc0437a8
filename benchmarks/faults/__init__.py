"""A bench of faults: commands in processes of their own, and everything that may befall them."""
