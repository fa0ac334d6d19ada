"""Checks of finished pages: broken links, repeated ids, images without alternative text."""
