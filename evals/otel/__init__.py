"""Export of runs to trace collectors: OpenTelemetry with the conventions of OpenInference, and LangSmith."""
