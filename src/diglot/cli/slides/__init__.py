"""`diglot slides`."""

from pathlib import Path

from diglot import DOCS_URL
from diglot.cli.command import EDITIONS, Command, Options, option

_GUIDE = f"guide: {DOCS_URL}/slides.md"
_DECKS: Options = {"paths PATH": option("decks, pictures, or folders", Path, nargs="+")}

_BUILD = Command(
    name="build",
    about="write a talk as a PowerPoint file",
    run="diglot.cli.slides.running:run_build",
    detail=(
        "Write a talk of content/talks/ as a PowerPoint file in each language. Text, lists, tables, code,\n"
        "formulas and notes can be edited there; figures are pictures in SVG, which `diglot slides update`\n"
        "can replace when their numbers have changed. Prints the paths of the files.\n"
        "Needs `pip install 'diglot[slides]'`."
    ),
    epilog=(
        "examples:\n  diglot slides build gpu-vs-tpu --lang zh\n"
        "  diglot slides build gpu-vs-tpu --template company.potx --charts native -o slides\n\n" + _GUIDE
    ),
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
_PDF = Command(
    name="pdf",
    about="print a talk, one slide per page",
    run="diglot.cli.slides.pdf:run",
    detail=(
        "Build a talk, and print its slides with Chromium or Chrome, which must be installed: one file for\n"
        "each language. All steps are shown, and figures are in their first state."
    ),
    epilog=(
        "examples:\n  diglot slides pdf roofline\n"
        "  diglot slides pdf roofline --lang en -o handouts\n"
        "  diglot slides pdf roofline --lang zh --both\n\n"
        f"guide: {DOCS_URL}/talks.md"
    ),
    output_help="the folder for the files (default: the current one)",
    options={
        "talk TALK": "the talk's name, as in its address",
        "--lang": EDITIONS,
        "--both": "print both languages on every slide, the file's own first",
    },
)
_CHECK = Command(
    name="check",
    about="report which figures in decks are stale",
    run="diglot.cli.slides.running:run_check",
    detail=(
        "Look for exported figures in decks, and compare the numbers they were drawn from with those that\n"
        "the project computes now. Reports for each slide what is current, stale, gone (there is no such\n"
        "figure any more) or unknown, and which values have changed. Reads presentations of PowerPoint and\n"
        "LibreOffice, Markdown, HTML, LaTeX and Typst that refer to exported files, pictures, and folders.\n"
        "Exits with 1 if anything is stale or gone."
    ),
    epilog=("examples:\n  diglot slides check talk.pptx\n  diglot slides check ~/talks --json\n\n" + _GUIDE),
    options=_DECKS,
)
_UPDATE = Command(
    name="update",
    about="replace stale figures in decks",
    run="diglot.cli.slides.running:run_update",
    detail=(
        "Draw stale figures again, and replace the old ones. Position, size, crop, effects, animations,\n"
        "notes and all other parts of a deck stay as they are. A copy of the old deck is kept next to it,\n"
        "with .bak at the end of its name."
    ),
    epilog=f"example:\n  diglot slides update talk.pptx\n\n{_GUIDE}",
    options=_DECKS,
)

command = Command(
    name="slides",
    about="write talks as PowerPoint and PDF files; find and update stale figures in decks",
    group="publish and present",
    verbs=(
        _BUILD,
        _PDF,
        _CHECK,
        _UPDATE,
    ),
)
