"""Serving: what fits, how long steps take, and the steady state under load."""
