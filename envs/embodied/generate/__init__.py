"""Generate tasks: templates, expressions that refer to one thing, filters that reject unfair tasks, and quotas."""
