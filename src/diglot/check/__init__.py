"""Lint of what a build made: links that lead nowhere, ids that stand twice, pictures without a text."""
