"""The toolkit of everything that is shown: HTML, plots, tables."""
