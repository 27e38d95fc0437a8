"""Makes tasks: templates and expressions that refer to one thing, filters that throw out what is not fair, quotas."""
