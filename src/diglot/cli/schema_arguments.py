"""The arguments of `diglot schema`."""

from typing import Any

from diglot.cli.parsing import add_command

KINDS = ("site", "front-matter", "meta", "chips")


def add_schema(commands: Any) -> None:
    """Add the command to the parser."""
    schema = add_command(
        commands,
        "schema",
        "print a JSON Schema, for editors",
        "Print the JSON Schema of a kind of file, with which an editor completes keys, explains them and\n"
        "marks mistakes: site (site/site.yaml), front-matter (of one half), meta (meta.yaml), chips\n"
        "(site/hardware/*.yaml). `diglot init` writes them to .vscode/, with the settings that use them.",
        epilog="example:\n  diglot schema site > .vscode/diglot/site.json   # after an update of diglot",
    )
    schema.add_argument("kind", choices=KINDS, metavar="KIND", help=", ".join(KINDS))
