"""Runs told to where people look at traces: OpenTelemetry with the conventions of OpenInference, and LangSmith."""
