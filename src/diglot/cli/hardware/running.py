"""Asks the library of hardware, which parses its arguments itself."""

import argparse
from pathlib import Path

from diglot.cli.site import find_root
from diglot.cli.terminal import Terminal
from diglot.hardware.__main__ import main


def run(arguments: argparse.Namespace, _terminal: Terminal) -> int:
    """Print chips or plans, also with the chips of the site that is here."""
    root = arguments.root or find_root(Path.cwd(), arguments.config) or Path.cwd()
    return main(arguments.rest, program="diglot hardware", folder=root / "site" / "hardware")
