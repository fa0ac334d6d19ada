"""Serving: memory limits, step times, the steady state under load, and queueing."""
