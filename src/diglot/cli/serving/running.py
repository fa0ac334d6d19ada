"""Runs the preview."""

import argparse

from diglot.cli.command import EXIT_DONE
from diglot.cli.site import site_options
from diglot.cli.terminal import Terminal
from diglot.serve.command import serve_command


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Serve until interrupted."""
    serve_command(
        site_options(arguments, previewed=True),
        host=arguments.host,
        port=arguments.port,
        open_browser=arguments.open,
        poll=arguments.poll,
        reload=arguments.reload,
        follow=arguments.follow,
        terminal=terminal,
    )
    return EXIT_DONE
