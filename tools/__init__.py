"""What an agent can do: query predicates, plan, step, look. Also as langchain-core tools."""
