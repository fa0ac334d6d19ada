"""The arguments of `diglot slides`."""

from pathlib import Path
from typing import Any

from diglot import DOCS_URL
from diglot.cli.parsing import EDITIONS, Options, add_command, add_verbs, option

_GUIDE = f"guide: {DOCS_URL}/slides.md"


def add_slides(commands: Any) -> None:
    """Add `diglot slides build`, `pdf`, `check` and `update`."""
    slides = add_command(
        commands, "slides", "write talks as PowerPoint and PDF files; find and update stale figures in decks"
    )
    verbs = add_verbs(slides, "build|pdf|check|update")
    add_command(
        verbs,
        "build",
        "write a talk as a PowerPoint file",
        "Write a talk of content/talks/ as a PowerPoint file in each language. Text, lists, tables, code,\n"
        "formulas and notes can be edited there; figures are pictures in SVG, which `diglot slides update`\n"
        "can replace when their numbers have changed. Prints the paths of the files.\n"
        "Needs `pip install 'diglot[slides]'`.",
        epilog="examples:\n  diglot slides build gpu-vs-tpu --lang zh\n"
        "  diglot slides build gpu-vs-tpu --template company.potx --charts native -o slides\n\n" + _GUIDE,
        output_help="folder to write to (default: exports, in the project)",
        options={
            "talk TALK": "the name of its folder in content/talks/",
            "--lang": EDITIONS,
            "--format": option("the format of the file: pptx", choices=("pptx",), default="pptx"),
            "--template FILE": option(
                "a PowerPoint file with the master, layouts and placeholders for the slides", Path
            ),
            "--theme": option(
                "light (default) or dark; with a template, only for figures: choose what suits it",
                choices=("light", "dark"),
                default="light",
            ),
            "--charts": option(
                "lines, bars and points as pictures (default), or as charts that can be edited in PowerPoint",
                choices=("pictures", "native"),
                default="pictures",
            ),
        },
    )
    add_command(
        verbs,
        "pdf",
        "print a talk, one slide per page",
        "Build a talk, and print its slides with Chromium or Chrome, which must be installed: one file for\n"
        "each language. All steps are shown, and figures are in their first state.",
        epilog="examples:\n  diglot slides pdf roofline\n"
        "  diglot slides pdf roofline --lang en -o handouts\n"
        "  diglot slides pdf roofline --lang zh --both\n\n"
        f"guide: {DOCS_URL}/talks.md",
        output_help="the folder for the files (default: the current one)",
        options={
            "talk TALK": "the talk's name, as in its address",
            "--lang": EDITIONS,
            "--both": "print both languages on every slide, the file's own first",
        },
    )
    decks: Options = {"paths PATH": option("decks, pictures, or folders", Path, nargs="+")}
    add_command(
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
        options=decks,
    )
    add_command(
        verbs,
        "update",
        "replace stale figures in decks",
        "Draw stale figures again, and replace the old ones. Position, size, crop, effects, animations,\n"
        "notes and all other parts of a deck stay as they are. A copy of the old deck is kept next to it,\n"
        "with .bak at the end of its name.",
        epilog=f"example:\n  diglot slides update talk.pptx\n\n{_GUIDE}",
        options=decks,
    )
