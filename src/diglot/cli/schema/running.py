"""Prints a JSON Schema."""

import argparse

from diglot.cli.command import EXIT_DONE
from diglot.cli.reports import as_json
from diglot.cli.terminal import Terminal
from diglot.scaffold.schemas import find_schema


def run(arguments: argparse.Namespace, terminal: Terminal) -> int:
    """Print the schema of a kind of file."""
    terminal.result(as_json(find_schema(arguments.kind)))
    return EXIT_DONE
