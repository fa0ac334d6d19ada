"""The `diglot` command."""

from diglot.cli.main import main, run

__all__ = ["main", "run"]
