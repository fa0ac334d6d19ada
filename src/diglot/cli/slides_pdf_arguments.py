"""The arguments of `diglot slides pdf`."""

from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import add_command, list_of


def add_pdf(verbs: Any) -> None:
    """Add the command to the parser of `diglot slides`."""
    pdf = add_command(
        verbs,
        "pdf",
        "print a talk, one slide a page",
        "Build a talk, and print its slides with Chromium or Chrome, which has to be installed: one file\n"
        "for each language. Steps are all there, and figures are in their first state.",
        epilog="examples:\n  diglot slides pdf roofline\n"
        "  diglot slides pdf roofline --lang en -o handouts\n"
        "  diglot slides pdf roofline --lang zh --both\n\n"
        f"guide: {DOCS_URL}/talks.md",
        output_help="the folder for the files (default: the current one)",
    )
    pdf.add_argument("talk", metavar="TALK", help="the talk's name, as in its address")
    pdf.add_argument(
        "--lang",
        type=list_of("zh", "en"),
        default=("zh", "en"),
        metavar="LANG",
        help="languages: zh,en (default: both)",
    )
    pdf.add_argument(
        "--both",
        action="store_true",
        help="both languages on every slide, the one of the file first",
    )
