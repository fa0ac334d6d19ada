"""The arguments of `diglot rename`."""

from typing import Any

from diglot.cli.parsing import Parser, add_command


def add_rename(commands: Any) -> None:
    """Add the command to the parser."""
    rename = add_command(commands, "rename", "rename an article, mending links to it")
    verbs = rename.add_subparsers(dest="rename_command", metavar="post", required=True, parser_class=Parser)
    post = add_command(
        verbs,
        "post",
        "rename an article, mending links to it",
        "Give an article a new name and address. Its files are moved, links to it in all articles and in\n"
        "the navigation are mended, and its old addresses become aliases, which redirect to the new ones.\n"
        "Every file that changes is printed.",
        epilog="example:\n  diglot rename post roofline where-the-roof-bends --dry-run",
    )
    post.add_argument("old", metavar="OLD", help="the article's name: its folder's, its files' or its slug")
    post.add_argument("new", metavar="NEW", help="its new name: lower-case ASCII letters, digits and hyphens")
    post.add_argument("--dry-run", action="store_true", help="print what would change, and change nothing")
