"""Runs the language server."""

import argparse
from importlib.util import find_spec

from diglot.cli.command import EXIT_DONE
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.diagnostics import Refusal


def run(arguments: argparse.Namespace, _terminal: Terminal) -> int:
    """Serve until the editor ends. Raises Refusal without the extra."""
    options = site_options(arguments, previewed=True)
    if find_spec("pygls") is None:
        raise Refusal("pygls is not installed", "install the extra: pip install 'diglot[lsp]'.")
    from diglot.lsp.server import serve  # noqa: PLC0415  (only with the extra)

    serve(options)
    return EXIT_DONE
