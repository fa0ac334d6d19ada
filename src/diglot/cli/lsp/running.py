"""Runs the language server."""

import argparse
from pathlib import Path

from diglot.cli.command import EXIT_DONE
from diglot.cli.site import find_root, site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal
from diglot.rules.options import SiteOptions


def run(arguments: argparse.Namespace, _terminal: Terminal) -> int:
    """Serve until the editor ends. Raises Refusal without the extra."""
    try:
        import pygls  # noqa: F401, PLC0415  (only with the extra)
    except ImportError:
        raise Refusal("pygls is not installed", "install the extra: pip install 'diglot[lsp]'.") from None
    from diglot.lsp.server import serve  # noqa: PLC0415  (only with the extra)

    def find_options(opened: Path | None) -> SiteOptions:
        if arguments.root is None and opened is not None:
            arguments.root = find_root(opened, arguments.config) or opened
        return site_options(arguments, previewed=True)

    serve(find_options)
    return EXIT_DONE
