"""The `diglot` command."""

import sys

try:
    if not {"msgspec", "typing_extensions"} & sys.modules.keys():
        # Loading it takes a tenth of `diglot --help`; what msgspec takes from it, `typing` has, too.
        sys.modules["typing_extensions"] = None  # type: ignore[assignment]  # makes importing it fail
        import msgspec  # noqa: F401  (loaded here, without what it takes from that)

        del sys.modules["typing_extensions"]
    from diglot.cli.main import main, run
except KeyboardInterrupt:  # interrupted while modules are loaded
    raise SystemExit(130) from None

__all__ = ["main", "run"]
