"""The domains of ViPlan: what each has of problems, worlds and step limits. One file each, found by its name."""
