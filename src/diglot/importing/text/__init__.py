"""Converts pieces of a body, and knows which source line each line came from."""
