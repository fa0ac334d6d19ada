"""Expressions in prose and in figures' messages: parsed, evaluated against data, formatted for a language."""
