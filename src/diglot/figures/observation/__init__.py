"""Observes what scripts read (files, modules, databases), and gives them the same state on every machine."""
