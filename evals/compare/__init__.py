"""Runs side by side: what each made of the same problems, where they part, and whether it is more than luck."""
