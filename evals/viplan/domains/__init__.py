"""The domains of ViPlan: problems, worlds and step limits. One file each, found by its name."""
