"""The arguments of `diglot slides`."""

from pathlib import Path
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import Parser, add_command

_GUIDE = f"guide: {DOCS_URL}/slides.md"


def add_slides(commands: Any) -> None:
    """Add `diglot slides check` and `diglot slides update`."""
    slides = add_command(commands, "slides", "find and update figures in decks whose numbers have changed")
    verbs = slides.add_subparsers(
        dest="slides_command", metavar="check|update", required=True, parser_class=Parser
    )
    check = add_command(
        verbs,
        "check",
        "report which figures in decks are stale",
        "Look for exported figures in decks, and compare the numbers they were drawn from with those that\n"
        "the project computes now. Reports for each slide what is current, stale, gone (there is no such\n"
        "figure any more) or unknown, and which values have changed. Reads presentations of PowerPoint and\n"
        "LibreOffice, Markdown, HTML, LaTeX and Typst that refer to exported files, pictures, and folders.\n"
        "Exits with 1 if anything is stale or gone.",
        epilog="examples:\n  diglot slides check talk.pptx\n  diglot slides check ~/talks --json\n\n"
        + _GUIDE,
    )
    update = add_command(
        verbs,
        "update",
        "replace stale figures in decks",
        "Draw stale figures again, and put them into the place of the old ones. Position, size, crop,\n"
        "effects, animations, notes and all other parts of a deck stay as they are. A copy of the old deck\n"
        "is kept beside it, with .bak at the end of its name.",
        epilog=f"example:\n  diglot slides update talk.pptx\n\n{_GUIDE}",
    )
    for verb in (check, update):
        verb.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="decks, pictures, or folders")
