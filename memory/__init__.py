"""What an agent keeps between steps."""
