"""Operators of a transformer's forward step, and the time of each on one chip."""
