"""The arguments of `diglot theme`."""

from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import Parser, add_command


def add_theme(commands: Any) -> None:
    """Add `diglot theme list` and `diglot theme copy`."""
    theme = add_command(commands, "theme", "list the theme's files, or copy one to change it")
    verbs = theme.add_subparsers(
        dest="theme_command", metavar="list|copy", required=True, parser_class=Parser
    )
    add_command(
        verbs,
        "list",
        "list the theme's files and what the project does with them",
        "List every template, file of words and static file of the theme: whether it is built-in, and\n"
        "which file of the project replaces, extends or adds to it.",
        epilog=_GUIDE,
    )
    copy = add_command(
        verbs,
        "copy",
        "copy files of the built-in theme into the project",
        "Copy files of the built-in theme into templates/, where they replace the built-in ones, and print\n"
        "their paths. Files that are there already stay as they are. The first line of a copy says which\n"
        "version it comes from. A copy does not change with diglot; `diglot theme list` says when the\n"
        "built-in file has become another one.\n"
        "\n"
        "Most changes need no copy: extend a template to replace one of its blocks, write single words into\n"
        "templates/strings/en.yaml, and style sheets into site/static/custom.css.",
        epilog=f"examples:\n  diglot theme copy article.html\n  diglot theme copy style.css\n\n{_GUIDE}",
    )
    copy.add_argument(
        "files",
        nargs="+",
        metavar="FILE",
        help="a file as `diglot theme list` names it: base.html, style.css",
    )


_GUIDE = f"The guide to themes: {DOCS_URL}/themes.md"
