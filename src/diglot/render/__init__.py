"""Renders parsed halves and drawn figures as pages, feeds and maps."""
