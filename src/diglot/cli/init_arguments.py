"""The arguments of `diglot init`."""

from pathlib import Path
from typing import Any

from diglot.cli.parsing import add_command


def add_init(commands: Any) -> None:
    """Add the command to the parser."""
    init = add_command(
        commands,
        "init",
        "make a new site that works at once",
        "Write a small site in Chinese and English into DIR: a configuration, an article with a figure and\n"
        "values from its data, a README, and settings for editors. Files that are there already stay as\n"
        "they are; what was added and what was left alone is printed.",
        epilog="examples:\n"
        "  diglot init blog && cd blog && diglot serve\n"
        '  diglot init blog --title 脊点两侧 --title "Both sides of the ridge"\n'
        "  diglot init --ci github            # in this folder, with a workflow that publishes the site",
    )
    init.add_argument(
        "folder",
        nargs="?",
        type=Path,
        metavar="DIR",
        default=Path(),
        help="folder of the site, made if it is not there (default: this folder)",
    )
    init.add_argument(
        "--title",
        action="append",
        dest="titles",
        default=[],
        metavar="TITLE",
        help="name of the site, in both languages; give it twice for one in Chinese and one in English",
    )
    init.add_argument(
        "--first-language",
        choices=("zh", "en"),
        help="language that comes first on pages for both, and for readers of neither (default: zh)",
    )
    init.add_argument(
        "--ci",
        choices=("github", "gitlab"),
        help="add a workflow that checks, builds and publishes the site on every push: to GitHub Pages or "
        "GitLab Pages",
    )
    init.add_argument(
        "--empty", action="store_true", help="write no example: no article, no figure, no page about the site"
    )
    init.add_argument(
        "--ask", action="store_true", help="ask for title, address and the rest (on a terminal only)"
    )
