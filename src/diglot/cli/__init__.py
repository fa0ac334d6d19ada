"""The `diglot` command."""

from diglot.cli.main import main

__all__ = ["main"]
