"""Question sets made by three models: one writes questions about pictures, one judges them, one revises them."""
