"""ViPlan: its problems, its worlds, its published records and tables."""
