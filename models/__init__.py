"""One way to ask a vision-language model, one file per provider, plus scripted, simulated and replayed ones."""
