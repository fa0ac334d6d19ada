"""Processes that diglot starts, without what they do."""
