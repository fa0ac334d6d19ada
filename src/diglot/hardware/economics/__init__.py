"""Dollars and joules for tokens and FLOPs."""
