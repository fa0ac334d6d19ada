"""The arguments of `diglot diff`."""

import argparse
import re
from pathlib import Path
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import add_command


def add_diff(commands: Any) -> None:
    """Add the command to the parser."""
    diff = add_command(
        commands,
        "diff",
        "report what a change did to values, figures, sentences and slides",
        "Compare the project with an earlier version and report which inputs, values, figures, sentences of\n"
        "both languages and slides have changed, each before and after. Sentences whose words may no longer\n"
        "hold come first: a percentage crossed 50, two values changed their order, “twice” is no longer\n"
        "twice, an {assert} fails. Nothing is published. Uncommitted changes are included; the earlier\n"
        "version is checked out to a temporary folder, and your files and Git's index stay as they are.",
        epilog="exit codes:\n  0  nothing has changed\n"
        "  1  the site has errors, or an {assert} no longer holds\n"
        "  2  wrong usage, or nothing to compare with\n  3  something has changed\n\n"
        "examples:\n  diglot diff\n  diglot diff --against main --threshold 1%\n"
        "  diglot diff --against ../before --html changes.html\n"
        "  diglot diff --against origin/main --markdown\n\n"
        f"guide: {DOCS_URL}/changes.md",
    )
    diff.add_argument(
        "--against",
        default="HEAD",
        metavar="REF|DIR",
        help="a commit, branch or tag, or a folder with another version (default: HEAD, the last commit)",
    )
    diff.add_argument(
        "--threshold",
        type=_share,
        default=0.05,
        metavar="SHARE",
        help="values that moved by more than this come first (default: 5%%)",
    )
    diff.add_argument("--markdown", action="store_true", help="print Markdown, for a pull request")
    diff.add_argument(
        "--html",
        type=Path,
        metavar="FILE",
        help="also write a page with pictures and texts, before and after",
    )


def _share(text: str) -> float:
    found = re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]{1,6})?)%", text)
    if found is None:
        raise argparse.ArgumentTypeError(f'"{text}" is not a share such as 5%')
    return float(found[1]) / 100
