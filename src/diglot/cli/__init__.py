"""The `diglot` command."""

try:
    from diglot.cli.main import main, run
except KeyboardInterrupt:  # interrupted while modules are loaded
    raise SystemExit(130) from None

__all__ = ["main", "run"]
