"""The toolkit for everything shown to users: HTML, plots, tables."""
