"""ERQA+: 800 questions about pictures from a robot's eyes."""
