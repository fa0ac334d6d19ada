"""The operators of a transformer's step, and how long each takes on one chip."""
